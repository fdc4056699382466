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

package dev.uncontended.tls.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.internal.Lineages;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;

/**
 * Tests for {@link SslSessionCache}.
 */
class SslSessionCacheTests {

	private final AtomicLong nanos = new AtomicLong();

	private final Lineages cache = new Lineages(3, Duration.ofSeconds(10), this.nanos::get);

	@Test
	void returnsSessionById() {
		SSLSession session = put(1);
		assertThat(this.cache.getSession(new byte[] { 1 })).isSameAs(session);
		assertThat(this.cache.getSession(new byte[] { 2 })).isNull();
		assertThat(this.cache.getSession(new byte[0])).isNull();
		assertThat(Collections.list(this.cache.getIds())).containsExactly(new byte[] { 1 });
	}

	@Test
	void inspectionDoesNotCount() {
		put(1);
		SslSessionStats before = this.cache.stats();
		this.cache.getSession(new byte[] { 1 });
		this.cache.getSession(new byte[] { 2 });
		this.cache.getIds();
		assertThat(this.cache.stats()).isEqualTo(before).isEqualTo(new SslSessionStats(0, 1, 1, 0, 0, 0));
	}

	@Test
	void handshakesCount() {
		SSLSession session = put(1);
		assertThat(TestSessions.resume(this.cache, session)).isTrue();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(1, 1, 1, 0, 0, 0));
	}

	@Test
	void timedOutSessionIsNotReturned() {
		SSLSession session = put(1);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		this.nanos.incrementAndGet();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
		assertThat(this.cache.getIds().hasMoreElements()).isFalse();
		then(session).should().invalidate();
		assertThat(this.cache.stats().expirations()).isOne();
	}

	@Test
	void resumptionDoesNotExtendTimeout() {
		SSLSession session = put(1);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
		assertThat(TestSessions.resume(this.cache, session)).isTrue();
		this.nanos.incrementAndGet();
		assertThat(TestSessions.resume(this.cache, session)).isFalse();
	}

	@Test
	void newTimeoutAppliesToLiveSessions() {
		put(1);
		this.cache.setSessionTimeout(20);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos());
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		this.cache.setSessionTimeout(10);
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
	}

	@Test
	void zeroMeansNoTimeout() {
		this.cache.setSessionTimeout(0);
		put(1);
		this.nanos.addAndGet(Duration.ofDays(10_000).toNanos());
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		assertThat(this.cache.getSessionTimeout()).isZero();
	}

	@Test
	void invalidSessionIsNotReturned() {
		SSLSession session = put(1);
		given(session.isValid()).willReturn(false);
		assertThat(this.cache.getIds().hasMoreElements()).isFalse();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
	}

	@Test
	void maximumSizeCanBeChanged() {
		for (int id = 1; id <= 3; id++) {
			put(id);
		}
		this.cache.setSessionCacheSize(1);
		assertThat(this.cache.getSessionCacheSize()).isOne();
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.cache.stats().evictions()).isEqualTo(2);
		assertThat(Collections.list(this.cache.getIds())).hasSize(1);
	}

	@Test
	void removeEndsSession() {
		SSLSession session = put(1);
		assertThat(this.cache.remove(new byte[] { 1 })).isSameAs(session);
		assertThat(this.cache.remove(new byte[] { 1 })).isNull();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
		then(session).should().invalidate();
	}

	@Test
	void sessionOfAnyConnectionEndsAll() {
		SSLSession full = put(1);
		SSLSession resumed = TestSessions.session(2);
		String host = full.getPeerHost();
		given(resumed.getPeerHost()).willReturn(host);
		assertThat(TestSessions.resume(this.cache, resumed)).isTrue();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
		assertThat(this.cache.getSession(new byte[] { 2 })).isSameAs(resumed);
		assertThat(this.cache.remove(full)).isTrue();
		assertThat(this.cache.remove(full)).isFalse();
		then(resumed).should().invalidate();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void endAllEndsEverySession() {
		List<SSLSession> sessions = List.of(put(1), put(2), put(3));
		assertThat(this.cache.endAll()).isEqualTo(Reach.THIS_NODE);
		sessions.forEach((session) -> then(session).should().invalidate());
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.cache.stats().invalidations()).isEqualTo(3);
		assertThat(this.cache.ends()).isOne();
	}

	@Test
	void endAllReturnsLeastReach() {
		assertThat(this.cache.endAll()).isEqualTo(Reach.THIS_NODE);
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
		SSLSession failing = put(1);
		willThrow(new IllegalStateException("session")).given(failing).invalidate();
		SSLSession other = put(2);
		this.cache.onEndAll(() -> {
			throw new IllegalStateException("keys");
		});
		assertThatIllegalStateException().isThrownBy(this.cache::endAll).withMessage("keys");
		then(other).should().invalidate();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.cache.ends()).isOne();
	}

	@Test
	@SuppressWarnings("NullAway") // Tests missing checks
	void rejectsInvalidArguments() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.setSessionTimeout(-1));
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.setSessionCacheSize(-1))
			.withMessageContaining("was -1");
		assertThatIllegalArgumentException().isThrownBy(() -> new Lineages(-1, Duration.ofHours(24), System::nanoTime))
			.withMessageContaining("was -1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new Lineages(20_480, Duration.ofSeconds(-1), System::nanoTime))
			.withMessageContaining("was PT-1S");
		assertThatNullPointerException().isThrownBy(() -> this.cache.getSession(null));
		assertThatNullPointerException().isThrownBy(() -> this.cache.remove((byte[]) null));
	}

	private SSLSession put(int id) {
		SSLSession session = TestSessions.session(id);
		TestSessions.put(this.cache, session);
		return session;
	}

}
