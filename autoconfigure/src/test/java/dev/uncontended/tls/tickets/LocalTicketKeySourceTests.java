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
package dev.uncontended.tls.tickets;

import java.lang.Thread.State;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.internal.TicketKeyRing;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.test.util.ReflectionTestUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link LocalTicketKeySource} and the {@link TicketKeyRing} of all sources.
 */
class LocalTicketKeySourceTests {

	private final ManualTicketClock clock = new ManualTicketClock();

	private final LocalTicketKeySource source = new LocalTicketKeySource(
			new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), new SecureRandom(), this.clock);

	private final RecordedKeys keys = RecordedKeys.of(this.source);

	/*
	 * The tests advance the ring. Its own thread retries a failure after a second.
	 */
	@BeforeEach
	void blockThreadOfRing() {
		Executor thread = (Executor) ReflectionTestUtils.getField(this.source.ring, "executor");
		assertThat(thread).isNotNull();
		thread.execute(LocalTicketKeySourceTests::awaitInterrupt);
	}

	private static void awaitInterrupt() {
		try {
			new CountDownLatch(1).await();
		}
		catch (InterruptedException ex) {
			// The ring is closed.
		}
	}

	@AfterEach
	void close() {
		this.source.close();
	}

	@Test
	void hasKeysImmediately() {
		assertThat(this.keys.encrypting()).hasSize(96);
	}

	@Test
	void rotatesAfterInterval() {
		String first = this.keys.encrypting();
		advance(Duration.ofHours(12).minusNanos(1));
		assertThat(this.keys.encrypting()).isEqualTo(first);
		String next = this.keys.decrypting().get(1);
		advance(Duration.ofNanos(1));
		assertThat(this.keys.encrypting()).isEqualTo(next);
		assertThat(this.keys.decrypting()).contains(first);
		assertThat(this.source.status().rotations()).isEqualTo(1);
	}

	@Test
	void publishesRotationOnce() {
		advance(Duration.ofHours(12));
		this.source.ring.advance();
		assertThat(this.keys.calls()).isEqualTo(2);
	}

	@Test
	void keyExpiresAfterLifetime() {
		String first = this.keys.encrypting();
		advance(Duration.ofHours(12));
		advance(Duration.ofHours(24).minusNanos(1));
		assertThat(this.keys.decrypting()).contains(first).hasSize(4);
		advance(Duration.ofNanos(1));
		assertThat(this.keys.decrypting()).doesNotContain(first);
	}

	@Test
	void keysDiffer() {
		List<String> all = new ArrayList<>();
		for (int i = 0; i < 20; i++) {
			all.add(this.keys.encrypting());
			advance(Duration.ofHours(12));
		}
		assertThat(all).doesNotHaveDuplicates();
		assertThat(this.keys.decrypting()).hasSize(4);
	}

	@Test
	void createsOneKeyAfterLongPause() {
		advance(Duration.ofDays(300));
		assertThat(this.source.status().rotations()).isEqualTo(1);
		String afterPause = this.keys.encrypting();
		advance(Duration.ofHours(12));
		assertThat(this.keys.encrypting()).isNotEqualTo(afterPause);
	}

	@Test
	void doesNotDependOnWallClock() {
		String first = this.keys.encrypting();
		this.clock.setWallClockForward(Duration.ofDays(30));
		this.source.ring.advance();
		this.clock.setWallClockForward(Duration.ofDays(-60));
		this.source.ring.advance();
		assertThat(this.keys.encrypting()).isEqualTo(first);
	}

	@Test
	void endReplacesKeys() {
		List<String> before = this.keys.decrypting();
		assertThat(this.source.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(this.keys.decrypting()).isNotEmpty().doesNotContainAnyElementsOf(before);
	}

	@Test
	void statusReportsLastEnd() {
		assertThat(this.source.status().lastEnd()).isNull();
		this.source.endAll();
		assertThat(this.source.status().lastEnd()).isEqualTo(Reach.THIS_NODE);
	}

	@Test
	void noEndOriginatesFromOtherNodes() {
		AtomicBoolean called = new AtomicBoolean();
		Registration registration = this.source.onRemoteEnd(() -> called.set(true));
		this.source.endAll();
		registration.remove();
		assertThat(called).isFalse();
	}

	@Test
	void allListenersLearnOfEndBeforeAnyReceivesNewKeys() {
		List<String> calls = new ArrayList<>();
		TicketKeyListener listener = new TicketKeyListener() {

			@Override
			public void keysChanged(List<TicketKey> keys) {
				calls.add("keys");
			}

			@Override
			public void sessionsEnded() {
				calls.add("end");
			}

		};
		this.source.subscribe(listener);
		this.source.subscribe(listener);
		calls.clear();
		this.source.endAll();
		assertThat(calls).containsExactly("end", "end", "keys", "keys");
	}

	@Test
	void reportsStatus() {
		advance(Duration.ofHours(13));
		TicketKeyStatus status = this.source.status();
		assertThat(status.source()).isEqualTo("local");
		assertThat(status.keys()).isEqualTo(3);
		assertThat(status.failures()).isZero();
		assertThat(status.currentSince()).isEqualTo(this.clock.wallTime().minus(Duration.ofHours(1)));
		assertThat(status.nextRotation()).isEqualTo(this.clock.wallTime().plus(Duration.ofHours(11)));
		assertThat(status.lastReached()).isNull();
		assertThat(status.lastFailure()).isNull();
	}

	@Test
	void keyThatEncryptsIsNotNextRotation() {
		advance(Duration.ofHours(12));
		assertThat(this.source.status().nextRotation()).isEqualTo(this.clock.wallTime().plus(Duration.ofHours(12)));
	}

	@Test
	void destroysRemovedKeys() {
		List<TicketKey> seen = new ArrayList<>();
		this.source.subscribe(TestTicketKeyListeners.ofKeys(seen::addAll));
		TicketKey first = seen.get(0);
		advance(Duration.ofHours(12));
		assertThat(first.isDestroyed()).isFalse();
		advance(Duration.ofHours(24));
		assertThat(first.isDestroyed()).isTrue();
		this.source.close();
		assertThat(seen).allMatch(TicketKey::isDestroyed);
	}

	@Test
	void closedSourceRejectsListeners() {
		this.source.close();
		assertThatIllegalStateException().isThrownBy(() -> RecordedKeys.of(this.source));
	}

	@Test
	void removedListenerReceivesNoKeys() {
		List<List<TicketKey>> calls = new ArrayList<>();
		Registration registration = this.source.subscribe(TestTicketKeyListeners.ofKeys(calls::add));
		registration.remove();
		advance(Duration.ofHours(12));
		assertThat(calls).hasSize(1);
	}

	@Test
	void removedListenerIsNotCalled() throws Exception {
		AtomicBoolean publishing = new AtomicBoolean();
		AtomicBoolean removed = new AtomicBoolean();
		AtomicBoolean calledAfterwards = new AtomicBoolean();
		Thread[] remover = new Thread[1];
		this.source.subscribe(TestTicketKeyListeners.ofKeys((keys) -> {
			if (publishing.get()) {
				remover[0].start();
				Awaitility.await()
					.until(() -> remover[0].getState() == State.BLOCKED || remover[0].getState() == State.TERMINATED);
			}
		}));
		Registration registration = this.source
			.subscribe(TestTicketKeyListeners.ofKeys((keys) -> calledAfterwards.compareAndSet(false, removed.get())));
		remover[0] = new Thread(() -> {
			registration.remove();
			removed.set(true);
		});
		publishing.set(true);
		advance(Duration.ofHours(12));
		remover[0].join();
		assertThat(calledAfterwards).isFalse();
	}

	@Test
	void listenerThatFailsAtEndReceivesNewKeysAfterRetry() {
		FailingListener failing = new FailingListener();
		this.source.subscribe(failing);
		RecordedKeys behind = RecordedKeys.of(this.source);
		failing.failures = 1;
		this.source.endAll();
		assertThat(behind.encrypting()).isEqualTo(this.keys.encrypting());
		assertThat(failing.calls).containsExactly("keys", "end");
		this.source.ring.advance();
		assertThat(failing.calls).containsExactly("keys", "end", "end", "keys");
		this.source.ring.advance();
		assertThat(failing.calls).hasSize(4);
	}

	@Test
	void failedEndEndsNothing() {
		FailingRandom random = new FailingRandom();
		try (LocalTicketKeySource local = new LocalTicketKeySource(
				new TicketKeyRotation(Duration.ofHours(1), Duration.ofHours(1)), random, this.clock)) {
			RecordedKeys keys = RecordedKeys.of(local);
			random.setFailing(true);
			assertThatExceptionOfType(StackOverflowError.class).isThrownBy(local::endAll);
			random.setFailing(false);
			assertThat(keys.calls()).isOne();
			this.clock.advance(Duration.ofHours(1));
			local.ring.advance();
			assertThat(keys.calls()).isEqualTo(2);
		}
	}

	@Test
	void failingListenerDoesNotAffectOthersAndIsRetried() {
		FailingListener failing = new FailingListener();
		this.source.subscribe(failing);
		RecordedKeys behind = RecordedKeys.of(this.source);
		failing.failures = 1;
		advance(Duration.ofHours(12));
		assertThat(behind.encrypting()).isEqualTo(this.keys.encrypting());
		assertThat(this.source.status().failures()).isEqualTo(1);
		assertThat(this.source.status().isUp()).isFalse();
		this.source.ring.advance();
		assertThat(this.source.status().isUp()).isTrue();
		assertThat(failing.calls).hasSize(3);
		assertThat(this.source.status().failures()).isEqualTo(1);
	}

	@Test
	void failingRandomPreservesKnownKeys() {
		FailingRandom random = new FailingRandom();
		try (LocalTicketKeySource local = new LocalTicketKeySource(
				new TicketKeyRotation(Duration.ofHours(1), Duration.ofHours(1)), random, this.clock)) {
			RecordedKeys keys = RecordedKeys.of(local);
			String first = keys.encrypting();
			random.setFailing(true);
			this.clock.advance(Duration.ofHours(1));
			local.ring.advance();
			assertThat(keys.encrypting()).isEqualTo(first);
			assertThat(local.status().lastFailure()).isEqualTo("java.lang.StackOverflowError");
			random.setFailing(false);
			local.ring.advance();
			assertThat(keys.encrypting()).isNotEqualTo(first);
			assertThat(local.status().isUp()).isTrue();
		}
	}

	@Test
	void rotatesAutomatically() {
		try (LocalTicketKeySource local = new LocalTicketKeySource(
				new TicketKeyRotation(Duration.ofMillis(50), Duration.ofMillis(50)), new SecureRandom())) {
			RecordedKeys keys = RecordedKeys.of(local);
			Awaitility.await().until(() -> local.status().rotations() >= 3);
			assertThat(keys.calls()).isGreaterThan(3);
		}
	}

	@Test
	void rotationContinuesAfterError() {
		FailingRandom random = new FailingRandom();
		try (LocalTicketKeySource local = new LocalTicketKeySource(
				new TicketKeyRotation(Duration.ofMillis(50), Duration.ofMillis(50)), random)) {
			random.setFailing(true);
			Awaitility.await().until(() -> local.status().failures() > 0);
			random.setFailing(false);
			long before = local.status().rotations();
			Awaitility.await().until(() -> local.status().rotations() > before + 2);
		}
	}

	@ParameterizedTest
	@CsvSource(textBlock = """
			PT0S,  PT24H,     'interval must be from 1 millisecond to 3650 days, but was PT0S'
			PT-1S, PT24H,     'interval must be from 1 millisecond to 3650 days, but was PT-1S'
			PT12H, PT0S,      'lifetime must be from 1 millisecond to 3650 days, but was PT0S'
			PT12H, PT100000H, 'lifetime must be from 1 millisecond to 3650 days, but was PT100000H'
			PT1S,  PT256.1S,  'lifetime must be at most 256 times the interval PT1S, but was PT4M16.1S'
			""")
	void rejectsInvalidRotation(Duration interval, Duration lifetime, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> new TicketKeyRotation(interval, lifetime))
			.withMessage(message);
	}

	@ParameterizedTest
	@CsvSource({ "PT0.001S, PT0.256S", "P3650D, P3650D", "P3650D, PT0.001S" })
	void acceptsRotationAtLimits(Duration interval, Duration lifetime) {
		assertThat(new TicketKeyRotation(interval, lifetime).interval()).isEqualTo(interval);
	}

	private void advance(Duration time) {
		this.clock.advance(time);
		this.source.ring.advance();
	}

	private static final class FailingListener implements TicketKeyListener {

		private final List<String> calls = new ArrayList<>();

		private int failures;

		@Override
		public void keysChanged(List<TicketKey> keys) {
			record("keys");
		}

		@Override
		public void sessionsEnded() {
			record("end");
		}

		private void record(String call) {
			this.calls.add(call);
			if (this.failures > 0) {
				this.failures--;
				throw new StackOverflowError("of the test");
			}
		}

	}

}
