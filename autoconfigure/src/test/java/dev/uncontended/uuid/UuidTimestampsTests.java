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
import java.time.ZoneOffset;
import java.util.UUID;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link UuidTimestamps}.
 */
class UuidTimestampsTests {

	/**
	 * The test vectors of RFC 9562, appendix A, and the limits of the timestamps.
	 */
	@ParameterizedTest
	@CsvSource({ "C232AB00-9414-11EC-B3C8-9F6BDECED846, 2022-02-22T19:22:22Z",
			"1EC9414C-232A-6B00-B3C8-9F6BDECED846, 2022-02-22T19:22:22Z",
			"017F22E2-79B0-7CC3-98C4-DC0C0C07398F, 2022-02-22T19:22:22Z",
			"c232ab07-9414-11ec-b3c8-9f6bdeced846, 2022-02-22T19:22:22.000000700Z",
			"00000000-0000-1000-8000-000000000000, 1582-10-15T00:00:00Z",
			"00000000-0000-6000-8000-000000000000, 1582-10-15T00:00:00Z",
			"ffffffff-ffff-1fff-bfff-ffffffffffff, 5236-03-31T21:21:00.684697500Z",
			"ffffffff-ffff-6fff-bfff-ffffffffffff, 5236-03-31T21:21:00.684697500Z",
			"00000000-0000-7000-8000-000000000000, 1970-01-01T00:00:00Z",
			"ffffffff-ffff-7fff-bfff-ffffffffffff, +10889-08-02T05:31:50.655Z" })
	void returnsInstant(UUID uuid, Instant instant) {
		assertThat(UuidTimestamps.instant(uuid)).isEqualTo(instant);
	}

	@Test
	void returnsInstantOfGeneratedUuid() {
		Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456789Z"), ZoneOffset.UTC);
		try (UuidGenerator generator = UuidGenerator.builder().clock(clock).build()) {
			assertThat(UuidTimestamps.instant(generator.timeOrderedUuid()))
				.isEqualTo(Instant.parse("2026-01-01T00:00:00.123Z"));
		}
	}

	/**
	 * PostgreSQL 18's {@code uuidv7()} has 12 bits of the fraction of the millisecond in
	 * {@code rand_a}. {@code uuid_extract_timestamp} returns the milliseconds.
	 */
	@Test
	void readsLayoutOfPostgreSql() {
		Instant instant = Instant.parse("2026-01-01T00:00:00.123456Z");
		long fraction = 456_000 * (1 << 12) / 1_000_000;
		UUID uuid = new UUID((instant.toEpochMilli() << 16) | 0x7000 | fraction, 0xB3C8_9F6B_DECE_D846L);
		assertThat(UuidTimestamps.instant(uuid)).isEqualTo(Instant.parse("2026-01-01T00:00:00.123Z"));
		assertThat(uuid.toString()).isBetween(UuidTimestamps.smallest(instant).toString(),
				UuidTimestamps.largest(instant).toString());
	}

	@Test
	void generatedFractionBeginsLikePostgreSqls() {
		Clock clock = Clock.fixed(Instant.parse("2026-01-01T00:00:00.123456Z"), ZoneOffset.UTC);
		try (UuidGenerator generator = UuidGenerator.builder().clock(clock).build()) {
			long fraction = 456_000 * (1 << 12) / 1_000_000;
			assertThat(generator.timeOrderedUuid().getMostSignificantBits() & 0xFFF).isEqualTo(fraction);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "2022-02-22T19:22:22Z", "2022-02-22T19:22:22.000999999Z" })
	void returnsLimitsOfMillisecond(Instant instant) {
		assertThat(UuidTimestamps.smallest(instant)).hasToString("017f22e2-79b0-7000-8000-000000000000");
		assertThat(UuidTimestamps.largest(instant)).hasToString("017f22e2-79b0-7fff-bfff-ffffffffffff");
	}

	@ParameterizedTest
	@CsvSource({ "1970-01-01T00:00:00Z, 00000000-0000-7fff-bfff-ffffffffffff",
			"+10889-08-02T05:31:50.655Z, ffffffff-ffff-7fff-bfff-ffffffffffff" })
	void acceptsFirstAndLastMillisecond(Instant instant, UUID largest) {
		assertThat(UuidTimestamps.largest(instant)).isEqualTo(largest);
		assertThat(UuidTimestamps.instant(UuidTimestamps.smallest(instant))).isEqualTo(instant);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 2, 3, 4, 5, 8, 15 })
	void rejectsVersionsWithoutTime(int version) {
		UUID uuid = UuidGenerator.uuid(version, 0x0123_4567_89AB_CDEFL, 0x0123_4567_89AB_CDEFL);
		assertThatIllegalArgumentException().isThrownBy(() -> UuidTimestamps.instant(uuid))
			.withMessage("Only UUIDs of versions 1, 6 and 7 have a time, but this UUID is of version " + version);
	}

	@ParameterizedTest
	@CsvSource({ "017f22e2-79b0-7cc3-18c4-dc0c0c07398f, 0", "017f22e2-79b0-7cc3-c8c4-dc0c0c07398f, 6",
			"017f22e2-79b0-7cc3-f8c4-dc0c0c07398f, 7", "00000000-0000-0000-0000-000000000000, 0",
			"ffffffff-ffff-ffff-ffff-ffffffffffff, 7" })
	void rejectsOtherVariants(UUID uuid, int variant) {
		assertThatIllegalArgumentException().isThrownBy(() -> UuidTimestamps.instant(uuid))
			.withMessage("Only UUIDs of variant 2 have a time, but this UUID is of variant " + variant);
	}

	@ParameterizedTest
	@ValueSource(strings = { "1969-12-31T23:59:59.999999999Z", "+10889-08-02T05:31:50.656Z",
			"-1000000000-01-01T00:00:00Z", "+1000000000-12-31T23:59:59.999999999Z" })
	void rejectsInstantsThatVersion7CannotContain(Instant instant) {
		assertThatIllegalArgumentException().isThrownBy(() -> UuidTimestamps.smallest(instant))
			.withMessage("Version 7 UUIDs contain times from 1970 to +10889-08-02T05:31:50.655Z, but not " + instant);
		assertThatIllegalArgumentException().isThrownBy(() -> UuidTimestamps.largest(instant));
	}

	@Test
	void rejectsNull() {
		assertThatNullPointerException().isThrownBy(() -> UuidTimestamps.instant(null));
		assertThatNullPointerException().isThrownBy(() -> UuidTimestamps.smallest(null));
	}

}
