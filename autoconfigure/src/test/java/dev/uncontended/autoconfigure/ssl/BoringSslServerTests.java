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

import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.List;

import javax.net.ssl.SSLContext;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for behavior of servers that is specific to BoringSSL.
 */
@ParameterizedClass
@EnumSource
class BoringSslServerTests extends AbstractTlsServerTests {

	BoringSslServerTests(TestServer server) {
		super(server, "boringssl");
	}

	@Test
	@Tag("product")
	void servesHttp2OnTwoHundredConnections() throws Exception {
		start("--server.http2.enabled=true");
		SSLContext client = first.sslContext(first);
		for (int i = 0; i < 200; i++) {
			HttpResponse<String> response = this.clients.get((i % 2 == 0) ? client : first.sslContext(first),
					HttpClient.Version.HTTP_2);
			assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
			assertThat(response.body()).isEqualTo("ok");
		}
		awaitCounts("TLSv1.3", 101, 99);
		assertThat(handshakes().failedCounts()).isEmpty();
	}

	@Test
	void unsupportedProtocolsFailStart() {
		assertThatException().isThrownBy(() -> start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.1"));
	}

	@Test
	void startFailsIfAllKeysAreUnsupported() throws Exception {
		Path store = directory.resolve(this.server + "-pss.p12");
		CommandLine.run("",
				List.of(Path.of(System.getProperty("java.home"), "bin/keytool").toString(), "-genkeypair", "-keyalg",
						"RSASSA-PSS", "-dname", "CN=localhost", "-alias", "test", "-storetype", "PKCS12", "-keystore",
						store.toString(), "-storepass", TestKeyStore.PASSWORD));
		assertThatException()
			.isThrownBy(() -> run("--server.ssl.key-store=" + store,
					"--server.ssl.key-store-password=" + TestKeyStore.PASSWORD))
			.havingRootCause()
			.withMessageContaining("BoringSSL supports no keys of type RSASSA-PSS");
	}

}
