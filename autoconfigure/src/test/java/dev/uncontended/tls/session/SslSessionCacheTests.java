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
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.session.internal.ServerSessions;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link SslSessionCache}.
 */
class SslSessionCacheTests {

	private final AtomicLong millis = new AtomicLong(1_000_000);

	private final AtomicLong nanos = new AtomicLong();

	private final SslSessionCache cache = SslSessionCache.builder()
		.maximumSize(3)
		.timeout(Duration.ofSeconds(10))
		.ticker(this.nanos::get)
		.clock(() -> Instant.ofEpochMilli(this.millis.get()))
		.build();

	@Test
	void defaultsMatchJsse() {
		SslSessionCache cache = SslSessionCache.builder().build();
		assertThat(cache.getSessionCacheSize()).isEqualTo(20_480);
		assertThat(cache.getSessionTimeout()).isEqualTo(86_400);
	}

	@Test
	void returnsSessionById() {
		SSLSession session = session(1);
		this.cache.put(session);
		assertThat(this.cache.getSession(new byte[] { 1 })).isSameAs(session);
		assertThat(this.cache.getSession(new byte[] { 2 })).isNull();
		assertThat(this.cache.getSession(new byte[0])).isNull();
		assertThat(Collections.list(this.cache.getIds())).containsExactly(new byte[] { 1 });
		assertThat(this.cache.stats().hits()).isOne();
		assertThat(this.cache.stats().misses()).isEqualTo(3);
	}

