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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.uncontended.ChildJvm;
import dev.uncontended.tls.TestKeyStore;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests servers with BoringSSL in JVMs whose security properties disable signatures that
 * BoringSSL accepts from clients, as docs/boringssl.md describes.
 */
@Tag("integration")
@Tag("product")
class DisabledSignaturesTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@EnumSource
	void stopTheStartIfClientsAuthenticate(TestServer server) throws Exception {
		assertThat(start(server, "want")).contains("BoringSSL accepts signatures with").doesNotContain("started=true");
		assertThat(start(server, "need")).contains("BoringSSL accepts signatures with").doesNotContain("started=true");
	}

	@ParameterizedTest
	@EnumSource
	void doNotMatterIfClientsDoNotAuthenticate(TestServer server) throws Exception {
		assertThat(start(server, "none")).contains("started=true");
	}

	private String start(TestServer server, String clientAuth) throws Exception {
		Path security = this.directory.resolve("security.properties");
		Files.writeString(security, "jdk.tls.disabledAlgorithms=SSLv3, rsa_pkcs1_sha256");
		TestKeyStore keys = TestKeyStore.create(this.directory.resolve("server.p12"), "server.test");
		return ChildJvm.run(List.of("-Djava.security.properties=" + security), (entry) -> true, Application.class,
				server.name(), "--server.port=0", "--server.address=127.0.0.1", "--uncontended.ssl.engine=boringssl",
				"--server.ssl.client-auth=" + clientAuth, "--server.ssl.key-store=" + keys.location(),
				"--server.ssl.key-store-password=" + TestKeyStore.PASSWORD,
				"--server.ssl.trust-store=" + keys.trustStoreLocation(),
				"--server.ssl.trust-store-password=" + TestKeyStore.PASSWORD);
	}

	static final class Application {

		private Application() {
		}

		public static void main(String[] args) {
			TestServer server = TestServer.valueOf(args[0]);
			String[] properties = List.of(args).subList(1, args.length).toArray(String[]::new);
			try (ConfigurableApplicationContext context = new SpringApplicationBuilder(server.application())
				.web(server.type())
				.run(properties)) {
				System.out.println("started=" + context.isRunning());
			}
			catch (RuntimeException ex) {
				ex.printStackTrace(System.out);
			}
		}

	}

}
