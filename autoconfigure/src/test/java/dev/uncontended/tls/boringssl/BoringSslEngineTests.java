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
import java.nio.file.Path;
import java.security.AlgorithmConstraints;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;

import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.internal.tcnative.SSL;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link BoringSslEngine} against the JDK's client.
 */
class BoringSslEngineTests {

	@TempDir
	static Path directory;

	static TestKeyStore server;

	static TestKeyStore client;

	private final SessionTokens cache = TestSessions.cache();

	private final TestTicketKeys keys = new TestTicketKeys();

	private final SSLContext context = context(server, client);

	@BeforeAll
	static void createKeyStores() {
		server = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
		client = TestKeyStore.create(directory.resolve("client.p12"), "client.test");
	}

	private SSLContext context(TestKeyStore key, TestKeyStore... trusted) {
		return Contexts.create("host", new BoringSslSessions(this.cache, this.keys.keys()), key, trusted);
	}

	private EnginePair pair(SSLParameters clientParameters) {
		EnginePair pair = new EnginePair(client.sslContext(server).createSSLEngine("localhost", 443),
				this.context.createSSLEngine());
		pair.client().setSSLParameters(clientParameters);
		return pair;
	}

	private static SSLParameters protocols(String... protocols) {
		SSLParameters parameters = new SSLParameters();
		parameters.setProtocols(protocols);
		return parameters;
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void exchangesDataWithJdkClient(String protocol) throws Exception {
		EnginePair pair = pair(protocols(protocol)).handshake();
		assertThat(pair.toServer("hello")).isEqualTo("hello");
		assertThat(pair.toClient("world")).isEqualTo("world");
		String large = "x".repeat(50_000);
		assertThat(pair.toServer(large)).isEqualTo(large);
		assertThat(pair.toClient(large)).isEqualTo(large);
		assertThat(pair.server().getSession().getProtocol()).isEqualTo(protocol);
		assertThat(pair.server().getSession().getCipherSuite()).isEqualTo(pair.client().getSession().getCipherSuite());
	}

	@Test
	void rejectsClientMode() {
		assertThatExceptionOfType(UnsupportedOperationException.class)
			.isThrownBy(() -> this.context.createSSLEngine().setUseClientMode(true));
	}

	@Test
	void waitsForClientAfterHandshakeHasBegun() throws Exception {
		SSLEngine engine = this.context.createSSLEngine();
		assertThat(engine.getHandshakeStatus()).isEqualTo(HandshakeStatus.NOT_HANDSHAKING);
		engine.beginHandshake();
		assertThat(engine.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
	}

	@Test
	void hasNoCipherSuiteBeforeHandshake() {
		SSLSession session = this.context.createSSLEngine().getSession();
		assertThat(session.getCipherSuite()).isEqualTo("SSL_NULL_WITH_NULL_NULL");
		assertThat(session.getProtocol()).isEqualTo("NONE");
		assertThat(session.getId()).isEmpty();
		assertThat(session.isValid()).isFalse();
		assertThat(session.getPacketBufferSize()).isGreaterThan(16_384);
		assertThat(session.getApplicationBufferSize()).isBetween(16_384 + 256, 16_921);
		assertThatExceptionOfType(SSLPeerUnverifiedException.class).isThrownBy(session::getPeerCertificates);
	}

	@Test
	void sessionStoresValuesFromStartOfHandshake() throws Exception {
		EnginePair pair = pair(new SSLParameters());
		pair.server().getSession().putValue("before", "value");
		SSLSession session = pair.handshake().server().getSession();
		session.putValue("name", "value");
		assertThat(session.getValueNames()).containsExactly("name");
		session.removeValue("name");
		assertThat(session.getValue("name")).isNull();
		assertThat(this.context.createSSLEngine().getSession().getValue("before")).isNull();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void hasSessionIdLikeJdk(String protocol) throws Exception {
		SSLSession first = pair(protocols(protocol)).handshake().server().getSession();
		SSLSession second = pair(protocols(protocol)).handshake().server().getSession();
		assertThat(first.getId()).hasSize(32).isEqualTo(first.getId()).isNotEqualTo(second.getId());
	}

	@ParameterizedTest
	@CsvSource({ "h2, h2", "'spdy,http/1.1,h2', h2", "ftp, ''", ", ''" })
	void selectsApplicationProtocolFromListOfServer(String offered, String selected) throws Exception {
		SSLParameters parameters = new SSLParameters();
		if (offered != null) {
			parameters.setApplicationProtocols(offered.split(","));
		}
		EnginePair pair = pair(parameters);
		SSLParameters supported = pair.server().getSSLParameters();
		supported.setApplicationProtocols(new String[] { "h2", "http/1.1" });
		pair.server().setSSLParameters(supported);
		pair.server().setHandshakeApplicationProtocolSelector((engine, protocols) -> {
			throw new IllegalStateException("called");
		});
		assertThat(pair.server().getApplicationProtocol()).isNull();
		pair.handshake();
		assertThat(pair.server().getApplicationProtocol()).isEqualTo(selected);
		assertThat(pair.client().getApplicationProtocol()).isEqualTo(selected);
	}

	@Test
	void needsMoreUntilClientHelloIsComplete() throws Exception {
		EnginePair pair = pair(new SSLParameters());
		ByteBuffer hello = ByteBuffer.allocate(20_000);
		pair.client().beginHandshake();
		pair.client().wrap(ByteBuffer.allocate(0), hello);
		hello.flip();
		ByteBuffer in = ByteBuffer.allocate(20_000);
		for (int i = 0; i < hello.limit(); i++) {
			SSLEngineResult result = pair.server().unwrap(hello.duplicate().limit(i), in);
			assertThat(result.getStatus()).isEqualTo(Status.BUFFER_UNDERFLOW);
			assertThat(result.getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_UNWRAP);
		}
		assertThat(pair.server().unwrap(hello, in).bytesConsumed()).isEqualTo(hello.limit());
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, want", "TLSv1.2, need", "TLSv1.3, want", "TLSv1.3, need" })
	void authenticatesClient(String protocol, String mode) throws Exception {
		EnginePair pair = pair(protocols(protocol));
		demandCertificate(pair.server(), mode);
		pair.handshake();
		assertThat(pair.server().getSession().getPeerCertificates()).containsExactly(client.certificate());
		assertThat(pair.server().getSession().getPeerPrincipal().getName()).contains("client.test");
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, want", "TLSv1.3, want" })
	void acceptsClientWithoutCertificateIfOptional(String protocol, String mode) throws Exception {
		EnginePair pair = new EnginePair(trustOnly(), this.context.createSSLEngine());
		pair.client().setSSLParameters(protocols(protocol));
		demandCertificate(pair.server(), mode);
		pair.handshake();
		assertThatExceptionOfType(SSLPeerUnverifiedException.class)
			.isThrownBy(() -> pair.server().getSession().getPeerCertificates());
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void rejectsClientWithoutCertificateIfRequired(String protocol) throws Exception {
		EnginePair pair = new EnginePair(trustOnly(), this.context.createSSLEngine());
		pair.client().setSSLParameters(protocols(protocol));
		demandCertificate(pair.server(), "need");
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair::handshake);
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, want", "TLSv1.2, need", "TLSv1.3, want", "TLSv1.3, need" })
	void rejectsUntrustedCertificate(String protocol, String mode) throws Exception {
		SSLContext strict = context(server, server);
		EnginePair pair = new EnginePair(client.sslContext(server).createSSLEngine(), strict.createSSLEngine());
		// The JDK's client only sends a certificate whose issuer the server accepts.
		pair.client().setSSLParameters(protocols(protocol));
		demandCertificate(pair.server(), "need");
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair::handshake);
	}

	private static SSLEngine trustOnly() throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(null, Contexts.trustManagers(server), null);
		return context.createSSLEngine("localhost", 443);
	}

	private static void demandCertificate(SSLEngine engine, String mode) {
		SSLParameters parameters = engine.getSSLParameters();
		if (mode.equals("need")) {
			parameters.setNeedClientAuth(true);
		}
		else {
			parameters.setWantClientAuth(true);
		}
		engine.setSSLParameters(parameters);
	}

	@Test
	void usesEnabledCipherSuitesAndProtocols() throws Exception {
		EnginePair pair = pair(protocols("TLSv1.2", "TLSv1.3"));
		pair.server().setEnabledProtocols(new String[] { "TLSv1.2" });
		pair.server().setEnabledCipherSuites(new String[] { "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256" });
		pair.handshake();
		assertThat(pair.server().getSession().getProtocol()).isEqualTo("TLSv1.2");
		assertThat(pair.server().getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
	}

	@Test
	void omitsCipherSuitesOnlySupportedByJdk() {
		SSLEngine engine = this.context.createSSLEngine();
		engine.setEnabledCipherSuites(
				new String[] { "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384", "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384" });
		assertThat(engine.getEnabledCipherSuites()).containsExactly("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> engine.setEnabledCipherSuites(new String[] { "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384" }))
			.withMessageContaining("TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384");
	}

	@Test
	void rejectsNamesUnknownToJdk() {
		SSLEngine engine = this.context.createSSLEngine();
		assertThatIllegalArgumentException().isThrownBy(() -> engine.setEnabledCipherSuites(new String[] { "ROT13" }))
			.withMessageContaining("ROT13");
		assertThatIllegalArgumentException().isThrownBy(() -> engine.setEnabledProtocols(new String[] { "TLSv9" }))
			.withMessageContaining("TLSv9");
	}

	@Test
	void supportsNothingDisabledInJdk() {
		assertThat(this.context.getSupportedSSLParameters().getProtocols()).containsExactlyInAnyOrder("TLSv1.2",
				"TLSv1.3");
		assertThat(this.context.getSupportedSSLParameters().getCipherSuites())
			.noneMatch((suite) -> suite.contains("3DES"))
			.contains("TLS_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");
		assertThat(this.context.getDefaultSSLParameters().getCipherSuites()).startsWith("TLS_AES_256_GCM_SHA384");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_20)
	void ignoresUnknownGroups() throws Exception {
		EnginePair pair = pair(new SSLParameters());
		SSLParameters parameters = pair.server().getSSLParameters();
		SSLParameters.class.getMethod("setNamedGroups", String[].class)
			.invoke(parameters, (Object) new String[] { "x448", "ffdhe2048", "secp256r1" });
		pair.server().setSSLParameters(parameters);
		pair.handshake();
		assertThat(pair.toServer("hello")).isEqualTo("hello");
	}

	/*
	 * Other groups would be against the settings.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	@EnabledForJreRange(min = JRE.JAVA_20)
	void refusesClientsIfAllConfiguredGroupsAreUnknown(String protocol) throws Exception {
		EnginePair pair = pair(protocols(protocol));
		SSLParameters parameters = pair.server().getSSLParameters();
		SSLParameters.class.getMethod("setNamedGroups", String[].class)
			.invoke(parameters, (Object) new String[] { "x448" });
		pair.server().setSSLParameters(parameters);
		assertThatExceptionOfType(SSLHandshakeException.class).isThrownBy(pair::handshake)
			.satisfies((failure) -> assertThat(Reason.of(failure)).isEqualTo(Reason.CIPHER));
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair::step).withMessageContaining("handshake_failure");
	}

	@Test
	void rejectsAlgorithmConstraints() {
		SSLEngine engine = this.context.createSSLEngine();
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setAlgorithmConstraints(mock(AlgorithmConstraints.class));
		assertThatIllegalArgumentException().isThrownBy(() -> engine.setSSLParameters(parameters))
			.withMessageContaining("algorithm constraints");
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_19)
	void rejectsSignatureSchemes() throws Exception {
		SSLEngine engine = this.context.createSSLEngine();
		SSLParameters parameters = engine.getSSLParameters();
		SSLParameters.class.getMethod("setSignatureSchemes", String[].class)
			.invoke(parameters, (Object) new String[] { "ed25519" });
		assertThatIllegalArgumentException().isThrownBy(() -> engine.setSSLParameters(parameters))
			.withMessageContaining("ed25519");
	}

	@Test
	void missingCipherSuiteHasReasonOfJdk() {
		SSLParameters offered = protocols("TLSv1.2");
		offered.setCipherSuites(new String[] { "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256" });
		assertThat(Reason.of(failure(offered))).isEqualTo(Reason.CIPHER);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	@EnabledForJreRange(min = JRE.JAVA_20)
	void missingGroupHasReasonOfJdk(String protocol) throws Exception {
		SSLParameters offered = protocols(protocol);
		SSLParameters.class.getMethod("setNamedGroups", String[].class)
			.invoke(offered, (Object) new String[] { "ffdhe2048" });
		assertThat(Reason.of(failure(offered))).isEqualTo(Reason.CIPHER);
	}

	/*
	 * The server sends an alert, and fails afterwards.
	 */
	private SSLException failure(SSLParameters offered) {
		EnginePair pair = pair(offered);
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair::handshake)
			.withMessageContaining("handshake_failure");
		return catchThrowableOfType(SSLException.class,
				() -> pair.server().wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(100)));
	}

	@Test
	void exposesAndMatchesRequestedServerName() throws Exception {
		SSLParameters named = new SSLParameters();
		named.setServerNames(List.of(new SNIHostName("server.test")));
		EnginePair pair = pair(named);
		SSLParameters parameters = pair.server().getSSLParameters();
		parameters.setSNIMatchers(List.of(SNIHostName.createSNIMatcher("server\\.test")));
		pair.server().setSSLParameters(parameters);
		ExtendedSSLSession session = (ExtendedSSLSession) pair.handshake().server().getSession();
		assertThat(session.getRequestedServerNames()).containsExactly(new SNIHostName("server.test"));
	}

	@Test
	void sendsTicketsBeforeApplicationData() throws Exception {
		SSLContext clients = client.sslContext(server);
		for (boolean resumed : new boolean[] { false, true }) {
			BoringSslEngine engine = (BoringSslEngine) this.context.createSSLEngine();
			new EnginePair(clients.createSSLEngine("localhost", 443), engine).handshake();
			assertThat(engine.isResumed()).isEqualTo(resumed);
		}
	}

	/**
	 * The JDK's client sends its certificate and its Finished message in one record.
	 */
	@Test
	void sessionEndsWithCertificateInRecordOfFinishedMessage() throws Exception {
		TestKeyStore hour = TestKeyStore.create(directory.resolve("hour.p12"), "client.test",
				(certificate) -> certificate.ecp256().notAfter(Instant.now().plusSeconds(3600)));
		EnginePair pair = new EnginePair(hour.sslContext(server).createSSLEngine("localhost", 443),
				context(server, hour).createSSLEngine());
		demandCertificate(pair.server(), "need");
		pair.handshake();
		// The other two are ClientHello and change_cipher_spec.
		assertThat(pair.recordsOfClient()).isEqualTo(3);
		long ssl = ((ReferenceCountedOpenSslEngine) ReflectionTestUtils.getField(pair.server(), "delegate"))
			.sslPointer();
		assertThat(SSL.getTimeout(ssl)).isBetween(3500L, 3600L);
	}

	/**
	 * Tomcat does not call the engine again if unwrap returns a result.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void unwrapFailsForBadRecord(String protocol) throws Exception {
		EnginePair pair = pair(protocols(protocol)).handshake();
		ByteBuffer record = ByteBuffer.allocate(20_000);
		pair.client().wrap(ByteBuffer.allocate(10), record);
		record.flip();
		record.put(record.limit() - 1, (byte) ~record.get(record.limit() - 1));
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> pair.server().unwrap(record, ByteBuffer.allocate(20_000)));
		assertThat(pair.server().getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_WRAP);
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair::step).withMessageContaining("bad_record_mac");
		assertThat(pair.server().isOutboundDone()).isTrue();
	}

	@Test
	void doesNotRenegotiate() throws Exception {
		EnginePair pair = pair(protocols("TLSv1.2")).handshake();
		assertThatExceptionOfType(SSLException.class).isThrownBy(pair.server()::beginHandshake);
	}

	@Test
	void sendsCloseNotify() throws Exception {
		EnginePair pair = pair(new SSLParameters()).handshake();
		pair.client().closeOutbound();
		pair.step();
		assertThat(pair.server().isInboundDone()).isTrue();
		pair.step();
		assertThat(pair.server().isOutboundDone()).isTrue();
		assertThat(pair.client().isInboundDone()).isTrue();
	}

	@Test
	void canBeClosedBeforeHandshake() throws Exception {
		SSLEngine engine = this.context.createSSLEngine();
		engine.closeOutbound();
		assertThat(engine.wrap(ByteBuffer.allocate(0), ByteBuffer.allocate(100)).getStatus()).isEqualTo(Status.CLOSED);
		engine.closeInbound();
		assertThat(engine.isInboundDone()).isTrue();
		assertThat(engine.isOutboundDone()).isTrue();
		assertThat(engine.unwrap(ByteBuffer.allocate(10), ByteBuffer.allocate(100)).getStatus())
			.isEqualTo(Status.CLOSED);
	}

	@Test
	void endOfInputDuringHandshakeIsTruncation() throws Exception {
		SSLEngine engine = this.context.createSSLEngine();
		engine.beginHandshake();
		assertThatExceptionOfType(SSLException.class).isThrownBy(engine::closeInbound);
		assertThat(engine.isOutboundDone()).isTrue();
	}

	@Test
	void copiesParameters() {
		SSLEngine engine = this.context.createSSLEngine();
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setNeedClientAuth(true);
		parameters.setApplicationProtocols(new String[] { "h2" });
		parameters.setProtocols(new String[] { "TLSv1.3" });
		parameters.setUseCipherSuitesOrder(false);
		engine.setSSLParameters(parameters);
		SSLEngine other = this.context.createSSLEngine();
		other.setSSLParameters(engine.getSSLParameters());
		assertThat(other.getNeedClientAuth()).isTrue();
		assertThat(other.getEnabledProtocols()).containsExactly("TLSv1.3");
		assertThat(other.getSSLParameters().getApplicationProtocols()).containsExactly("h2");
		assertThat(other.getSSLParameters().getUseCipherSuitesOrder()).isFalse();
		assertThat(Arrays.asList(other.getEnabledCipherSuites()))
			.isEqualTo(Arrays.asList(engine.getEnabledCipherSuites()));
	}

}
