/*
 * Copyright 2026 the Uncontended authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package dev.uncontended.autoconfigure.ssl;

import java.util.List;

import dev.uncontended.autoconfigure.StartupLogAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the start-up log of a running server.
 */
@EachServerAndEngine
@ExtendWith(OutputCaptureExtension.class)
class StartupLineTests extends AbstractTlsServerTests {

	StartupLineTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Override
	List<Class<?>> sources() {
		return List.of(StartupLog.class);
	}

	@Test
	void reportsTlsOfServer(CapturedOutput output) {
		start();
		assertThat(line(output)).contains(
				this.engine.equals("jdk") ? "TLS of " + id() + " by the JDK, sessions limited by the session cache; "
						: "TLS of " + id()
								+ " by BoringSSL, groups [X25519MLKEM768, x25519, secp256r1, secp384r1, secp521r1],"
								+ " ticket keys from 'local', sessions in the clients' tickets; ");
	}

	@Test
	void serverWithoutTlsCreatesNoBeansForTls() {
		run("--server.ssl.enabled=false", "--server.ssl.bundle=web");
		assertThat(context().getBeanFactory().containsSingleton("uncontendedTlsServers")).isFalse();
		assertThat(context().getBeanFactory().containsSingleton("sslSessionCache")).isFalse();
	}

	@Test
	void saysNothingOfTlsOfServerWithoutTls(CapturedOutput output) {
		run("--server.ssl.enabled=false", "--server.ssl.bundle=web");
		assertThat(line(output)).doesNotContain("TLS", "session");
	}

	private static String line(CapturedOutput output) {
		return output.getOut()
			.lines()
			.filter((line) -> line.contains("UUID.randomUUID() runs on"))
			.reduce((first, second) -> second)
			.orElseThrow();
	}

	@ImportAutoConfiguration(StartupLogAutoConfiguration.class)
	static class StartupLog {

	}

}
