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

import javax.net.ssl.SSLSocket;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the TLS attributes of servlet requests.
 */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "TOMCAT, jdk", "TOMCAT, boringssl", "JETTY, jdk", "JETTY, boringssl" })
class ServletAttributeTests extends AbstractTlsServerTests {

	ServletAttributeTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void servletAttributesAreEqualWithBothEngines() throws Exception {
		start("--server.ssl.client-auth=want");
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			try (SSLSocket socket = this.clients.connect(first.sslContext(protocol, first))) {
				String suite = socket.getSession().getCipherSuite();
				int keySize = suite.contains("AES_128") ? 128 : 256;
				String attributes = TestClients.exchange(socket, "/attributes");
				assertThat(attributes).isEqualTo(suite + " " + keySize + " 64 CN=first.test");
			}
		}
	}

}
