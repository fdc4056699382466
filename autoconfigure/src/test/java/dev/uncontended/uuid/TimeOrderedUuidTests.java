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
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
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
	static final Comparator<UUID> ORDER = Comparator
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
		long fraction = (0xCC3 << 8) | (0x18C4DC0C0C07398FL >>> 54);
		assertThat(UuidGenerator.version7At((NOW << TimeSequence.FRACTION_BITS) | fraction, 0x18C4DC0C0C07398FL << 10))
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
	void containsFractionOfMillisecond() {
		Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456789Z"), ZoneOffset.UTC);
		try (UuidGenerator clocked = UuidGenerator.builder().clock(clock).build()) {
			UUID uuid = clocked.timeOrderedUuid();
			assertThat(timestamp(uuid)).isEqualTo(clock.millis());
			assertThat(fraction(uuid)).isEqualTo((int) (0.456789 * (1 << 20)));
		}
	}

	@Test
	void fractionIncrementsWhileClockStandsStill() {
		assertThat(fraction(this.generator.timeOrderedUuid())).isZero();
		assertThat(fraction(this.generator.timeOrderedUuid())).isEqualTo(1);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1970-01-01T00:00:00.001Z", "2248-09-26T15:10:22.206Z" })
	void supportsTimesFrom1970To2248(Instant instant) {
		this.millis.set(instant.toEpochMilli());
		assertThat(timestamp(this.generator.timeOrderedUuid())).isEqualTo(instant.toEpochMilli());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1969-12-31T23:59:59.999Z", "2248-09-26T15:10:22.208Z", "9999-12-31T23:59:59Z" })
	void rejectsTimesOutOfRangeUntilClockIsCorrected(Instant instant) {
		UUID before = this.generator.timeOrderedUuid();
		this.millis.set(instant.toEpochMilli());
		assertThatIllegalStateException().isThrownBy(this.generator::timeOrderedUuid)
			.withMessage("Failed to create a version 7 UUID: the time is not from 1970 to 2248-09-26T15:10:22.207Z. "
					+ "Check the clock.");
		this.millis.set(NOW + 1);
		UUID after = this.generator.timeOrderedUuid();
		assertThat(timestamp(after)).isEqualTo(NOW + 1);
		assertThat(ORDER.compare(after, before)).isPositive();
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
	void increasesAcrossThreadsWithOwnClockThatMovesBackwards() throws Exception {
		List<UUID> uuids = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			this.millis.addAndGet((i % 3 == 0) ? -10 : 4);
			uuids.add(CompletableFuture.supplyAsync(this.generator::timeOrderedUuid, (task) -> new Thread(task).start())
				.get());
		}
		assertThat(uuids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
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
		assertThat(fraction(uuids[0]) - fraction(before)).isEqualTo(1);
		assertThat(fraction(uuids[9_999]) - fraction(uuids[0])).isEqualTo(9_999);
		assertThat(fraction(after) - fraction(uuids[9_999])).isEqualTo(1);
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
			public Instant instant() {
				return Instant.ofEpochMilli(times.next());
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
	void fractionOverflowsIntoTimestamp() {
		UUID[] uuids = new UUID[(1 << 20) + 1];
		this.generator.fillTimeOrdered(uuids);
		assertThat(uuids).isSortedAccordingTo(ORDER);
		assertThat(timestamp(uuids[(1 << 20) - 1])).isEqualTo(NOW);
		assertThat(timestamp(uuids[1 << 20])).isEqualTo(NOW + 1);
		assertThat(fraction(uuids[1 << 20])).isZero();
	}

	@Test
	void followsClockOnceItHasPassedFilledArray() {
		this.generator.fillTimeOrdered(new UUID[1 << 20]);
		this.millis.set(NOW + 1);
		UUID uuid = this.generator.timeOrderedUuid();
		assertThat(timestamp(uuid)).isEqualTo(NOW + 1);
		assertThat(fraction(uuid)).isZero();
	}

	@Test
	void fillsEmptyArray() {
		this.generator.fillTimeOrdered(new UUID[0]);
		assertThat(this.generator.stats().generated(7)).isZero();
	}

	@Test
	void fillRejectsNull() {
		assertThatNullPointerException().isThrownBy(() -> this.generator.fillTimeOrdered(null))
			.withMessage("destination must not be null");
	}

	@Test
	void everySlotBecomesUuid() {
		this.generator.timeOrderedUuid();
		this.generator.fillTimeOrdered(new UUID[1000]);
		assertThat(this.generator.stats().generated(7)).isEqualTo(1001);
		assertThat(this.generator.stats().pool().draws()).isEqualTo(1001);
	}

	private static List<UUID> draw(UuidGenerator generator, int count) {
		List<UUID> uuids = new ArrayList<>(count);
		for (int i = 0; i < count; i++) {
			uuids.add(generator.timeOrderedUuid());
		}
		return uuids;
	}

	private static int fraction(UUID uuid) {
		return (int) ((uuid.getMostSignificantBits() & 0xFFF) << 8 | ((uuid.getLeastSignificantBits() >>> 54) & 0xFF));
	}

	private static long timestamp(UUID uuid) {
		return uuid.getMostSignificantBits() >>> 16;
	}

	private class SettableClock extends Clock {

		@Override
		public Instant instant() {
			return Instant.ofEpochMilli(TimeOrderedUuidTests.this.millis.get());
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
