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
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashSet;
import java.util.UUID;

import dev.uncontended.random.UnavailableAlgorithmException;
import dev.uncontended.random.prng.StrangeAesProvider;
import dev.uncontended.random.prng.StrangeAesProvider.Fault;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link UuidGenerator}.
 */
class UuidGeneratorTests {

	@Test
	void randomUuidIsVersion4OfRfcVariant() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			UUID uuid = generator.randomUuid();
			assertThat(uuid.version()).isEqualTo(4);
			assertThat(uuid.variant()).isEqualTo(2);
		}
	}

	@Test
	void version4MatchesRfcVector() {
		assertThat(UuidGenerator.version4(0x919108f752d13320L, 0x5bacf847db4148a8L))
			.isEqualTo(UUID.fromString("919108f7-52d1-4320-9bac-f847db4148a8"));
	}

	@Test
	void everyVariableBitIsRandom() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			long mostSeen = 0;
			long mostAlways = -1;
			long leastSeen = 0;
			long leastAlways = -1;
			for (int i = 0; i < 1000; i++) {
				UUID uuid = generator.randomUuid();
				mostSeen |= uuid.getMostSignificantBits();
				mostAlways &= uuid.getMostSignificantBits();
				leastSeen |= uuid.getLeastSignificantBits();
				leastAlways &= uuid.getLeastSignificantBits();
			}
			assertThat(Long.bitCount(mostSeen & ~mostAlways) + Long.bitCount(leastSeen & ~leastAlways)).isEqualTo(122);
		}
	}

	@Test
	void countsUuids() {
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
			assertThat(generator.stats().generated(4)).isEqualTo(1001 + 77 + 2);
			assertThat(generator.stats().generated(7)).isEqualTo(56);
			assertThat(generator.stats().pool().draws()).isEqualTo(1001 + 77 + 2 + 56);
			assertThat(generator.stats().pool().unbuffered()).isEqualTo(2);
		}
	}

	@Test
	void resumedGeneratorBuffersBothVersions() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			generator.suspend();
			generator.resume();
			generator.randomUuid();
			generator.timeOrderedUuid();
			assertThat(generator.stats().pool().unbuffered()).isZero();
		}
	}

	@Test
	void suspendsBothVersionsIfOneCannotBeWiped() {
		StrangeAesProvider provider = new StrangeAesProvider();
		Security.insertProviderAt(provider, 1);
		try {
			UuidGenerator generator = UuidGenerator.builder().stripes(1).build();
			generator.randomUuid();
			generator.timeOrderedUuid();
			provider.fail(Fault.REFUSES_KEYS);
			assertThatExceptionOfType(ProviderException.class).isThrownBy(generator::suspend);
			provider.fail(Fault.NONE);
			generator.timeOrderedUuid();
			assertThat(generator.stats().pool().unbuffered()).isOne();
		}
		finally {
			Security.removeProvider(provider.getName());
		}
	}

	@Test
	void closesBothVersionsIfOneCannotBeWiped() {
		StrangeAesProvider provider = new StrangeAesProvider();
		Security.insertProviderAt(provider, 1);
		try {
			UuidGenerator generator = UuidGenerator.builder().stripes(1).build();
			generator.randomUuid();
			provider.fail(Fault.REFUSES_KEYS);
			assertThatExceptionOfType(ProviderException.class).isThrownBy(generator::close);
			assertThatIllegalStateException().isThrownBy(generator::timeOrderedUuid);
		}
		finally {
			Security.removeProvider(provider.getName());
		}
	}

	@Test
	void countsRefillsOfStripes() {
		try (UuidGenerator generator = UuidGenerator.builder().stripes(1).bufferSize(64).build()) {
			for (int i = 0; i < 5; i++) {
				generator.randomUuid();
			}
			assertThat(generator.stats().pool().refills()).isEqualTo(2);
			assertThat(generator.stats().pool().contended()).isZero();
		}
	}

	@Test
	void exposesAlgorithmAndProvider() {
		Instant now = Instant.parse("2026-01-01T00:00:00Z");
		try (UuidGenerator generator = UuidGenerator.builder().clock(Clock.fixed(now, ZoneOffset.UTC)).build()) {
			assertThat(generator.algorithm()).isEqualTo("CTR_DRBG");
			assertThat(generator.provider()).isEqualTo("Uncontended");
			assertThat(generator.stats().startedAt()).isEqualTo(now);
			assertThat(generator.stats().pool().lastFailure()).isNull();
			assertThat(generator.stats().pool().bufferSize()).isEqualTo(8192);
		}
	}

	@Test
	void closedGeneratorThrows() {
		UuidGenerator generator = UuidGenerator.builder().build();
		generator.randomUuid();
		generator.timeOrderedUuid();
		generator.close();
		generator.close();
		assertThatIllegalStateException().isThrownBy(generator::randomUuid);
		assertThatIllegalStateException().isThrownBy(generator::timeOrderedUuid);
		assertThatIllegalStateException().isThrownBy(() -> generator.fill(new UUID[1]));
		assertThatIllegalStateException().isThrownBy(generator::resume);
		generator.suspend();
	}

	@Test
	void fillReplacesEveryElement() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			UUID known = generator.randomUuid();
			UUID[] ids = { known, null };
			generator.fill(ids);
			assertThat(ids).doesNotContainNull().doesNotContain(known);
		}
	}

	@Test
	void fillRejectsNull() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			assertThatNullPointerException().isThrownBy(() -> generator.fill(null))
				.withMessage("destination must not be null");
			assertThat(generator.stats().generated(4)).isZero();
		}
	}

	@Test
	void rejectsUnknownAlgorithm() {
		UuidGenerator.Builder builder = UuidGenerator.builder().algorithm("Fortuna");
		assertThatExceptionOfType(UnavailableAlgorithmException.class).isThrownBy(builder::build)
			.withMessageContaining("'Fortuna'");
	}

	@Test
	void rejectsUnknownProvider() {
		UuidGenerator.Builder builder = UuidGenerator.builder().provider("Moon");
		assertThatExceptionOfType(UnavailableAlgorithmException.class).isThrownBy(builder::build)
			.withMessageContaining("'Moon'");
	}

}
