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

package dev.uncontended.tls.boringssl;

import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLHandshakeException;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests that BoringSSL selects a protocol and a cipher suite if, and only if, the JDK
 * does.
 */
@Tag("integration")
class CipherSuiteTests {

	private static final String[] PROTOCOLS = { "TLSv1.2", "TLSv1.3", "TLSv1.2,TLSv1.3" };

	private static final String[] CIPHERS = { "TLS_AES_256_GCM_SHA384",
			"TLS_AES_256_GCM_SHA384,TLS_AES_128_GCM_SHA256,TLS_CHACHA20_POLY1305_SHA256",
			"TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256", "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
			"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
			"TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,TLS_AES_256_GCM_SHA384",
			"TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA,TLS_AES_128_GCM_SHA256",
			"TLS_ECDHE_RSA_WITH_AES_128_CBC_SHA,TLS_AES_128_GCM_SHA256" };

	static X509Bundle authority;

	static TestCertificate ec;

	static TestCertificate rsa;

	@BeforeAll
	static void createCertificates() {
		authority = TestCertificate.authority("authority");
		ec = TestCertificate.issuedBy(authority, "EC:secp256r1", "localhost");
		rsa = TestCertificate.issuedBy(authority, "RSA:2048", "localhost");
	}

	static Stream<Arguments> table() {
		return Stream.of("EC", "RSA")
			.flatMap((key) -> Stream.of(CIPHERS)
				.flatMap((ciphers) -> Stream.of(PROTOCOLS)
					.flatMap((protocols) -> Stream.of(PROTOCOLS)
						.map((client) -> arguments(key, ciphers, protocols, client)))));
	}

	@ParameterizedTest
	@MethodSource("table")
	void selectsCipherSuiteLikeJdk(String key, String ciphers, String protocols, String client) throws Exception {
		HandshakeOutcome jdk = handshake(new JdkTlsEngine(TestSessions.cache(), List.of()), key, ciphers, protocols,
				client);
		HandshakeOutcome boringSsl = handshake(boringSsl(), key, ciphers, protocols, client);
		assertThat(boringSsl.completed()).isEqualTo(jdk.completed());
		assertThat(boringSsl.protocol()).isEqualTo(jdk.protocol());
		if (jdk.completed() && jdk.protocol().equals("TLSv1.2")) {
			assertThat(boringSsl.cipherSuite()).isEqualTo(jdk.cipherSuite());
		}
	}

	/*
	 * Documented: BoringSSL cannot disable a single TLS 1.3 cipher suite. Netty logs this
	 * for each native context.
	 */
	@Test
	void tls13RequiresAllItsCipherSuites() throws Exception {
		SSLEngine client = client("TLSv1.3");
		client.setEnabledCipherSuites(new String[] { "TLS_AES_128_GCM_SHA256" });
		SSLEngine server = server(boringSsl(), "EC", "TLS_AES_256_GCM_SHA384", "TLSv1.3");
		assertThat(HandshakeOutcome.of(client, server).cipherSuite()).isEqualTo("TLS_AES_128_GCM_SHA256");
		assertThat(server.getEnabledCipherSuites()).containsExactly("TLS_AES_256_GCM_SHA384");
	}

	@Test
	void handshakeFailsIfNoProtocolHasCipherSuite() throws Exception {
		assertThatExceptionOfType(SSLHandshakeException.class)
			.isThrownBy(() -> server(new JdkTlsEngine(TestSessions.cache(), List.of()), "EC", "TLS_AES_256_GCM_SHA384",
					"TLSv1.2")
				.beginHandshake());
		assertThatExceptionOfType(SSLHandshakeException.class)
			.isThrownBy(() -> server(boringSsl(), "EC", "TLS_AES_256_GCM_SHA384", "TLSv1.2").beginHandshake())
			.withMessageContainingAll("TLSv1.2", "TLS_AES_256_GCM_SHA384");
	}

	private static HandshakeOutcome handshake(TlsEngine engine, String key, String ciphers, String protocols,
			String client) throws Exception {
		return HandshakeOutcome.of(client(client), server(engine, key, ciphers, protocols));
	}

	private static SSLEngine client(String protocols) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, TestCertificate.trustManagers(authority.getCertificate()), null);
		SSLEngine engine = context.createSSLEngine("localhost", 443);
		engine.setEnabledProtocols(protocols.split(","));
		return engine;
	}

	private static SSLEngine server(TlsEngine engine, String key, String ciphers, String protocols) throws Exception {
		SSLEngine server = Contexts.create(engine, (key.equals("EC") ? ec : rsa).keyManagers(), null).createSSLEngine();
		server.setUseClientMode(false);
		server.setEnabledCipherSuites(ciphers.split(","));
		server.setEnabledProtocols(protocols.split(","));
		return server;
	}

	private static TlsEngine boringSsl() {
		return new BoringSslTlsEngine(new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()),
				List.of());
	}

}
