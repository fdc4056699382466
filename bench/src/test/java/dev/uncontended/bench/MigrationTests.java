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

package dev.uncontended.bench;

import java.security.MessageDigest;
import java.util.UUID;

import com.fasterxml.uuid.Generators;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies what {@code docs/uuid.md} states about the migration from other libraries.
 */
class MigrationTests {

	@ParameterizedTest
	@ValueSource(strings = { "", "www.example.com", "b\u00fccher.example", "\uD83D\uDE00" })
	void nameUuidsAreEqual(String name) throws Exception {
		UUID sha1 = NameUuidFactory.sha1().nameUuid(NameUuidFactory.DNS, name);
		assertThat(Generators.nameBasedGenerator(NameUuidFactory.DNS).generate(name)).isEqualTo(sha1);
		assertThat(UuidCreator.getNameBasedSha1(NameUuidFactory.DNS, name)).isEqualTo(sha1);
		UUID md5 = NameUuidFactory.md5().nameUuid(NameUuidFactory.DNS, name);
		assertThat(Generators.nameBasedGenerator(NameUuidFactory.DNS, MessageDigest.getInstance("MD5")).generate(name))
			.isEqualTo(md5);
		assertThat(UuidCreator.getNameBasedMd5(NameUuidFactory.DNS, name)).isEqualTo(md5);
	}

	@Test
	void timeOrderedUuidsHaveTimeInTheSamePlace() {
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			long before = millis(Generators.timeBasedEpochGenerator().generate());
			long own = millis(generator.timeOrderedUuid());
			long after = millis(UuidCreator.getTimeOrderedEpoch());
			assertThat(own).isBetween(before, after);
		}
	}

	private static long millis(UUID uuid) {
		assertThat(uuid.version()).isEqualTo(7);
		return uuid.getMostSignificantBits() >>> 16;
	}

}
