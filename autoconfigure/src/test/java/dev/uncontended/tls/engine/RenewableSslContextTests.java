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

package dev.uncontended.tls.engine;

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link RenewableSslContext}.
 */
class RenewableSslContextTests {

	private static final TlsServerId SERVER = new TlsServerId("test", TlsServerId.Context.APPLICATION);

	private final SessionTokens sessions = new SessionTokens(100, Duration.ofMinutes(10), System::nanoTime);

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final RecordingEngine implementation = new RecordingEngine(this.sessions);

	private final RenewableSslContext context = new RenewableSslContext(this.implementation, "TLS", SERVER,
			this.handshakes);

	@Test
	void keepsContextUntilRenewal() throws Exception {
		initialize();
		TlsEngine.Context before = this.context.current();
		assertThat(this.context.current()).isSameAs(before);
		this.implementation.ends++;
		assertThat(this.context.current()).isNotSameAs(before).isSameAs(this.context.current());
	}

	@Test
	void threadsThatRenewAtOnceUseOneContextWithoutWaiting() throws Exception {
		initialize();
		this.implementation.ends++;
		List<TlsEngine.Context> meanwhile = new ArrayList<>();
		this.implementation.created = () -> {
			this.implementation.created = () -> {
			};
			meanwhile.add(CompletableFuture.supplyAsync(this.context::current).orTimeout(10, TimeUnit.SECONDS).join());
		};
		assertThat(this.context.current()).isSameAs(this.context.current());
		assertThat(meanwhile).containsExactly(this.context.current());
	}

	@Test
	void renewsFromManagersInMemory() throws Exception {
		KeyManager[] keyManagers = {};
		TrustManager[] trustManagers = {};
		SecureRandom random = new SecureRandom();
		this.context.engineInit(keyManagers, trustManagers, random);
		this.implementation.ends++;
		this.context.current();
		assertThat(this.implementation.arguments).hasSize(2).allSatisfy((arguments) -> {
			assertThat(arguments.protocol()).isEqualTo("TLS");
			assertThat(arguments.keyManagers()).isSameAs(keyManagers);
			assertThat(arguments.trustManagers()).isSameAs(trustManagers);
			assertThat(arguments.random()).isSameAs(random);
		});
	}

	@Test
	void doesNotUseOldContextAfterFailedRenewal() throws Exception {
		initialize();
		this.implementation.ends++;
		this.implementation.failure = new GeneralSecurityException("broken");
		assertThatIllegalStateException().isThrownBy(this.context::engineCreateSSLEngine)
			.withMessage("Failed to create an SSL context for test")
			.withCause(this.implementation.failure);
	}

	@Test
	void nextConnectionRetriesFailedRenewal() throws Exception {
		initialize();
		TlsEngine.Context before = this.context.current();
		this.implementation.ends++;
		this.implementation.failure = new GeneralSecurityException("broken");
		assertThatIllegalStateException().isThrownBy(this.context::current);
		this.implementation.failure = null;
		assertThat(this.context.current()).isNotSameAs(before).isSameAs(this.context.current());
	}

	@Test
	void mustBeInitialized() {
		assertThatIllegalStateException().isThrownBy(this.context::engineCreateSSLEngine)
			.withMessage("The SSL context of test has not been initialized");
	}

	@Test
	void failedInitializationHasReason() {
		this.implementation.failure = new GeneralSecurityException("broken");
		assertThatExceptionOfType(KeyManagementException.class).isThrownBy(this::initialize)
			.withCause(this.implementation.failure);
	}

	@Test
	void initializationThatFailsInKeyManagerHasReason() {
		IllegalStateException failure = new IllegalStateException("The vault is sealed");
		RenewableSslContext context = new RenewableSslContext((protocol, keys, trust, random) -> {
			throw failure;
		}, "TLS", SERVER, this.handshakes);
		assertThatExceptionOfType(KeyManagementException.class).isThrownBy(() -> context.engineInit(null, null, null))
			.withCause(failure);
	}

