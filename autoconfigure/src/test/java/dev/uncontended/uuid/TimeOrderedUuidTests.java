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

import java.security.ProviderException;
import java.security.Security;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
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
	void failedFillTakesNoTime() {
		TimeSequence sequence = new TimeSequence(1);
		UuidGenerator closed = UuidGenerator.builder().clock(new SettableClock(), sequence).build();
		closed.close();
		for (int i = 0; i < 100; i++) {
			assertThatIllegalStateException().isThrownBy(() -> closed.fillTimeOrdered(new UUID[1 << 20]));
		}
		assertThat(sequence.next(Instant.ofEpochMilli(NOW), 1)).isEqualTo(NOW << TimeSequence.FRACTION_BITS);
	}

	@Test
	void fillThatFailsHalfwayTakesTimesOfFewMoreIds() {
		FaultyProvider provider = new FaultyProvider();
		Security.addProvider(provider);
		TimeSequence sequence = new TimeSequence(1);
		try (UuidGenerator faulty = UuidGenerator.builder()
			.algorithm("Faulty")
			.stripes(1)
			.bufferSize(64)
			.clock(new SettableClock(), sequence)
			.build()) {
			faulty.timeOrderedUuid();
			provider.fail(Fault.THROWS_HALFWAY);
			assertThatExceptionOfType(ProviderException.class)
				.isThrownBy(() -> faulty.fillTimeOrdered(new UUID[1 << 20]));
			assertThat(sequence.next(Instant.ofEpochMilli(NOW), 1) - (NOW << TimeSequence.FRACTION_BITS))
				.isLessThan(1_000);
		}
		finally {
			Security.removeProvider(FaultyProvider.NAME);
		}
	}

	@Test
	void filledArrayFollowsClock() {
		AtomicLong readings = new AtomicLong();
		try (UuidGenerator running = UuidGenerator.builder().clock(new SettableClock() {

			@Override
			public Instant instant() {
				return Instant.ofEpochMilli(NOW + readings.getAndIncrement());
			}

		}).build()) {
			UUID[] uuids = new UUID[100_000];
			running.fillTimeOrdered(uuids);
			assertThat(uuids).isSortedAccordingTo(ORDER).doesNotHaveDuplicates();
			assertThat(timestamp(uuids[99_999])).isEqualTo(NOW + readings.get() - 1);
			assertThat(timestamp(uuids[99_999]) - timestamp(uuids[0])).isGreaterThan(10);
		}
	}

	@Test
	void filledArrayIsConsecutiveWhileClockStandsStill() {
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
		Random random = new Random(1);
		try (UuidGenerator unsteady = UuidGenerator.builder().clock(new SettableClock() {

			@Override
			public Instant instant() {
				return Instant.ofEpochMilli(NOW + random.nextInt(1000));
			}

		}).build()) {
			UUID[] first = new UUID[10_000];
			UUID[] second = new UUID[10_000];
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
	void uuidOfMillisecondMatchesRfcVector() {
		long fraction = (0xCC3 << 8) | (0x18C4DC0C0C07398FL >>> 54);
		assertThat(UuidGenerator.version7Of(Instant.parse("2022-02-22T19:22:22Z"), fraction, 0x18C4DC0C0C07398FL << 10))
			.isEqualTo(UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f"));
	}

	@ParameterizedTest
	@CsvSource({ "2026-01-01T00:00:00.123Z, 74", "2026-01-01T00:00:00.123456Z, 64",
			"2026-01-01T00:00:00.123456789Z, 54" })
	void bitsBelowResolutionOfGivenTimeAreRandom(Instant instant, int randomBits) {
		long mostChanged = 0;
		long leastChanged = 0;
		UUID first = this.generator.timeOrderedUuid(instant);
		for (int i = 0; i < 1000; i++) {
			UUID uuid = this.generator.timeOrderedUuid(instant);
			mostChanged |= uuid.getMostSignificantBits() ^ first.getMostSignificantBits();
			leastChanged |= uuid.getLeastSignificantBits() ^ first.getLeastSignificantBits();
		}
		assertThat(Long.bitCount(mostChanged) + Long.bitCount(leastChanged)).isEqualTo(randomBits);
		assertThat(first.version()).isEqualTo(7);
		assertThat(first.variant()).isEqualTo(2);
	}

	@ParameterizedTest
	@CsvSource({ "2026-01-01T00:00:00.123Z, 0, 20", "2026-01-01T00:00:00.123456Z, 456000, 10",
			"2026-01-01T00:00:00.123456789Z, 456789, 0" })
	void uuidContainsGivenTime(Instant instant, long nanos, int unknownBits) {
		UUID uuid = this.generator.timeOrderedUuid(instant);
		assertThat(timestamp(uuid)).isEqualTo(instant.toEpochMilli());
		assertThat(fraction(uuid) >>> unknownBits).isEqualTo((int) ((nanos << 20) / 1_000_000 >>> unknownBits));
		assertThat(uuid.toString()).isBetween(UuidTimestamps.smallest(instant).toString(),
				UuidTimestamps.largest(instant).toString());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1970-01-01T00:00:00Z", "+10889-08-02T05:31:50.655999999Z" })
	void firstAndLastTimeCanBeGiven(Instant instant) {
		assertThat(timestamp(this.generator.timeOrderedUuid(instant))).isEqualTo(instant.toEpochMilli());
	}

	@ParameterizedTest
	@ValueSource(strings = { "1969-12-31T23:59:59.999999999Z", "+10889-08-02T05:31:50.656Z",
			"+1000000000-12-31T23:59:59.999999999Z" })
	void givenTimeOutOfRangeIsRejectedAndNotCounted(Instant instant) {
		assertThatIllegalArgumentException().isThrownBy(() -> this.generator.timeOrderedUuid(instant))
			.withMessage("Version 7 UUIDs contain times from 1970 to +10889-08-02T05:31:50.655Z, but not " + instant);
		assertThat(this.generator.stats().generated(7)).isZero();
	}

	@Test
	void givenTimeDoesNotAffectOtherUuids() {
		this.generator.timeOrderedUuid(Instant.parse("2200-01-01T00:00:00Z"));
		assertThat(timestamp(this.generator.timeOrderedUuid())).isEqualTo(NOW);
		assertThat(this.generator.stats().generated(7)).isEqualTo(2);
	}

	@Test
	void nullIsNoTime() {
		assertThatNullPointerException().isThrownBy(() -> this.generator.timeOrderedUuid(null))
			.withMessage("instant must not be null");
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
