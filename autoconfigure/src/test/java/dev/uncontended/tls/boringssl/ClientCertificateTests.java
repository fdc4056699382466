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

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyManagementException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verifyNoInteractions;

/**
 * Tests that BoringSSL accepts the client certificates that the JDK accepts.
 */
@Tag("integration")
class ClientCertificateTests {

	private static final String[] PROTOCOLS = { "TLSv1.2", "TLSv1.3" };

	/**
	 * Keys for which BoringSSL does not request signatures. The JDK's client fails with
	 * P-521, and sends no certificate with the others.
	 */
	private static final Set<String> KEYS_OF_THE_JDK_ONLY = Set.of("EC:secp521r1", "Ed25519", "RSASSA-PSS:2048");

	static final Map<String, TestCertificate> certificates = new LinkedHashMap<>();

	static X509Bundle authority;

	static X509Bundle rsaAuthority;

	static TestCertificate server;

	@BeforeAll
	static void createCertificates() throws Exception {
		authority = TestCertificate.authority("authority");
		rsaAuthority = TestCertificate.authority("rsa-authority", Algorithm.rsa2048);
		server = TestCertificate.issuedBy(authority, "EC:secp256r1", "localhost");
		for (String keyType : new String[] { "RSA:1024", "RSA:2048", "EC:secp256r1", "EC:secp384r1", "EC:secp521r1",
				"Ed25519", "RSASSA-PSS:2048" }) {
			certificates.put(keyType, TestCertificate.issuedBy(authority, keyType, "client"));
		}
		for (String signature : new String[] { "MD5withRSA", "SHA1withRSA" }) {
			certificates.put(signature,
					TestCertificate.issuedBy(rsaAuthority, "RSA:2048", "client").signedAgain(rsaAuthority, signature));
		}
		certificates.put("RSA:768", TestCertificate.issuedBy(authority, "RSA:768", "client"));
		Instant now = Instant.now();
		certificates.put("expired", TestCertificate.issuedBy(authority, "EC:secp256r1", "client",
				TestCertificate.builder().notAfter(now.minus(1, ChronoUnit.DAYS))));
		certificates.put("not yet valid", TestCertificate.issuedBy(authority, "EC:secp256r1", "client",
				TestCertificate.builder().notBefore(now.plus(10, ChronoUnit.DAYS))));
		certificates.put("wrong authority",
				TestCertificate.issuedBy(TestCertificate.authority("other"), "EC:secp256r1", "client"));
		X509Bundle intermediate = TestCertificate.builder()
			.subject("CN=intermediate")
			.setIsCertificateAuthority(true)
			.ecp256()
			.buildIssuedBy(authority);
		TestCertificate below = TestCertificate.issuedBy(intermediate, "EC:secp256r1", "client");
		certificates.put("intermediate", below);
		certificates.put("signed by Ed25519",
				TestCertificate.issuedBy(TestCertificate.builder()
					.subject("CN=ed25519")
					.setIsCertificateAuthority(true)
					.algorithm(Algorithm.ed25519)
					.buildIssuedBy(authority), "EC:secp256r1", "client"));
		certificates.put("intermediate missing", below.withoutIntermediates());
		certificates.put("for clients", TestCertificate.issuedBy(authority, "EC:secp256r1", "client",
				TestCertificate.builder().addExtendedKeyUsageClientAuth()));
		certificates.put("for servers", TestCertificate.issuedBy(authority, "EC:secp256r1", "client",
				TestCertificate.builder().addExtendedKeyUsageServerAuth()));
	}

	static Stream<Arguments> table() {
		return Stream.of(PROTOCOLS)
			.flatMap((protocol) -> Stream.of("need", "want")
				.flatMap((mode) -> certificates.keySet().stream().map((name) -> arguments(protocol, mode, name))));
	}

	@ParameterizedTest
	@MethodSource("table")
	void verifiesCertificatesLikeJdk(String protocol, String mode, String name) throws Exception {
		TrustManager[] trust = TestCertificate.trustManagers(authority.getCertificate(), rsaAuthority.getCertificate());
		HandshakeOutcome jdk = handshake(new JdkTlsEngine(TestSessions.cache(), List.of()), trust, protocol, mode,
				name);
		HandshakeOutcome boringSsl = handshake(boringSsl(), trust, protocol, mode, name);
		if (KEYS_OF_THE_JDK_ONLY.contains(name)) {
			assertThat(jdk.client()).isEqualTo("CN=client");
			assertThat(boringSsl.client()).isNull();
			assertThat(boringSsl.completed()).isEqualTo(mode.equals("want") && !name.equals("EC:secp521r1"));
		}
		else {
			assertThat(boringSsl).usingRecursiveComparison().comparingOnlyFields("completed", "client").isEqualTo(jdk);
		}
	}

