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
package dev.uncontended.tls.tickets.internal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.TestTicketKeyListeners;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.internal.TicketKeyRing.Schedule;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TicketKeyRing} with schedules of the test.
 */
class TicketKeyRingTests {

	private static final Duration WAIT = Duration.ofSeconds(30);

	private final ManualTicketClock clock = new ManualTicketClock();

	private final ScheduledKey first = new ScheduledKey(key(), 0, ScheduledKey.UNKNOWN);

	private final List<TicketKeyRing> rings = new ArrayList<>();

	@AfterEach
	void close() {
		this.rings.forEach(TicketKeyRing::close);
	}

	@Test
	void threadRotatesWhenKeyIsActivated() {
		this.clock.advance(Duration.ofDays(1));
		long soon = Duration.ofDays(1).plusMillis(20).toNanos();
		TicketKeyRing ring = ring(
				(keys, now) -> List.of(this.first, new ScheduledKey(key(), soon, ScheduledKey.UNKNOWN)));
		assertThat(ring.status("test", null, null).rotations()).isZero();
		this.clock.advance(Duration.ofMillis(20));
		Awaitility.await().atMost(WAIT).until(() -> ring.status("test", null, null).rotations() > 0);
	}

	@Test
	void threadSleepsUntilNextChange() throws Exception {
		Duration start = Duration.ofDays(1);
		this.clock.advance(start);
		AtomicInteger calls = new AtomicInteger();
		ScheduledKey next = new ScheduledKey(key(), start.plusSeconds(50).toNanos(), ScheduledKey.UNKNOWN);
		ring((keys, now) -> {
			calls.incrementAndGet();
			return List.of(this.first, next);
		});
		CountDownLatch others = new CountDownLatch(5);
		ScheduledKey soon = new ScheduledKey(key(), start.plusMillis(20).toNanos(), ScheduledKey.UNKNOWN);
		ring((keys, now) -> {
			others.countDown();
			return List.of(this.first, soon);
		});
		others.await();
		assertThat(calls).hasValueLessThan(5);
	}

	@Test
	void threadDoesNotKeepJvmRunning() {
		AtomicReference<@Nullable Thread> thread = new AtomicReference<>();
		Thread test = Thread.currentThread();
		ScheduledKey soon = new ScheduledKey(key(), 1_000_000, ScheduledKey.UNKNOWN);
		ring((keys, now) -> {
			if (Thread.currentThread() != test) {
				thread.set(Thread.currentThread());
			}
			return List.of(this.first, soon);
		});
		assertThat(Awaitility.await().atMost(WAIT).until(thread::get, (started) -> started != null)).satisfies(
				(started) -> assertThat(started.isDaemon()).isTrue(),
				(started) -> assertThat(started.getName()).isEqualTo("uncontended-ticket-keys"));
	}

	@Test
	void closeEndsThread() throws Exception {
		ThreadGroup group = new ThreadGroup("ring");
		runIn(group, () -> {
			TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
			assertThat(group.activeCount()).isEqualTo(2);
			ring.close();
		});
		Awaitility.await().atMost(WAIT).until(() -> group.activeCount() == 0);
	}

	@Test
	void ringWithoutActivatedKeyIsNotCreated() throws Exception {
		ScheduledKey later = new ScheduledKey(key(), 1, ScheduledKey.UNKNOWN);
		ThreadGroup group = new ThreadGroup("ring");
		runIn(group,
				() -> assertThatIllegalStateException()
					.isThrownBy(() -> ring((keys, now) -> List.of(later, this.first.decryptingOnly())))
					.withMessage("Failed to update the ticket keys: no key is activated"));
		Awaitility.await().atMost(WAIT).until(() -> group.activeCount() == 0);
	}

	@Test
	void unchangedKeysAreNotPublishedAgain() {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		AtomicInteger calls = new AtomicInteger();
		ring.subscribe(TestTicketKeyListeners.ofKeys((keys) -> calls.incrementAndGet()));
		ring.advance();
		assertThat(calls).hasValue(1);
	}

	@Test
	void ageIsTimeSinceLastSuccess() {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		this.clock.advance(Duration.ofSeconds(10));
		assertThat(ring.status("test", WAIT, null).age()).isEqualTo(Duration.ofSeconds(10));
		ring.recordReached(null);
		assertThat(ring.status("test", WAIT, null).lastReached()).isEqualTo(this.clock.wallTime());
		this.clock.advance(Duration.ofSeconds(3));
		assertThat(ring.status("test", WAIT, null).age()).isEqualTo(Duration.ofSeconds(3));
		assertThat(ring.status("test", null, null).age()).isNull();
	}

	@Test
	void successClearsLastFailure() {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		ring.recordFailure("Failed to read", new IllegalStateException(new IllegalArgumentException()),
				this.clock.elapsedNanos());
		assertThat(ring.status("test", null, null).lastFailure())
			.isEqualTo("Failed to read: java.lang.IllegalStateException caused by java.lang.IllegalArgumentException");
		ring.recordReached(null);
		assertThat(ring.status("test", null, null).lastFailure()).isNull();
		assertThat(ring.status("test", null, null).failures()).isOne();
	}

	@Test
	void failureBeforeLastSuccessIsOnlyCounted() {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		long time = this.clock.elapsedNanos();
		this.clock.advance(Duration.ofNanos(1));
		ring.recordReached(null);
		ring.recordFailure("Failed to read", new IllegalStateException(), time);
		assertThat(ring.status("test", null, null).isUp()).isTrue();
		assertThat(ring.status("test", null, null).failures()).isOne();
	}

	@Test
	void updateDoesNotClearFailureOfSource() {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		ring.recordFailure(new IllegalStateException());
		ring.advance();
		assertThat(ring.status("test", null, null).isUp()).isFalse();
	}

	/**
	 * The lock is reentrant: only another thread detects that it is still held.
	 */
	@ParameterizedTest
	@MethodSource
	void releasesLock(Consumer<TicketKeyRing> operation) {
		TicketKeyRing ring = ring((keys, now) -> List.of(this.first));
		operation.accept(ring);
		assertThat(CompletableFuture.supplyAsync(() -> ring.status("test", null, null))).succeedsWithin(WAIT);
	}

	static Stream<Named<Consumer<TicketKeyRing>>> releasesLock() {
		TicketKeyListener listener = TestTicketKeyListeners.ofEnds(() -> {
		});
		return Stream.of(Named.of("subscribe", (ring) -> ring.subscribe(listener)),
				Named.of("remove", (ring) -> ring.subscribe(listener).remove()),
				Named.of("update", (ring) -> ring.update(UnaryOperator.identity())),
				Named.of("end", (ring) -> ring.end(UnaryOperator.identity())),
				Named.of("recordReached", (ring) -> ring.recordReached(null)),
				Named.of("recordFailure", (ring) -> ring.recordFailure(new IllegalStateException())),
				Named.of("recordEnd", (ring) -> ring.recordEnd(Reach.THIS_NODE)),
				Named.of("status", (ring) -> ring.status("test", null, null)), Named.of("close", TicketKeyRing::close));
	}

	private TicketKeyRing ring(Schedule schedule) {
		TicketKeyRing ring = new TicketKeyRing(this.clock, schedule);
		this.rings.add(ring);
		return ring;
	}

	private static TicketKey key() {
		return TicketKey.generate(new SecureRandom());
	}

	private static void runIn(ThreadGroup group, Runnable action) throws Exception {
		FutureTask<Object> task = new FutureTask<>(Executors.callable(action));
		new Thread(group, task).start();
		task.get();
	}

}
