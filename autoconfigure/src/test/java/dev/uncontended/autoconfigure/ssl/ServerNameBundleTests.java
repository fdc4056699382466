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

import java.util.ArrayList;
import java.util.List;

import dev.uncontended.tls.CommandLine;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for bundles by server name, which Boot does not offer for Jetty.
 */
@Tag("product")
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "TOMCAT, jdk", "TOMCAT, boringssl", "NETTY, jdk", "NETTY, boringssl" })
class ServerNameBundleTests extends AbstractTlsServerTests {

	ServerNameBundleTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void usesBundleOfServerName() throws Exception {
		List<String> arguments = new ArrayList<>(bundle("other", second));
		arguments.addAll(List.of("--server.ssl.server-name-bundles[0].server-name=second.test",
				"--server.ssl.server-name-bundles[0].bundle=other"));
		start(arguments.toArray(String[]::new));
		for (int i = 0; i < 2; i++) {
			assertThat(this.clients.servedCertificate()).isEqualTo(first.certificate());
			assertThat(this.clients.servedCertificate("first.test")).isEqualTo(first.certificate());
			assertThat(this.clients.servedCertificate("second.test")).isEqualTo(second.certificate());
			assertThat(contexts()).hasSize(2);
			sessions().endAll();
		}
		awaitCounts("TLSv1.3", 6, 0);
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			this.clients.assertFull(protocol);
			this.clients.assertResumed(protocol);
			List<String> command = List.of("openssl", "s_client", "-connect", "localhost:" + port(), "-servername",
					"second.test", "-ign_eof", protocol, "-sess_in", this.clients.session(protocol));
			TestClients.assertHandshakes(CommandLine.run(TestClients.REQUEST, command), 1, 0);
		}
	}

	@Test
	@EnabledIf("isCurlInstalled")
	void usesBundleOfServerNameOverHttp2() throws Exception {
		List<String> arguments = new ArrayList<>(bundle("other", second));
		arguments.addAll(
				List.of("--server.http2.enabled=true", "--server.ssl.server-name-bundles[0].server-name=second.test",
						"--server.ssl.server-name-bundles[0].bundle=other"));
		start(arguments.toArray(String[]::new));
		for (String name : List.of("first.test", "second.test")) {
			String output = CommandLine.run("",
					List.of("curl", "--silent", "--show-error", "--insecure", "--http2", "--resolve",
							name + ":" + port() + ":127.0.0.1", "--write-out", " %{http_version} %{certs}",
							"https://" + name + ":" + port() + "/"));
			assertThat(output).startsWith("ok 2 ").contains("Subject:CN = " + name);
		}
	}

}
