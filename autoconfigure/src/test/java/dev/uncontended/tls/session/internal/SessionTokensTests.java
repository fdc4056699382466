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

package dev.uncontended.tls.session.internal;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionStats;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link SessionTokens}.
 */
class SessionTokensTests {

	private final AtomicLong nanos = new AtomicLong();

	private final SessionTokens cache = new SessionTokens(3, null, this.nanos::get);

	@Test
	void tokenSurvivesAsHost() {
		Long token = this.cache.create();
		assertThat(SessionTokens.tokenOf(TestSessions.session(token))).isEqualTo(token);
		assertThat(SessionTokens.tokenOf(TestSessions.session(-1L))).isEqualTo(-1L);
		assertThat(SessionTokens.tokenOf(TestSessions.session(1L))).isEqualTo(1L);
	}

	@Test
	void otherHostsAreNoTokens() {
		SSLSession session = mock(SSLSession.class);
		assertThat(SessionTokens.tokenOf(session)).isNull();
		for (String host : List.of("", "localhost", "127.0.0.1", "0123456789abcdeg", "0123456789abcdef0")) {
			given(session.getPeerHost()).willReturn(host);
			assertThat(SessionTokens.tokenOf(session)).as(host).isNull();
		}
	}

	@Test
	void tokensDiffer() {
		assertThat(this.cache.create()).isNotEqualTo(this.cache.create());
		assertThat(TestSessions.cache().create()).isNotEqualTo(TestSessions.cache().create());
	}

