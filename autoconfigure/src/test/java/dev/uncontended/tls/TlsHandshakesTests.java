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

package dev.uncontended.tls;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link TlsHandshakes}.
 */
class TlsHandshakesTests {

	private static final String AES_128 = "TLS_AES_128_GCM_SHA256";

	private static final String AES_256 = "TLS_AES_256_GCM_SHA384";

	private final SslSessionCache sessions = SslSessionCache.builder().build();

	private final TlsHandshakes handshakes = new TlsHandshakes(this.sessions);

	@Test
	void hasNothingToTellBeforeTheFirstHandshake() {
		assertThat(this.handshakes.counts()).isEmpty();
		assertThat(this.handshakes.failures()).isZero();
	}

	@Test
	void countsASessionCreatedDuringTheHandshakeAsFull() {
		this.handshakes.completed("tomcat", session(AES_128, 1000), 1000);
		assertThat(this.handshakes.counts()).containsExactly(new HandshakeCount("tomcat", "TLSv1.3", AES_128, 1, 0));
	}

	@Test
	void countsASessionCreatedBeforeTheHandshakeAsResumed() {
		this.handshakes.completed("tomcat", session(AES_128, 999), 1000);
		assertThat(this.handshakes.counts()).containsExactly(new HandshakeCount("tomcat", "TLSv1.3", AES_128, 0, 1));
	}

	@Test
	void countsServersAndCipherSuitesApartAndInOrder() {
		this.handshakes.completed("tomcat", session(AES_256, 1), 1);
		this.handshakes.completed("tomcat", session(AES_128, 1), 1);
		this.handshakes.completed("jetty", session(AES_256, 1), 1);
		this.handshakes.completed("tomcat", session(AES_256, 1), 2);
		assertThat(this.handshakes.counts()).containsExactly(new HandshakeCount("jetty", "TLSv1.3", AES_256, 1, 0),
				new HandshakeCount("tomcat", "TLSv1.3", AES_128, 1, 0),
				new HandshakeCount("tomcat", "TLSv1.3", AES_256, 1, 1));
	}

