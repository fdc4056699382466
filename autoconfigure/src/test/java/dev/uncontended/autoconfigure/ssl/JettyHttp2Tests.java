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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for HTTP/2 on Jetty.
 */
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "JETTY, jdk", "JETTY, boringssl" })
class JettyHttp2Tests extends AbstractTlsServerTests {

	JettyHttp2Tests(TestServer server, String engine) {
		super(server, engine);
	}

	/*
	 * Documented: BoringSSL selects HTTP/2, which Jetty then refuses.
	 */
	@Test
	@EnabledIf("isCurlInstalled")
	void forbiddenCipherSuiteIsNotUsedForHttp2() throws Exception {
		start("--server.http2.enabled=true",
				"--spring.ssl.bundle.jks.web.options.ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,TLS_AES_128_GCM_SHA256");
		assertThat(this.clients.curl("--http2", "--tls-max", "1.2"))
			.endsWith(this.engine.equals("jdk") ? "ok 1.1 200" : "0 000");
		assertThat(this.clients.curl("--http2")).isEqualTo("ok 2 200");
	}

}
