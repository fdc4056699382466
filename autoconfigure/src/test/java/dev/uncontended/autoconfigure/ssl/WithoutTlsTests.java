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
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.uncontended.ChildJvm;
import dev.uncontended.autoconfigure.WithoutStores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the classes that an application without TLS loads.
 */
@Tag("integration")
class WithoutTlsTests {

	private static final Pattern OWN = Pattern.compile("dev\\.uncontended\\.tls\\.[\\w.$]+");

	@Test
	void loadsNoEngine() throws Exception {
		String output = ChildJvm.run(List.of("-Xlog:class+load:stdout"), (entry) -> true, Application.class);
		assertThat(output).contains("Started WithoutTlsTests");
		assertThat(tlsClasses(output)).contains("dev.uncontended.tls.engine.TlsEngine")
			.noneMatch((name) -> name.startsWith("dev.uncontended.tls.jdk.")
					|| name.startsWith("dev.uncontended.tls.boringssl.")
					|| name.startsWith("dev.uncontended.tls.tickets.")
					|| name.startsWith("dev.uncontended.tls.server.tomcat."))
			.hasSizeLessThan(20);
	}

	private static Stream<String> tlsClasses(String output) {
		return output.lines()
			.filter((line) -> line.contains("[class,load]"))
			.flatMap((line) -> OWN.matcher(line).results().limit(1).map((result) -> result.group()));
	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Application {

		public static void main(String[] args) {
			SpringApplication application = new SpringApplication(Application.class);
			application.setWebApplicationType(WebApplicationType.SERVLET);
			application.run("--server.port=0", "--server.address=127.0.0.1", "--" + WithoutStores.PROPERTY).close();
		}

	}

}