	@Test
	void containsTokenUntilItIsRemoved() {
		Long token = TestSessions.put(this.cache);
		assertThat(this.cache.contains(token)).isTrue();
		assertThat(this.cache.contains(this.cache.create())).isFalse();
		assertThat(this.cache.remove(token)).isTrue();
		assertThat(this.cache.remove(token)).isFalse();
		assertThat(this.cache.contains(token)).isFalse();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(0, 0, 1, 0, 0, 1));
	}

	@Test
	void evictsTokensAboveMaximumSize() {
		for (int i = 0; i < 5; i++) {
			TestSessions.put(this.cache);
		}
		assertThat(this.cache.estimatedSize()).isEqualTo(3);
		assertThat(this.cache.stats().evictions()).isEqualTo(2);
	}

	@Test
	void sessionExpiresAfterTimeout() {
		SessionTokens cache = new SessionTokens(3, Duration.ofSeconds(10), this.nanos::get);
		Long token = cache.create();
		cache.put(token, 1, 0);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
		assertThat(cache.contains(token)).isTrue();
		this.nanos.incrementAndGet();
		assertThat(cache.contains(token)).isFalse();
		assertThat(cache.estimatedSize()).isZero();
		assertThat(cache.stats().expirations()).isOne();
	}

	@Test
	void timeoutOfZeroMeansNoLimit() {
		SessionTokens cache = new SessionTokens(3, Duration.ZERO, this.nanos::get);
		Long token = TestSessions.put(cache);
		this.nanos.addAndGet(Duration.ofDays(10_000).toNanos());
		assertThat(cache.contains(token)).isTrue();
	}

	@Test
	void contextDecidesTimeoutWithoutProperty() {
		Long longer = this.cache.create();
		this.cache.put(longer, 20, 0);
		Long shorter = this.cache.create();
		this.cache.put(shorter, 10, 0);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos());
		assertThat(this.cache.contains(shorter)).isFalse();
		assertThat(this.cache.contains(longer)).isTrue();
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos());
		assertThat(this.cache.contains(longer)).isFalse();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void timeoutOfContextIsAtMostTwentyFourHours() {
		for (int timeout : List.of(0, 86_400, 604_800, Integer.MAX_VALUE)) {
			Long token = this.cache.create();
			this.cache.put(token, timeout, 0);
			this.nanos.addAndGet(Duration.ofHours(24).toNanos() - 1);
			assertThat(this.cache.contains(token)).as("%d s", timeout).isTrue();
			this.nanos.incrementAndGet();
			assertThat(this.cache.contains(token)).as("%d s", timeout).isFalse();
		}
	}

	@Test
	void anyConnectionEndsSession() {
		Long token = TestSessions.put(this.cache);
		assertThat(this.cache.remove(TestSessions.session(token, (byte) 2))).isTrue();
		assertThat(this.cache.remove(TestSessions.session(token, (byte) 3))).isFalse();
		assertThat(this.cache.remove(mock(SSLSession.class))).isFalse();
	}

	@Test
	void idOfEachOpenConnectionEndsSession() {
		SSLEngine engine = mock(SSLEngine.class);
		Long other = TestSessions.put(this.cache);
		this.cache.opened(engine, TestSessions.session(other, (byte) 3), other);
		Long token = TestSessions.put(this.cache);
		for (byte id = 1; id <= 2; id++) {
			this.cache.opened(engine, TestSessions.session(token, id), token);
		}
		for (byte id = 1; id <= 2; id++) {
			this.cache.put(token, 0, 0);
			assertThat(this.cache.remove(new byte[] { id })).isTrue();
			assertThat(this.cache.contains(token)).isFalse();
		}
		assertThat(this.cache.contains(other)).isTrue();
	}

	@Test
	void idOfClosedConnectionEndsNothing() {
		Long token = TestSessions.put(this.cache);
		SSLSession session = TestSessions.session(token, (byte) 1);
		SSLEngine engine = mock(SSLEngine.class);
		Runnable first = this.cache.opened(engine, session, token);
		Runnable second = this.cache.opened(engine, session, token);
		first.run();
		second.run();
		assertThat(this.cache.remove(new byte[] { 1 })).isFalse();
		this.cache.opened(engine, session, token);
		assertThat(this.cache.remove(new byte[] { 1 })).isTrue();
	}

	@Test
	void connectionThatVanishesIsForgotten() throws Exception {
		SSLEngine open = mock(SSLEngine.class);
		Long vanished = TestSessions.put(this.cache);
		this.cache.opened(SSLContext.getDefault().createSSLEngine(), TestSessions.session(vanished, (byte) 1),
				vanished);
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			Long token = TestSessions.put(this.cache);
			this.cache.opened(open, TestSessions.session(token, (byte) 2), token);
			assertThat(this.cache.remove(new byte[] { 1 })).isFalse();
		});
	}

	@Test
	void endAllEndsEverySession() {
		List<Long> tokens = List.of(TestSessions.put(this.cache), TestSessions.put(this.cache));
		assertThat(this.cache.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(tokens).noneMatch(this.cache::contains);
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.cache.stats().invalidations()).isEqualTo(2);
	}

	@Test
	void sessionCreatedBeforeEndIsNotPut() {
		Long token = this.cache.create();
		long ends = this.cache.ends();
		this.cache.endAll();
		this.cache.put(token, 0, ends);
		assertThat(this.cache.contains(token)).isFalse();
	}

	@Test
	void endAllReturnsLeastReach() {
		this.cache.onEndAll(() -> Reach.ALL_NODES);
		this.cache.onEndAll(() -> Reach.SOME_SERVERS).run();
		assertThat(this.cache.endAll()).isEqualTo(Reach.ALL_NODES);
		this.cache.onEndAll(() -> Reach.CONFIRMED_NODES);
		assertThat(this.cache.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	@Test
	void endAllHereRunsNoAction() {
		List<String> ends = new ArrayList<>();
		this.cache.onEndAll(() -> {
			ends.add("all");
			return Reach.ALL_NODES;
		});
		this.cache.endAllHere();
		assertThat(ends).isEmpty();
		assertThat(this.cache.ends()).isOne();
	}

	@Test
	void endAllEndsSessionsAfterFailure() {
		Long token = TestSessions.put(this.cache);
		this.cache.onEndAll(() -> {
			throw new IllegalStateException("keys");
		});
		assertThatIllegalStateException().isThrownBy(this.cache::endAll).withMessage("keys");
		assertThat(this.cache.contains(token)).isFalse();
	}

	@Test
	@SuppressWarnings("NullAway") // Tests missing checks
	void rejectsInvalidArguments() {
		assertThatIllegalArgumentException().isThrownBy(() -> new SessionTokens(-1, null, System::nanoTime))
			.withMessageContaining("was -1");
		assertThatNullPointerException().isThrownBy(() -> this.cache.remove((byte[]) null));
		assertThatNullPointerException().isThrownBy(() -> this.cache.remove((SSLSession) null));
	}

}
