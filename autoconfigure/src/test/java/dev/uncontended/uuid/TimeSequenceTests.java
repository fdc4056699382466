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

package dev.uncontended.uuid;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TimeSequence}.
 */
class TimeSequenceTests {

	private static final int THREADS = 16;

	private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

	@Test
	void timeIsReadingOfClock() {
		TimeSequence sequence = new TimeSequence(2);
		sequence.next(NOW, 1);
		assertThat(sequence.next(NOW.plusNanos(500_000), 1)).isEqualTo((NOW.toEpochMilli() << 20) + (1 << 19));
	}

	@Test
	void refusedTimesAreNotTaken() {
		Instant end = Instant.ofEpochMilli(TimeSequence.MAX_MILLIS);
		TimeSequence sequence = new TimeSequence(1);
		long first = sequence.next(end, 1);
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(end, 1 << 20));
		assertThat(sequence.next(end, (1 << 20) - 3)).isEqualTo(first + 1);
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(end, 1));
	}

	@ParameterizedTest
	@MethodSource("extremes")
	void extremeTimesAreRefused(Instant extreme) {
		TimeSequence sequence = new TimeSequence(1);
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(extreme, 1))
			.withMessageContaining("the time is not from 1970 to 2248");
	}

	static Stream<Instant> extremes() {
		return Stream.of(Instant.MIN, Instant.EPOCH.minusNanos(1), Instant.MAX);
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 2, 64 })
	void timesOfThreadsIncreaseAndThreadsOfOneCellShareNone(int cells) throws Exception {
		TimeSequence sequence = new TimeSequence(cells);
		Clock clock = new UnsteadyClock();
		List<List<long[]>> taken = inThreads(() -> {
			List<long[]> times = new ArrayList<>();
			for (int i = 0; i < 50_000; i++) {
				int count = 1 + i % 3;
				long first = sequence.next(clock.instant(), count);
				times.add(new long[] { first, first + count - 1 });
			}
			return times;
		});
		taken.forEach(TimeSequenceTests::assertIncreasing);
		if (cells == 1) {
			List<long[]> all = new ArrayList<>();
			taken.forEach(all::addAll);
			all.sort((left, right) -> Long.compare(left[0], right[0]));
			assertIncreasing(all);
		}
	}

	@Test
	void uuidsOfThreadsIncreaseWhenStripesAreBusyAndPoolsAreWiped() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder()
			.stripes(2)
			.bufferSize(64)
			.clock(new UnsteadyClock(), new TimeSequence(2))
			.build()) {
			Thread wiper = new Thread(() -> {
				while (!Thread.currentThread().isInterrupted()) {
					generator.suspend();
					generator.resume();
				}
			});
			wiper.start();
			try {
				List<List<UUID>> created = inThreads(() -> {
					List<UUID> uuids = new ArrayList<>();
					for (int i = 0; i < 5_000; i++) {
						UUID[] bulk = new UUID[i % 7];
						uuids.add(generator.timeOrderedUuid());
						generator.fillTimeOrdered(bulk);
						uuids.addAll(List.of(bulk));
					}
					return uuids;
				});
				assertThat(created)
					.allSatisfy((uuids) -> assertThat(uuids).isSortedAccordingTo(TimeOrderedUuidTests.ORDER)
						.doesNotHaveDuplicates());
			}
			finally {
				wiper.interrupt();
				wiper.join();
			}
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 100, 279, 1_000, 1_000_000, 1_000_000_000 })
	void uuidsIncreaseAcrossHandOversWithAnyStep(long step) throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().clock(new MonotonicClock(step)).build()) {
			assertThat(handOver(generator, 20_000)).isSortedAccordingTo(TimeOrderedUuidTests.ORDER)
				.doesNotHaveDuplicates();
		}
	}

	@Test
	void timesOfBulkPassBeforeItIsHandedOver() throws Exception {
		try (UuidGenerator generator = UuidGenerator.builder().clock(new MonotonicClock(1)).build()) {
			List<UUID> handedOver = new ArrayList<>();
			for (int i = 0; i < 50; i++) {
				UUID[] bulk = new UUID[10_000];
				generator.fillTimeOrdered(bulk);
				handedOver.add(bulk[0]);
				handedOver.add(bulk[bulk.length - 1]);
				handedOver
					.add(CompletableFuture.supplyAsync(generator::timeOrderedUuid, (task) -> new Thread(task).start())
						.get());
			}
			assertThat(handedOver).isSortedAccordingTo(TimeOrderedUuidTests.ORDER).doesNotHaveDuplicates();
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	void uuidsOfVirtualThreadsIncrease() throws Exception {
		ExecutorService executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor")
			.invoke(null);
		try (UuidGenerator generator = UuidGenerator.builder()
			.clock(new UnsteadyClock(), new TimeSequence(2))
			.build()) {
			List<Future<List<UUID>>> results = new ArrayList<>();
			for (int i = 0; i < 1000; i++) {
				results.add(executor.submit(() -> {
					List<UUID> uuids = new ArrayList<>();
					for (int n = 0; n < 100; n++) {
						uuids.add(generator.timeOrderedUuid());
						Thread.yield();
					}
					return uuids;
				}));
			}
			for (Future<List<UUID>> result : results) {
				assertThat(result.get(1, TimeUnit.MINUTES)).isSortedAccordingTo(TimeOrderedUuidTests.ORDER)
					.doesNotHaveDuplicates();
			}
		}
		finally {
			executor.shutdownNow();
		}
	}

	@Test
	@EnabledOnOs(OS.LINUX)
	void threadsHaveCellsOfTheirOwnOnLinux() {
		assertThat(TimeSequence.isCoarse(Clock.systemUTC())).isFalse();
	}

	@Test
	void offsetDoesNotMakeClockCoarse() {
		assertThat(TimeSequence.isCoarse(Clock.offset(Clock.systemUTC(), Duration.ofDays(-30))))
			.isEqualTo(TimeSequence.isCoarse(Clock.systemUTC()));
	}

	/**
	 * The steps of Windows, of the ACPI timer of Linux, of macOS, and of test clocks.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 100, 279.365, 1_000, 1_000_000 })
	void recognizesCoarseClock(double step) {
		for (int seed = 0; seed < 1_000; seed++) {
			assertThat(TimeSequence.isCoarse(new SteppingClock(step, seed))).as("seed %d", seed).isTrue();
		}
	}

	/**
	 * The steps of Linux, of a timer of ARM processors, and of the HPET.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 2, 41.667, 69.841 })
	void recognizesFineClock(double step) {
		for (int seed = 0; seed < 1_000; seed++) {
			assertThat(TimeSequence.isCoarse(new SteppingClock(step, seed))).as("seed %d", seed).isFalse();
		}
	}

	@Test
	void recognizesClockThatStandsStill() {
		assertThat(TimeSequence.isCoarse(Clock.fixed(NOW.plusNanos(1), ZoneOffset.UTC))).isTrue();
	}

	/**
	 * Returns UUIDs of two threads, each of which creates a UUID after it has received
	 * the other's last one.
	 */
	private static List<UUID> handOver(UuidGenerator generator, int count) throws Exception {
		SynchronousQueue<List<UUID>> there = new SynchronousQueue<>();
		SynchronousQueue<List<UUID>> back = new SynchronousQueue<>();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<?> other = executor.submit(() -> {
				for (int i = 0; i < count; i++) {
					List<UUID> uuids = there.take();
					uuids.add(generator.timeOrderedUuid());
					uuids.add(generator.timeOrderedUuid());
					back.put(uuids);
				}
				return null;
			});
			List<UUID> uuids = new ArrayList<>();
			for (int i = 0; i < count; i++) {
				uuids.add(generator.timeOrderedUuid());
				uuids.add(generator.timeOrderedUuid());
				there.put(uuids);
				uuids = back.take();
			}
			other.get(1, TimeUnit.MINUTES);
			return uuids;
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static <T> List<T> inThreads(Callable<T> task) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS);
		CountDownLatch start = new CountDownLatch(THREADS);
		try {
			List<Future<T>> results = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				results.add(executor.submit(() -> {
					start.countDown();
					start.await();
					return task.call();
				}));
			}
			List<T> all = new ArrayList<>();
			for (Future<T> result : results) {
				all.add(result.get(1, TimeUnit.MINUTES));
			}
			return all;
		}
		finally {
			executor.shutdownNow();
		}
	}

	private static void assertIncreasing(List<long[]> intervals) {
		for (int i = 1; i < intervals.size(); i++) {
			if (intervals.get(i)[0] <= intervals.get(i - 1)[1]) {
				throw new AssertionError(
						"Time %d is not after %d".formatted(intervals.get(i)[0], intervals.get(i - 1)[1]));
			}
		}
	}

	/** A clock of milliseconds, which moves to and fro. */
	private static final class UnsteadyClock extends TestClock {

		@Override
		public Instant instant() {
			return NOW.plusMillis(ThreadLocalRandom.current().nextInt(3));
		}

	}

	/** A clock that runs, and is never set. Its steps are a number of nanoseconds. */
	private static final class MonotonicClock extends TestClock {

		private final long start = System.nanoTime();

		private final long step;

		MonotonicClock(long step) {
			this.step = step;
		}

		@Override
		public Instant instant() {
			long elapsed = System.nanoTime() - this.start;
			return NOW.plusNanos(elapsed - elapsed % this.step);
		}

	}

	/** A clock that makes 10 to 19 steps between readings. */
	private static final class SteppingClock extends TestClock {

		private final double step;

		private final Random random;

		private long steps;

		SteppingClock(double step, long seed) {
			this.step = step;
			this.random = new Random(seed);
		}

		@Override
		public Instant instant() {
			this.steps += 10 + this.random.nextInt(10);
			return NOW.plusNanos((long) (this.steps * this.step));
		}

	}

	private abstract static class TestClock extends Clock {

		@Override
		public ZoneId getZone() {
			return ZoneOffset.UTC;
		}

		@Override
		public Clock withZone(ZoneId zone) {
			return this;
		}

	}

}