	/*
	 * Documented. The JDK's client fails with both protocols.
	 */
	@ParameterizedTest
	@CsvSource({ "-tls1_2, true", "-tls1_3, false" })
	@EnabledIf("isOpenSslInstalled")
	void acceptsP521OfOpenSslWithTls12Only(String protocol, boolean accepted, @TempDir Path directory)
			throws Exception {
		TestCertificate client = certificates.get("EC:secp521r1");
		Path pem = Files.writeString(directory.resolve("client.pem"),
				pem("PRIVATE KEY", client.key().getEncoded()) + pem("CERTIFICATE", client.chain()[0].getEncoded()));
		SSLContext context = Contexts.create(boringSsl(), server.keyManagers(),
				TestCertificate.trustManagers(authority.getCertificate()));
		try (SslServer socket = new SslServer(() -> {
			SSLEngine engine = context.createSSLEngine();
			engine.setNeedClientAuth(true);
			return engine;
		})) {
			CommandLine.openSslClient(socket.port(), "x", "-ign_eof", protocol, "-cert", pem.toString(), "-key",
					pem.toString());
			assertThat(socket.full()).isEqualTo(accepted ? 1 : 0);
			assertThat(socket.failed()).isEqualTo(accepted ? 0 : 1);
		}
	}

	private static String pem(String label, byte[] content) {
		return "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(label,
				Base64.getMimeEncoder().encodeToString(content), label);
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

	/*
	 * Documented: BoringSSL passes the server's engine to the trust manager.
	 */
	@Test
	void rejectsTrustManagerWithoutEngine() throws Exception {
		TrustManager[] plain = { mock(X509TrustManager.class) };
		assertThatExceptionOfType(KeyManagementException.class)
			.isThrownBy(() -> boringSsl().createContext("TLS", server.keyManagers(), plain, null))
			.withMessageContaining("X509ExtendedTrustManager");
	}

	private static TlsEngine boringSsl() {
		return new BoringSslTlsEngine(new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()),
				List.of());
	}

	private static HandshakeOutcome handshake(TlsEngine engine, TrustManager[] trust, String protocol, String mode,
			String name) throws Exception {
		SSLEngine serverEngine = Contexts.create(engine, server.keyManagers(), trust).createSSLEngine();
		if (mode.equals("need")) {
			serverEngine.setNeedClientAuth(true);
		}
		else {
			serverEngine.setWantClientAuth(true);
		}
		SSLContext client = SSLContext.getInstance("TLS");
		client.init(certificates.get(name).keyManagers(), TestCertificate.trustManagers(authority.getCertificate()),
				null);
		SSLEngine clientEngine = client.createSSLEngine("localhost", 443);
		clientEngine.setEnabledProtocols(new String[] { protocol });
		return HandshakeOutcome.of(clientEngine, serverEngine);
	}

	@Test
	void contextThatCannotBeBuiltFailsWhenHandshakesBegin() throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class);
		given(trust.getAcceptedIssuers()).willThrow(new IllegalStateException("of the test"));
		SSLContext context = context(trust);
		SSLEngine unused = context.createSSLEngine();
		unused.setNeedClientAuth(true);
		assertThatExceptionOfType(SSLException.class).isThrownBy(unused::beginHandshake)
			.withMessageContaining("Failed to create a BoringSSL context");
		SSLEngine engine = context.createSSLEngine();
		engine.setNeedClientAuth(true);
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> engine.unwrap(ByteBuffer.allocate(10), ByteBuffer.allocate(20_000)))
			.withMessageContaining("Failed to create a BoringSSL context");
	}

	@Test
	void trustedCertificatesAreNotReadWithoutClientAuthentication() throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class);
		context(trust).createSSLEngine().beginHandshake();
		verifyNoInteractions(trust);
	}

	private static SSLContext context(X509ExtendedTrustManager trust) throws Exception {
		TestCertificate certificate = TestCertificate.issuedBy(TestCertificate.authority("authority"), "EC:secp256r1",
				"localhost");
		TlsEngine engine = new BoringSslTlsEngine(
				new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()), List.of());
		return Contexts.create(engine, certificate.keyManagers(), new TrustManager[] { trust });
	}

}
