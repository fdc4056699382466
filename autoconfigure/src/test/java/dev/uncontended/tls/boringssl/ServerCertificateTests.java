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

import java.security.KeyManagementException;
import java.security.PrivateKey;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests that BoringSSL supports each kind of certificate that the JDK supports.
 */
@Tag("integration")
class ServerCertificateTests {

	static X509Bundle authority;

	@BeforeAll
	static void createAuthority() {
		authority = TestCertificate.authority("authority");
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, RSA:2048", "TLSv1.3, RSA:2048", "TLSv1.2, EC:secp256r1", "TLSv1.3, EC:secp256r1",
			"TLSv1.2, EC:secp384r1", "TLSv1.3, EC:secp384r1", "TLSv1.2, EC:secp521r1", "TLSv1.3, EC:secp521r1",
			"TLSv1.2, Ed25519", "TLSv1.3, Ed25519" })
	void selectsCertificateLikeJdk(String protocol, String keyType) throws Exception {
		TestCertificate certificate = TestCertificate.issuedBy(authority, keyType, "localhost");
		HandshakeOutcome jdk = handshake(new JdkTlsEngine(TestSessions.cache(), List.of()), protocol, certificate);
		assertThat(jdk.completed()).isTrue();
		assertThat(handshake(boringSsl(), protocol, certificate)).usingRecursiveComparison()
			.comparingOnlyFields("completed", "protocol", "server")
			.isEqualTo(jdk);
	}

	/*
	 * Documented: BoringSSL does not support these keys.
	 */
	@ParameterizedTest
	@CsvSource({ "RSASSA-PSS:2048, RSASSA-PSS", "Ed448, EdDSA" })
	void contextFailsIfAllKeysAreUnsupported(String keyType, String name) throws Exception {
		TestCertificate certificate = TestCertificate.issuedBy(authority, keyType, "localhost");
		assertThat(handshake(new JdkTlsEngine(TestSessions.cache(), List.of()), "TLSv1.3", certificate).completed())
			.isTrue();
		assertThatExceptionOfType(KeyManagementException.class)
			.isThrownBy(() -> boringSsl().createContext("TLS", certificate.keyManagers(), null, null))
			.withMessageContaining(name);
	}

	/*
	 * Like keys in hardware.
	 */
	@Test
	void contextFailsIfKeyCannotBeExported() {
		TestCertificate certificate = TestCertificate.issuedBy(authority, "EC:secp256r1", "localhost");
		PrivateKey key = mock(PrivateKey.class);
		given(key.getAlgorithm()).willReturn("EC");
		KeyManager[] keys = { new FixedKeyManager(key, certificate.chain()) };
		assertThatExceptionOfType(KeyManagementException.class)
			.isThrownBy(() -> boringSsl().createContext("TLS", keys, null, null))
			.withMessageContaining("cannot be exported");
	}

	@Test
	void skipsUnsupportedKey() throws Exception {
		TestCertificate rsa = TestCertificate.issuedBy(authority, "RSA:2048", "localhost");
		KeyManager[] keys = keyManagers(TestCertificate.issuedBy(authority, "RSASSA-PSS:2048", "localhost"), rsa);
		assertThat(handshake(boringSsl(), "TLSv1.3", keys).server()).isEqualTo(rsa.chain()[0]);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void acceptsKeyManagerThatDoesNotListAliases(String protocol) throws Exception {
		X509ExtendedKeyManager keys = mock(X509ExtendedKeyManager.class, delegatesTo(keyManagers()[0]));
		willThrow(new UnsupportedOperationException("of the test")).given(keys).getServerAliases(any(), any());
		assertThat(handshake(boringSsl(), protocol, new KeyManager[] { keys }).completed()).isTrue();
	}

	@ParameterizedTest
	@CsvSource({ "rsa_pss_rsae_sha256, RSA", "ecdsa_secp256r1_sha256, EC" })
	void selectsKeySupportedByClient(String scheme, String keyType) throws Exception {
		try (SslServer server = new SslServer(Contexts.create(boringSsl(), keyManagers(), null)::createSSLEngine)) {
			String output = CommandLine.openSslClient(server.port(), "x", "-ign_eof", "-tls1_3", "-sigalgs", scheme);
			assertThat(output)
				.contains(keyType.equals("RSA") ? "Peer signature type: RSA-PSS" : "Peer signature type: ECDSA");
		}
	}

	private static KeyManager[] keyManagers() throws Exception {
		return keyManagers(TestCertificate.issuedBy(authority, "RSA:2048", "localhost"),
				TestCertificate.issuedBy(authority, "EC:secp256r1", "localhost"));
	}

	private static KeyManager[] keyManagers(TestCertificate... certificates) throws Exception {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(TestCertificate.keyStore(certificates), "changeit".toCharArray());
		return keys.getKeyManagers();
	}

	private static HandshakeOutcome handshake(TlsEngine engine, String protocol, TestCertificate certificate)
			throws Exception {
		return handshake(engine, protocol, certificate.keyManagers());
	}

	private static HandshakeOutcome handshake(TlsEngine engine, String protocol, KeyManager[] keys) throws Exception {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, TestCertificate.trustManagers(authority.getCertificate()), null);
		SSLEngine client = context.createSSLEngine("localhost", 443);
		client.setEnabledProtocols(new String[] { protocol });
		return HandshakeOutcome.of(client, Contexts.create(engine, keys, null).createSSLEngine());
	}

	private static TlsEngine boringSsl() {
		return new BoringSslTlsEngine(new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()),
				List.of());
	}

}
