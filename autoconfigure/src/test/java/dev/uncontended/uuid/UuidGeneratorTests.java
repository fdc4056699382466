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

import java.util.Arrays;
import java.util.HashSet;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidGenerator}.
 */
class UuidGeneratorTests {

	@Test
	void randomUuidIsVersion4OfTheRfcVariant() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			UUID uuid = generator.randomUuid();
			assertThat(uuid.version()).isEqualTo(4);
			assertThat(uuid.variant()).isEqualTo(2);
		}
	}

	@Test
	void version4MatchesTheRfcVector() {
		assertThat(UuidGenerator.version4(0x919108f752d13320L, 0x5bacf847db4148a8L))
			.isEqualTo(UUID.fromString("919108f7-52d1-4320-9bac-f847db4148a8"));
	}

	@Test
	void countsWhatItMakes() {
		try (UuidGenerator generator = UuidGenerator.builder().bufferSize(64).build()) {
			for (int i = 0; i < 1001; i++) {
				generator.randomUuid();
			}
			UUID[] bulk = new UUID[77];
			generator.fill(bulk);
			assertThat(new HashSet<>(Arrays.asList(bulk))).hasSize(77).doesNotContainNull();
			for (int i = 0; i < 55; i++) {
				generator.timeOrderedUuid();
			}
			generator.suspend();
			generator.randomUuid();
			generator.timeOrderedUuid();
			generator.resume();
			generator.randomUuid();
			assertThat(generator.stats().random()).isEqualTo(1001 + 77 + 2);
			assertThat(generator.stats().timeOrdered()).isEqualTo(56);
		}
	}

	@Test
	void timeOrderedUuidsIncrease() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			UUID last = generator.timeOrderedUuid();
			assertThat(last.version()).isEqualTo(7);
			assertThat(last.variant()).isEqualTo(2);
			for (int i = 0; i < 100_000; i++) {
				UUID next = generator.timeOrderedUuid();
				assertThat(next.toString()).isGreaterThan(last.toString());
				last = next;
			}
			assertThat(System.currentTimeMillis() - (last.getMostSignificantBits() >>> 16)).isBetween(0L, 50L);
		}
	}

}
