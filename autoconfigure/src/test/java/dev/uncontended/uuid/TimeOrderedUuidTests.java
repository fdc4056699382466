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
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link UuidGenerator#timeOrderedUuid()}.
 */
class TimeOrderedUuidTests {

	/** The order of the text, which equals the order of the unsigned bits. */
	private static final Comparator<UUID> ORDER = Comparator
		.<UUID, Long>comparing((uuid) -> uuid.getMostSignificantBits() + Long.MIN_VALUE)
		.thenComparing((uuid) -> uuid.getLeastSignificantBits() + Long.MIN_VALUE);

	private static final long NOW = 1_645_557_742_000L;

	private final AtomicLong millis = new AtomicLong(NOW);

	private final UuidGenerator generator = UuidGenerator.builder().clock(new SettableClock()).build();

	@AfterEach
	void close() {
		this.generator.close();
	}

	@Test
	void matchesRfcVector() {
		// rand_a 0xCC3 and the upper 8 bits of rand_b 0x18C4DC0C0C07398F.
		int counter = (0xCC3 << 8) | (int) (0x18C4DC0C0C07398FL >>> 54);
		assertThat(UuidGenerator.version7(NOW, counter, 0x18C4DC0C0C07398FL))
			.isEqualTo(UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
	}

	@Test
	void timestampIsTimeOfClock() {
		UUID uuid = this.generator.timeOrderedUuid();
		assertThat(uuid.version()).isEqualTo(7);
		assertThat(uuid.variant()).isEqualTo(2);
		assertThat(timestamp(uuid)).isEqualTo(NOW);
	}

	@Test
	void increasesWhileClockStandsStill() {
		assertThat(draw(this.generator, 300_000)).isSortedAccordingTo(ORDER)
			.doesNotHaveDuplicates()
			.allSatisfy((uuid) -> {
				if (timestamp(uuid) != NOW) {
					throw new AssertionError(uuid);
				}
			});
	}

	@Test
	void increasesWhenClockMovesBackwards() {
		UUID before = this.generator.timeOrderedUuid();
		this.millis.set(NOW - 3_600_000);
		UUID after = this.generator.timeOrderedUuid();
		assertThat(ORDER.compare(after, before)).isPositive();
		assertThat(timestamp(after)).isEqualTo(NOW);
	}

	@Test
	void followsClockOnceItHasCaughtUp() {
		this.generator.timeOrderedUuid();
		this.millis.set(NOW - 1000);
		this.generator.timeOrderedUuid();
		this.millis.set(NOW + 1);
		assertThat(timestamp(this.generator.timeOrderedUuid())).isEqualTo(NOW + 1);
	}

	@Test
	void followsJumpOfClock() {
		UUID before = this.generator.timeOrderedUuid();
		this.millis.set(NOW + 86_400_000);
		UUID after = this.generator.timeOrderedUuid();
		assertThat(timestamp(after)).isEqualTo(NOW + 86_400_000);
		assertThat(ORDER.compare(after, before)).isPositive();
	}

	@Test
	void counterOverflowCarriesIntoTimestamp() {
		TimeSequence sequence = new TimeSequence(NOW);
		sequence.next(NOW + 1, 0, 1);
		long last = 0;
		for (int i = 0; i < 1 << TimeSequence.COUNTER_BITS; i++) {
			last = sequence.next(NOW + 1, 0, 1);
		}
		assertThat(sequence.millis(last)).isEqualTo(NOW + 2);
		assertThat(TimeSequence.counter(last)).isZero();
	}

	@Test
	void counterStartsAtRandomInEachMillisecond() {
		Set<Integer> starts = new HashSet<>();
		for (int i = 1; i <= 1000; i++) {
			this.millis.set(NOW + i);
			starts.add(counter(this.generator.timeOrderedUuid()));
		}
		assertThat(starts).hasSizeGreaterThan(980).allMatch((start) -> start < 1 << 19);
		assertThat(starts).anyMatch((start) -> start > 1 << 18).anyMatch((start) -> start < 1 << 18);
	}

	@Test
	void counterIncrementsWithinMillisecond() {
		this.millis.set(NOW + 1);
		int first = counter(this.generator.timeOrderedUuid());
		assertThat(counter(this.generator.timeOrderedUuid())).isEqualTo(first + 1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1970-01-01T00:00:00Z", "2248-12-31T23:59:59Z", "2527-06-24T00:00:00Z",
			"9999-12-31T23:59:59Z" })
	void supportsTimesOfAnyCentury(Instant instant) {
		this.millis.set(instant.toEpochMilli());
		try (UuidGenerator clocked = UuidGenerator.builder().clock(new SettableClock()).build()) {
			assertThat(timestamp(clocked.timeOrderedUuid())).isEqualTo(instant.toEpochMilli());
			this.millis.addAndGet(1000);
			assertThat(timestamp(clocked.timeOrderedUuid())).isEqualTo(instant.toEpochMilli() + 1000);
		}
	}

	@Test
	void rejectsClockCenturiesAheadUntilCorrected() {
		UUID before = this.generator.timeOrderedUuid();
		this.millis.set(NOW + Duration.ofDays(279 * 366).toMillis());
		assertThatIllegalStateException().isThrownBy(this.generator::timeOrderedUuid)
			.withMessageContaining("after 2300-11-19T10:32:44.207Z, which is 278 years after the start");
		this.millis.set(NOW + 1);
		UUID after = this.generator.timeOrderedUuid();
		assertThat(timestamp(after)).isEqualTo(NOW + 1);
		assertThat(ORDER.compare(after, before)).isPositive();
	}

	@Test
	void rejectsOverflowOfWord() {
		TimeSequence sequence = new TimeSequence(NOW);
		long end = NOW + (Long.MAX_VALUE >>> TimeSequence.COUNTER_BITS);
		long before = sequence.next(end, 0, 1);
		for (int i = 1; i < 1 << TimeSequence.COUNTER_BITS; i++) {
			long next = sequence.next(end, 0, 1);
			assertThat(next).isGreaterThan(before);
			before = next;
		}
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(end, 0, 1));
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(end, 0, 1));
	}

	@Test
	void rejectsOverflowOfTimestamp() {
		long end = (1L << 48) - 1;
		TimeSequence sequence = new TimeSequence(end);
		assertThat(sequence.millis(sequence.next(end, 0, 1))).isEqualTo(end);
		assertThatIllegalStateException().isThrownBy(() -> {
			for (int i = 0; i < 1 << TimeSequence.COUNTER_BITS; i++) {
				sequence.next(end, 0, 1);
			}
		}).withMessageContaining("10889");
	}

	@Test
	void drawsFiftyFourNewBitsForEachUuid() {
		long seen = 0;
		long always = -1;
		Set<Long> randomBits = new HashSet<>();
		for (int i = 0; i < 5_000; i++) {
			long bits = this.generator.timeOrderedUuid().getLeastSignificantBits() & ((1L << 54) - 1);
			seen |= bits;
			always &= bits;
			randomBits.add(bits);
		}
		assertThat(Long.bitCount(seen)).isEqualTo(54);
		assertThat(always).isZero();
		assertThat(randomBits).hasSize(5_000);
	}

	@Test
	void increasesAcrossGeneratorsOfProcess() {
		try (UuidGenerator first = UuidGenerator.builder().build();
				UuidGenerator second = UuidGenerator.builder().build()) {
			List<UUID> uuids = Stream.iterate(0, (i) -> i + 1)
				.limit(100_000)
				.map((i) -> ((i % 2 == 0) ? first : second).timeOrderedUuid())
				.toList();
			assertThat(uuids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
		}
	}

	@Test
	void increasesAcrossThreadsWithoutRepetition() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(16);
		try (UuidGenerator shared = UuidGenerator.builder().build()) {
			List<Future<List<UUID>>> results = new ArrayList<>();
			for (int i = 0; i < 16; i++) {
				results.add(executor.submit(() -> draw(shared, 20_000)));
			}
			Set<UUID> all = new HashSet<>();
			for (Future<List<UUID>> result : results) {
				assertThat(result.get()).isSortedAccordingTo(ORDER);
				all.addAll(result.get());
			}
			assertThat(all).hasSize(16 * 20_000);
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void staysAtClockUnderLoad() {
		for (int i = 0; i < 500_000; i++) {
			// A thousand UUIDs a millisecond.
			this.millis.addAndGet((i % 1000 == 0) ? 1 : 0);
			assertThat(timestamp(this.generator.timeOrderedUuid())).isEqualTo(this.millis.get());
		}
	}

	@Test
	void filledArrayIsConsecutive() {
		UUID before = this.generator.timeOrderedUuid();
		UUID[] uuids = new UUID[10_000];
		this.generator.fillTimeOrdered(uuids);
		UUID after = this.generator.timeOrderedUuid();
		assertThat(uuids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
		assertThat(ORDER.compare(before, uuids[0])).isNegative();
		assertThat(counter(uuids[9_999]) - counter(uuids[0])).isEqualTo(9_999);
		assertThat(counter(after) - counter(uuids[9_999])).isEqualTo(1);
	}

	@Test
	void elementsOfFilledArrayHaveDifferentRandomBits() {
		UUID[] uuids = new UUID[1000];
		this.generator.fillTimeOrdered(uuids);
		assertThat(Stream.of(uuids).map((uuid) -> uuid.getLeastSignificantBits() & ((1L << 54) - 1)).distinct())
			.hasSize(1000);
		assertThat(uuids).allMatch((uuid) -> uuid.version() == 7 && uuid.variant() == 2);
	}

	@Test
	void filledArrayFollowsUuidsBeforeClockMovedBackwards() {
		UUID before = this.generator.timeOrderedUuid();
		this.millis.set(NOW - 3_600_000);
		UUID[] uuids = new UUID[100];
		this.generator.fillTimeOrdered(uuids);
		assertThat(ORDER.compare(uuids[0], before)).isPositive();
		assertThat(uuids).isSortedAccordingTo(ORDER).allMatch((uuid) -> timestamp(uuid) == NOW);
	}

	@Test
	void clockMayMoveBackwardsWhileArrayIsFilled() {
		Iterator<Long> times = List.of(NOW, NOW + 1, NOW - 1000, NOW - 1000).iterator();
		try (UuidGenerator unsteady = UuidGenerator.builder().clock(new SettableClock() {

			@Override
			public long millis() {
				return times.next();
			}

		}).build()) {
			UUID[] first = new UUID[1000];
			UUID[] second = new UUID[1000];
			unsteady.fillTimeOrdered(first);
			unsteady.fillTimeOrdered(second);
			assertThat(Stream.concat(Stream.of(first), Stream.of(second)).toList()).isSortedAccordingTo(ORDER)
				.doesNotHaveDuplicates();
		}
	}

	@Test
	void counterOverflowsInMiddleOfFilledArray() {
		UUID[] uuids = new UUID[1_100_000];
		this.millis.set(NOW + 1);
		this.generator.fillTimeOrdered(uuids);
		assertThat(uuids).isSortedAccordingTo(ORDER);
		assertThat(Set.of(uuids[0], uuids[1_099_999])).extracting(TimeOrderedUuidTests::timestamp)
			.contains(NOW + 1, NOW + 2);
		assertThat(ORDER.compare(this.generator.timeOrderedUuid(), uuids[1_099_999])).isPositive();
	}

	@Test
	void reservationPastEndOfTimeIsRejected() {
		long end = (1L << 48) - 1;
		int most = 1 << TimeSequence.COUNTER_BITS;
		assertThatIllegalStateException().isThrownBy(() -> new TimeSequence(end - 1).next(end, 0, most + 1));
		assertThat(new TimeSequence(end - 1).next(end, 0, most)).isEqualTo(most);
	}

	@Test
	void refusedReservationIsTakenBack() {
		long end = (1L << 48) - 1;
		TimeSequence sequence = new TimeSequence(end);
		assertThat(sequence.next(end, 0, 1)).isEqualTo(1);
		assertThatIllegalStateException().isThrownBy(() -> sequence.next(end, 0, 1 << TimeSequence.COUNTER_BITS));
		assertThat(sequence.next(end, 0, 1)).isEqualTo(2);
	}

	@Test
	void refusedReservationsOfThreadsDoNotRepeatValues() throws Exception {
		long end = (1L << 48) - 1;
		TimeSequence sequence = new TimeSequence(end);
		Map<Long, Integer> reserved = new ConcurrentSkipListMap<>();
		ExecutorService executor = Executors.newFixedThreadPool(4);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < 4; i++) {
				int count = (i == 0) ? 1 : i << (TimeSequence.COUNTER_BITS - 1);
				results.add(executor.submit(() -> {
					for (int n = 0; n < 50_000; n++) {
						try {
							assertThat(reserved.put(sequence.next(end, 0, count), count)).isNull();
						}
						catch (IllegalStateException ex) {
							// The reservation ends after the range.
						}
					}
				}));
			}
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdown();
		}
		long next = 1;
		for (Map.Entry<Long, Integer> reservation : reserved.entrySet()) {
			assertThat(reservation.getKey()).isGreaterThanOrEqualTo(next);
			next = reservation.getKey() + reservation.getValue();
		}
		assertThat(next).isGreaterThan(1).isLessThanOrEqualTo(1 << TimeSequence.COUNTER_BITS);
	}

	@Test
	void fillsEmptyArray() {
		this.generator.fillTimeOrdered(new UUID[0]);
		assertThat(this.generator.stats().timeOrdered()).isZero();
	}

	@Test
	void fillRejectsNull() {
		assertThatNullPointerException().isThrownBy(() -> this.generator.fillTimeOrdered(null))
			.withMessage("destination must not be null");
	}

	@Test
	void arraysOfThreadsDoNotOverlap() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(8);
		try (UuidGenerator shared = UuidGenerator.builder().build()) {
			List<Future<List<UUID[]>>> results = new ArrayList<>();
			for (int i = 0; i < 8; i++) {
				int size = 1 + 97 * i;
				results.add(executor.submit(
						() -> Stream.generate(() -> new UUID[size]).limit(200).peek(shared::fillTimeOrdered).toList()));
			}
			List<UUID[]> arrays = new ArrayList<>();
			for (Future<List<UUID[]>> result : results) {
				assertThat(result.get()).isSortedAccordingTo(Comparator.comparing((array) -> array[0], ORDER));
				arrays.addAll(result.get());
			}
			arrays.sort(Comparator.comparing((array) -> array[0], ORDER));
			List<UUID> all = arrays.stream().flatMap(Stream::of).toList();
			assertThat(all).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void everySlotBecomesUuid() {
		this.generator.timeOrderedUuid();
		this.generator.fillTimeOrdered(new UUID[1000]);
		assertThat(this.generator.stats().timeOrdered()).isEqualTo(1001);
		assertThat(this.generator.stats().pool().draws()).isEqualTo(1001);
	}

	private static List<UUID> draw(UuidGenerator generator, int count) {
		List<UUID> uuids = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			uuids.add(generator.timeOrderedUuid());
		}
		return uuids;
	}

	private static int counter(UUID uuid) {
		return (int) ((uuid.getMostSignificantBits() & 0xFFF) << 8 | ((uuid.getLeastSignificantBits() >>> 54) & 0xFF));
	}

	private static long timestamp(UUID uuid) {
		return uuid.getMostSignificantBits() >>> 16;
	}

	private class SettableClock extends Clock {

		@Override
		public long millis() {
			return TimeOrderedUuidTests.this.millis.get();
		}

		@Override
		public Instant instant() {
			return Instant.ofEpochMilli(millis());
		}

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
