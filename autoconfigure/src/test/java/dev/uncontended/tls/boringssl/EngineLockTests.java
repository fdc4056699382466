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
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.internal.TestSessions;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mockito.invocation.InvocationOnMock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests that a trust manager or a key manager can use the engine while another thread
 * calls the engine.
 */
class EngineLockTests {

	private static final int TIMEOUT_SECONDS = 20;

	@TempDir
	static Path directory;

	static TestKeyStore key;

	private final CountDownLatch asked = new CountDownLatch(1);

	private final CountDownLatch continued = new CountDownLatch(1);

	private final ExecutorService servers = Executors.newSingleThreadExecutor();

	@BeforeAll
	static void createKeyStore() {
		key = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@AfterEach
	void stop() {
		this.continued.countDown();
		this.servers.shutdownNow();
	}

	@ParameterizedTest(name = "{0} with {1} and {2}")
	@MethodSource("calls")
	void managerUsesEngineDuringCallOfOtherThread(Call call, String protocol, boolean slowTrust) throws Exception {
		SSLEngine server = context(slowTrust).createSSLEngine();
		server.setUseClientMode(false);
		server.setNeedClientAuth(true);
		SSLEngine client = key.sslContext(key).createSSLEngine("localhost", 443);
		client.setEnabledProtocols(new String[] { protocol });
		Future<HandshakeOutcome> handshake = this.servers.submit(() -> HandshakeOutcome.of(client, server));
		assertThat(this.asked.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
		AtomicReference<Throwable> failure = new AtomicReference<>();
		Thread other = new Thread(() -> {
			try {
				call.on(server);
			}
			catch (SSLException ex) {
				failure.set(ex);
			}
		});
		other.setDaemon(true);
		other.start();
		Awaitility.await()
			.until(() -> other.getState() == Thread.State.BLOCKED || other.getState() == Thread.State.TERMINATED);
		this.continued.countDown();
		handshake.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		other.join(TimeUnit.SECONDS.toMillis(TIMEOUT_SECONDS));
		assertThat(other.getState()).isEqualTo(Thread.State.TERMINATED);
		assertThat(failure.get()).isNull();
	}

	static Stream<Arguments> calls() {
		List<Named<Call>> calls = List.of(
				Named.of("unwrap", (engine) -> engine.unwrap(ByteBuffer.allocate(0), ByteBuffer.allocate(1 << 15))),
				Named.of("closeOutbound", SSLEngine::closeOutbound),
				Named.of("getHandshakeStatus", SSLEngine::getHandshakeStatus),
				Named.of("getId", (engine) -> engine.getSession().getId()),
				Named.of("invalidate", (engine) -> engine.getSession().invalidate()));
		return calls.stream()
			.flatMap((call) -> Stream.of("TLSv1.2", "TLSv1.3")
				.flatMap((protocol) -> Stream.of(true, false)
					.map((trust) -> Arguments.of(call, protocol,
							Named.of(trust ? "a slow trust manager" : "a slow key manager", trust)))));
	}

	private SSLContext context(boolean slowTrust) throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class,
				delegatesTo(Contexts.trustManagers(key)[0]));
		X509ExtendedKeyManager keys = mock(X509ExtendedKeyManager.class, delegatesTo(Contexts.keyManagers(key)[0]));
		BoringSslSessions sessions = new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys());
		SSLContext context = Contexts.create(new BoringSslTlsEngine(sessions, List.of()), new KeyManager[] { keys },
				new TrustManager[] { trust });
		if (slowTrust) {
			willAnswer(this::use).given(trust).checkClientTrusted(any(), any(), any(SSLEngine.class));
		}
		else {
			willAnswer(this::use).given(keys).chooseEngineServerAlias(any(), any(), any());
		}
		return context;
	}

	/*
	 * Waits until another thread calls the engine, and then uses the engine.
	 */
	private @Nullable String use(InvocationOnMock invocation) throws InterruptedException {
		SSLEngine engine = invocation.getArgument(2);
		this.asked.countDown();
		assertThat(this.continued.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
		assertThat(engine.getSSLParameters().getNeedClientAuth()).isTrue();
		assertThat(engine.getHandshakeSession()).isNotNull();
		assertThat(engine.getSession().getId()).isNotNull();
		if (invocation.getMock() instanceof KeyManager) {
			return "test";
		}
		assertThat(engine.getHandshakeSession().getLocalCertificates()).containsExactly(key.certificate());
		return null;
	}

	@FunctionalInterface
	interface Call {

		void on(SSLEngine engine) throws SSLException;

	}

}
