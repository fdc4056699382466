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

import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.function.Consumer;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslStoreBundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SessionBinding} with a JDK client that resumes if possible.
 */
@Tag("integration")
class SessionBindingTests {

	static X509Bundle authority;

	static TestCertificate server;

	static TestCertificate client;

	private final BoringSslSessions sessions = new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys());

	private SSLContext clientContext;

	private SSLEngine lastServer;

	@BeforeAll
	static void createCertificates() {
		authority = TestCertificate.authority("authority");
		server = TestCertificate.issuedBy(authority, "EC:secp256r1", "localhost");
		client = TestCertificate.issuedBy(authority, "EC:secp256r1", "client");
	}

	@BeforeEach
	void createClient() throws Exception {
		this.clientContext = SSLContext.getInstance("TLS");
		this.clientContext.init(client.keyManagers(), TestCertificate.trustManagers(authority.getCertificate()), null);
	}

	@ParameterizedTest
	@CsvSource({ "TLSv1.2, true", "TLSv1.2, false", "TLSv1.3, true", "TLSv1.3, false" })
	void sessionOfOtherTrustManagerDoesNotResume(String protocol, boolean withIssuers) throws Exception {
		SSLContext trusting = context(server.keyManagers(), trustManager(true, withIssuers));
		SSLContext strict = context(server.keyManagers(), trustManager(false, withIssuers));
		assertFull(trusting, protocol, SessionBindingTests::need);
		assertResumed(trusting, protocol, SessionBindingTests::need);
		HandshakeOutcome outcome = connect(strict, protocol, SessionBindingTests::need);
		assertThat(outcome.completed()).isFalse();
		assertThat(outcome.alert()).contains("certificate");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionOfJdkTrustManagerWithSameIssuersResumes(String protocol) throws Exception {
		assertFull(context(server.keyManagers(), TestCertificate.trustManagers(authority.getCertificate())), protocol,
				SessionBindingTests::need);
		assertResumed(context(server.keyManagers(), TestCertificate.trustManagers(authority.getCertificate())),
				protocol, SessionBindingTests::need);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void trustManagerIsIrrelevantWithoutClientAuthentication(String protocol) throws Exception {
		assertFull(context(server.keyManagers(), trustManager(true, false)), protocol, (engine) -> {
		});
		assertResumed(context(server.keyManagers(), trustManager(false, true)), protocol, (engine) -> {
		});
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void sessionOfOtherKeyOfStoreDoesNotResume(String protocol) throws Exception {
		TestCertificate other = TestCertificate.issuedBy(authority, "EC:secp256r1", "other.test",
				TestCertificate.builder().addSanDnsName("localhost"));
		SslStoreBundle store = SslStoreBundle.of(TestCertificate.keyStore(server, other), "changeit", null);
		SSLContext first = context(keyManagers(store, "key0"), (TrustManager[]) null);
		SSLContext second = context(keyManagers(store, "key1"), (TrustManager[]) null);
		assertFull(first, protocol, (engine) -> {
		});
		assertResumed(context(keyManagers(store, "key0"), (TrustManager[]) null), protocol, (engine) -> {
		});
		assertFull(second, protocol, (engine) -> {
		});
	}

	@Test
	void acceptsTrustManagerWithoutIssuers() throws Exception {
		TrustManager manager = trustManager(true, null);
		assertFull(context(server.keyManagers(), manager), "TLSv1.3", (engine) -> {
		});
		assertFull(context(server.keyManagers(), manager), "TLSv1.2", SessionBindingTests::need);
	}

	private static KeyManager[] keyManagers(SslStoreBundle store, String alias) {
		return SslManagerBundle.from(store, SslBundleKey.of("changeit", alias)).getKeyManagers();
	}

	private static TrustManager trustManager(boolean trusts, boolean withIssuers) throws Exception {
		return trustManager(trusts,
				withIssuers ? new X509Certificate[] { authority.getCertificate() } : new X509Certificate[0]);
	}

	/*
	 * Returns a trust manager with its own rule.
	 */
	private static TrustManager trustManager(boolean trusts, X509Certificate[] issuers) throws Exception {
		X509ExtendedTrustManager manager = mock(X509ExtendedTrustManager.class);
		given(manager.getAcceptedIssuers()).willReturn(issuers);
		if (!trusts) {
			willThrow(new CertificateException("refused")).given(manager)
				.checkClientTrusted(any(), any(), any(SSLEngine.class));
		}
		return manager;
	}

	private SSLContext context(KeyManager[] keyManagers, TrustManager... trustManagers) throws Exception {
		return Contexts.create(new BoringSslTlsEngine(this.sessions, List.of()).forHost("host"), keyManagers,
				trustManagers);
	}

	private static void need(SSLEngine engine) {
		engine.setNeedClientAuth(true);
	}

	private HandshakeOutcome connect(SSLContext context, String protocol, Consumer<SSLEngine> settings)
			throws Exception {
		SSLEngine engine = this.clientContext.createSSLEngine("localhost", 443);
		engine.setEnabledProtocols(new String[] { protocol });
		this.lastServer = context.createSSLEngine();
		settings.accept(this.lastServer);
		return HandshakeOutcome.of(engine, this.lastServer);
	}

	private void assertFull(SSLContext context, String protocol, Consumer<SSLEngine> settings) throws Exception {
		assertThat(connect(context, protocol, settings).completed()).isTrue();
		assertThat(((BoringSslEngine) this.lastServer).isResumed()).isFalse();
	}

	private void assertResumed(SSLContext context, String protocol, Consumer<SSLEngine> settings) throws Exception {
		assertThat(connect(context, protocol, settings).completed()).isTrue();
		assertThat(((BoringSslEngine) this.lastServer).isResumed()).isTrue();
	}

}