	@Test
	void sessionWithoutIdIsNotKept() {
		SSLSession invalid = session(1);
		given(invalid.isValid()).willReturn(false);
		this.cache.put(invalid);
		SSLSession withoutId = session(2);
		given(withoutId.getId()).willReturn(new byte[0]);
		this.cache.put(withoutId);
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.cache.stats().puts()).isZero();
	}

	@Test
	void sessionTimedOutByTickerIsNotReturned() {
		this.cache.put(session(1));
		pass(Duration.ofSeconds(10).minusNanos(1));
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		this.nanos.incrementAndGet();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
		assertThat(this.cache.getIds().hasMoreElements()).isFalse();
	}

	@Test
	void shorterTimeoutOfOwnContextApplies() {
		SSLSessionContext context = mock(SSLSessionContext.class);
		given(context.getSessionTimeout()).willReturn(5);
		SSLSession session = session(1);
		given(session.getSessionContext()).willReturn(context);
		this.cache.put(session);
		pass(Duration.ofSeconds(5).minusMillis(1));
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		pass(Duration.ofMillis(1));
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
	}

	@Test
	void wallClockMovedBackwardsDoesNotExtendSession() {
		this.cache.put(session(1));
		this.millis.addAndGet(-1_000_000);
		this.nanos.addAndGet(Duration.ofSeconds(10).toNanos());
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
	}

	@Test
	void newTimeoutAppliesToLiveSessions() {
		this.cache.put(session(1));
		this.cache.setSessionTimeout(20);
		pass(Duration.ofSeconds(10));
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		this.cache.setSessionTimeout(10);
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
	}

	@Test
	void zeroMeansNoTimeout() {
		this.cache.setSessionTimeout(0);
		this.cache.put(session(1));
		pass(Duration.ofDays(10_000));
		assertThat(this.cache.getSession(new byte[] { 1 })).isNotNull();
		assertThat(this.cache.getSessionTimeout()).isZero();
	}

	@Test
	void invalidSessionIsNotReturned() {
		SSLSession session = session(1);
		this.cache.put(session);
		given(session.isValid()).willReturn(false);
		assertThat(this.cache.getIds().hasMoreElements()).isFalse();
		assertThat(this.cache.getSession(new byte[] { 1 })).isNull();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void maximumSizeCanBeChanged() {
		for (int id = 1; id <= 3; id++) {
			this.cache.put(session(id));
		}
		this.cache.setSessionCacheSize(1);
		assertThat(this.cache.getSessionCacheSize()).isOne();
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.cache.stats().evictions()).isEqualTo(2);
	}

	@Test
	void removeDoesNotInvalidate() {
		SSLSession session = session(1);
		this.cache.put(session);
		assertThat(this.cache.remove(new byte[] { 1 })).isSameAs(session);
		assertThat(this.cache.remove(new byte[] { 1 })).isNull();
		then(session).should(never()).invalidate();
	}

	@Test
	void endAllEndsEverySession() {
		List<SSLSession> sessions = List.of(session(1), session(2), session(3));
		sessions.forEach(this.cache::put);
		List<Long> sizes = new ArrayList<>();
		this.cache.connect(servers(() -> sizes.add(this.cache.estimatedSize())));
		this.cache.endAll();
		sessions.forEach((session) -> then(session).should().invalidate());
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.cache.stats().invalidations()).isEqualTo(3);
		assertThat(sizes).containsExactly(3L);
	}

	@Test
	void endAllContinuesAfterFailure() {
		SSLSession failing = session(1);
		willThrow(new IllegalStateException("session")).given(failing).invalidate();
		SSLSession other = session(2);
		this.cache.put(failing);
		this.cache.put(other);
		this.cache.connect(servers(() -> {
			throw new IllegalStateException("server");
		}));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(this.cache::endAll)
			.withMessage("server")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.satisfies((suppressed) -> assertThat(suppressed).hasMessage("session")));
		then(other).should().invalidate();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void endAllContinuesAfterError() {
		SSLSession session = session(1);
		this.cache.put(session);
		this.cache.connect(servers(() -> {
			throw new OutOfMemoryError("of the test");
		}));
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(this.cache::endAll);
		then(session).should().invalidate();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	@SuppressWarnings("NullAway") // Tests missing checks
	void rejectsInvalidArguments() {
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.setSessionTimeout(-1))
			.withMessageContaining("-1 seconds");
		assertThatIllegalArgumentException().isThrownBy(() -> this.cache.setSessionCacheSize(-1))
			.withMessageContaining("was -1");
		assertThatIllegalArgumentException().isThrownBy(() -> SslSessionCache.builder().maximumSize(-1))
			.withMessageContaining("was -1");
		assertThatIllegalArgumentException().isThrownBy(() -> SslSessionCache.builder().timeout(Duration.ofSeconds(-1)))
			.withMessageContaining("was PT-1S");
		assertThatNullPointerException().isThrownBy(() -> this.cache.getSession(null));
		assertThatNullPointerException().isThrownBy(() -> this.cache.remove(null));
	}

	@Test
	void roundsTimeoutUpToSeconds() {
		assertThat(SslSessionCache.builder().timeout(Duration.ofMillis(1)).build().getSessionTimeout()).isOne();
		assertThat(SslSessionCache.builder().timeout(Duration.ofDays(36_500)).build().getSessionTimeout())
			.isEqualTo(Integer.MAX_VALUE);
	}

	@Test
	void toStringOmitsSessions() {
		this.cache.put(session(1));
		assertThat(this.cache).hasToString("SslSessionCache[size=1, maximumSize=3, timeout=PT10S]");
	}

	private static ServerSessions servers(Runnable invalidation) {
		return new ServerSessions() {

			@Override
			public void followLimits() {
			}

			@Override
			public void endAll() {
				invalidation.run();
			}

		};
	}

	private void pass(Duration duration) {
		this.nanos.addAndGet(duration.toNanos());
		this.millis.addAndGet(duration.toMillis());
	}

	private SSLSession session(int id) {
		SSLSession session = mock(SSLSession.class);
		given(session.getId()).willReturn(new byte[] { (byte) id });
		given(session.isValid()).willReturn(true);
		given(session.getCreationTime()).willReturn(this.millis.get());
		return session;
	}

}