	@Test
	void losesNoCountAmongThreads() throws Exception {
		int threads = 8;
		int rounds = 5_000;
		CountDownLatch start = new CountDownLatch(1);
		List<HandshakeCounter> announced = new ArrayList<>();
		this.handshakes.addListener(announced::add);
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				SSLSession full = session(AES_128, 2);
				SSLSession resumed = session(AES_128, 1);
				results.add(executor.submit((Callable<Void>) () -> {
					start.await();
					for (int round = 0; round < rounds; round++) {
						this.handshakes.completed("tomcat", (round % 5 == 0) ? full : resumed, 2);
					}
					return null;
				}));
			}
			start.countDown();
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.handshakes.counts()).containsExactly(
				new HandshakeCount("tomcat", "TLSv1.3", AES_128, threads * rounds / 5, threads * rounds / 5 * 4));
		assertThat(announced).hasSize(1);
		assertThat(this.handshakes.failures()).isZero();
	}

	@Test
	void tellsAListenerOfEachCounterOnce() {
		List<HandshakeCounter> announced = new ArrayList<>();
		this.handshakes.completed("tomcat", session(AES_128, 1), 1);
		this.handshakes.addListener(announced::add);
		this.handshakes.completed("tomcat", session(AES_128, 1), 1);
		this.handshakes.completed("jetty", session(AES_128, 1), 1);
		this.handshakes.completed("jetty", session(AES_128, 1), 2);
		assertThat(announced).extracting(HandshakeCounter::server).containsExactly("tomcat", "jetty");
		assertThat(announced).extracting(HandshakeCounter::full).containsExactly(2L, 1L);
		assertThat(announced).extracting(HandshakeCounter::resumed).containsExactly(0L, 1L);
	}

	@Test
	void keepsAFailureFromTheHandshake() {
		SSLSession broken = mock(SSLSession.class);
		given(broken.getCreationTime()).willThrow(new IllegalStateException("broken"));
		assertThatNoException().isThrownBy(() -> this.handshakes.completed("tomcat", broken, 1));
		this.handshakes.completed("tomcat", broken, 1);
		assertThat(this.handshakes.failures()).isEqualTo(2);
	}

	@Test
	void countsAHandshakeWhoseListenerFails() {
		this.handshakes.addListener((counter) -> {
			throw new IllegalStateException("broken");
		});
		this.handshakes.completed("tomcat", session(AES_128, 1), 1);
		assertThat(this.handshakes.counts()).containsExactly(new HandshakeCount("tomcat", "TLSv1.3", AES_128, 1, 0));
		assertThat(this.handshakes.failures()).isOne();
	}

	@Test
	void tellsTheOtherListenersWhenOneFails() {
		List<HandshakeCounter> announced = new ArrayList<>();
		this.handshakes.addListener((counter) -> {
			throw new IllegalStateException("broken");
		});
		this.handshakes.addListener(announced::add);
		this.handshakes.completed("tomcat", session(AES_128, 1), 1);
		assertThat(announced).hasSize(1);
	}

	@Test
	void forgetsTheSessionsOfAContextThatTheServerHasReplaced() {
		SSLSessionContext before = mock(SSLSessionContext.class);
		SSLSessionContext after = mock(SSLSessionContext.class);
		SSLSessionContext other = mock(SSLSessionContext.class);
		SSLSession old = validSession(1, before);
		SSLSession elsewhere = validSession(2, other);
		SSLSession current = validSession(3, after);
		AtomicReference<SSLSessionContext> replaced = new AtomicReference<>(before);
		this.handshakes.addServer(server(() -> Stream.of(replaced.get(), other)));
		this.handshakes.completed("tomcat", old, 0);
		this.handshakes.completed("tomcat", elsewhere, 0);
		assertThat(this.sessions.estimatedSize()).isEqualTo(2);
		replaced.set(after);
		this.handshakes.completed("tomcat", current, 0);
		assertThat(this.sessions.getSession(old.getId())).isNull();
		assertThat(this.sessions.getSession(elsewhere.getId())).isSameAs(elsewhere);
		assertThat(this.sessions.getSession(current.getId())).isSameAs(current);
	}

	@Test
	void keepsTheSessionsOfAContextThatNoServerHad() {
		SSLSession foreign = validSession(1, mock(SSLSessionContext.class));
		SSLSessionContext context = mock(SSLSessionContext.class);
		this.handshakes.completed("own", foreign, 0);
		this.handshakes.addServer(server(() -> Stream.of(context)));
		this.handshakes.completed("tomcat", validSession(2, context), 0);
		assertThat(this.sessions.getSession(foreign.getId())).isSameAs(foreign);
	}

	@Test
	void hasAServerFollowTheCache() {
		SSLSessionContext context = mock(SSLSessionContext.class);
		this.handshakes.addServer(server(() -> Stream.of(context)));
		this.sessions.setSessionCacheSize(7);
		this.sessions.setSessionTimeout(70);
		then(context).should().setSessionCacheSize(7);
		then(context).should().setSessionTimeout(70);
	}

	@Test
	@SuppressWarnings("NullAway")
	void needsACache() {
		assertThatNullPointerException().isThrownBy(() -> new TlsHandshakes(null))
			.withMessage("sessions must not be null");
	}

	private static TlsServer server(Supplier<Stream<SSLSessionContext>> contexts) {
		return new TlsServer() {

			@Override
			public Stream<SSLSessionContext> sessionContexts() {
				return contexts.get();
			}

			@Override
			public void invalidateAll() {
			}

		};
	}

	private static SSLSession validSession(int id, SSLSessionContext context) {
		SSLSession session = session(AES_128, System.currentTimeMillis());
		given(session.getId()).willReturn(new byte[] { 0, 0, 0, (byte) id });
		given(session.isValid()).willReturn(true);
		given(session.getSessionContext()).willReturn(context);
		return session;
	}

	private static SSLSession session(String cipherSuite, long creationTime) {
		SSLSession session = mock(SSLSession.class, withSettings().stubOnly());
		given(session.getId()).willReturn(new byte[] { 1, 2, 3, 4 });
		given(session.getProtocol()).willReturn("TLSv1.3");
		given(session.getCipherSuite()).willReturn(cipherSuite);
		given(session.getCreationTime()).willReturn(creationTime);
		return session;
	}

}