	@Test
	void failedReinitializationKeepsContext() throws Exception {
		initialize();
		TlsEngine.Context before = this.context.current();
		this.implementation.failure = new GeneralSecurityException("broken");
		assertThatExceptionOfType(KeyManagementException.class).isThrownBy(this::initialize);
		assertThat(this.context.current()).isSameAs(before);
	}

	@Test
	void sessionContextsAreJdks() throws Exception {
		initialize();
		SSLContext jdk = this.context.current().sslContext();
		assertThat(this.context.engineGetServerSessionContext()).isSameAs(jdk.getServerSessionContext());
		assertThat(this.context.engineGetClientSessionContext()).isSameAs(jdk.getClientSessionContext());
	}

	@Test
	void sessionContextsExistBeforeInitialization() {
		assertThat(this.context.engineGetServerSessionContext()).isNotNull();
		assertThat(this.context.engineGetClientSessionContext()).isNotNull();
	}

	@Test
	void enginesHaveTimeoutOfProperty() throws Exception {
		initialize();
		SSLSessionContext jdk = this.context.current().sslContext().getServerSessionContext();
		jdk.setSessionTimeout(7);
		this.context.engineCreateSSLEngine();
		assertThat(jdk.getSessionTimeout()).isEqualTo(600);
	}

	@Test
	void createsReportingEngines() throws Exception {
		initialize();
		assertThat(this.context.engineCreateSSLEngine()).isInstanceOf(ReportingSslEngine.class);
		assertThat(this.context.engineCreateSSLEngine("localhost", 443)).isInstanceOf(ReportingSslEngine.class);
	}

	@Test
	void createsEnginesWithAddressOfClient() throws Exception {
		initialize();
		SSLEngine engine = this.context.engineCreateSSLEngine("localhost", 443);
		assertThat(engine.getPeerHost()).isEqualTo("localhost");
		assertThat(engine.getPeerPort()).isEqualTo(443);
	}

	@Test
	void rejectsProtocolsWithoutCipherSuite() throws Exception {
		initialize();
		SSLEngine engine = this.context.engineCreateSSLEngine();
		engine.setEnabledProtocols(new String[] { "TLSv1.3" });
		engine.setEnabledCipherSuites(new String[] { "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256" });
		assertThatIllegalStateException().isThrownBy(() -> RenewableSslContext.verify(engine))
			.withMessageContaining("Check 'server.ssl.enabled-protocols' and 'server.ssl.ciphers'");
	}

	@Test
	void toStringContainsServerAndEngine() {
		assertThat(this.context).hasToString("test (application) by an engine that records");
	}

	private void initialize() throws KeyManagementException {
		this.context.engineInit(null, null, null);
	}

	/**
	 * The JDK's TLS engine with contexts that can be ended and whose creation can fail.
	 */
	private static final class RecordingEngine implements TlsEngine {

		private final TlsEngine jdk;

		private final List<Arguments> arguments = new ArrayList<>();

		private @Nullable GeneralSecurityException failure;

		private int ends;

		private Runnable created = () -> {
		};

		RecordingEngine(SessionTokens cache) {
			this.jdk = new JdkTlsEngine(cache, List.of());
		}

		@Override
		public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
				TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random)
				throws GeneralSecurityException {
			if (this.failure != null) {
				throw this.failure;
			}
			this.arguments.add(new Arguments(protocol, keyManagers, trustManagers, random));
			Context context = this.jdk.createContext(protocol, keyManagers, trustManagers, random);
			int created = this.ends;
			this.created.run();
			return new Context() {

				@Override
				public boolean isEnded() {
					return RecordingEngine.this.ends != created;
				}

				@Override
				public ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost,
						int peerPort) {
					return context.createEngine(owner, peerHost, peerPort);
				}

				@Override
				public SSLContext sslContext() {
					return context.sslContext();
				}

				@Override
				public @Nullable SSLSessionContext serverSessions() {
					return context.serverSessions();
				}

			};
		}

		@Override
		public String toString() {
			return "an engine that records";
		}

	}

	private record Arguments(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) {

	}

}
