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

import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link NameUuidFactory}.
 */
class NameUuidFactoryTests {

	@Test
	void version3MatchesRfcVector() {
		NameUuidFactory factory = NameUuidFactory.md5();
		assertThat(factory.version()).isEqualTo(3);
		assertThat(factory.nameUuid(NameUuidFactory.DNS, "www.example.com"))
			.isEqualTo(UUID.fromString("5df41881-3aed-3515-88a7-2f4a814cf09e"));
	}

	@Test
	void version5MatchesRfcVector() {
		NameUuidFactory factory = NameUuidFactory.sha1();
		assertThat(factory.version()).isEqualTo(5);
		assertThat(factory.nameUuid(NameUuidFactory.DNS, "www.example.com"))
			.isEqualTo(UUID.fromString("2ed6657d-e927-568b-95e1-2665a8aea6a2"));
	}

	@ParameterizedTest
	@CsvSource({ "www.example.com, 7c1767b3-0512-3600-bfd3-c2e618a86522", "'', d41d8cd9-8f00-3204-a980-0998ecf8427e" })
	void supportsNamesWithoutNamespace(String name, UUID expected) {
		assertThat(NameUuidFactory.md5().nameUuid(name.getBytes(StandardCharsets.UTF_8))).isEqualTo(expected);
	}

	@Test
	void namespacesMatchRfc() {
		assertThat(NameUuidFactory.DNS).hasToString("6ba7b810-9dad-11d1-80b4-00c04fd430c8");
		assertThat(NameUuidFactory.URL).hasToString("6ba7b811-9dad-11d1-80b4-00c04fd430c8");
		assertThat(NameUuidFactory.OID).hasToString("6ba7b812-9dad-11d1-80b4-00c04fd430c8");
		assertThat(NameUuidFactory.X500).hasToString("6ba7b814-9dad-11d1-80b4-00c04fd430c8");
	}

	@Test
	void equalsJdkForNamesOfAnyLength() {
		NameUuidFactory factory = NameUuidFactory.md5();
		for (int length = 0; length < 300; length++) {
			byte[] name = "x".repeat(length).getBytes(StandardCharsets.UTF_8);
			assertThat(factory.nameUuid(name)).isEqualTo(UUID.nameUUIDFromBytes(name));
		}
		assertThat(factory.stats()).isEqualTo(new NameUuidStats(300, 1));
	}

	@Test
	void encodesNamesInUtf8() {
		NameUuidFactory factory = NameUuidFactory.sha1();
		assertThat(factory.nameUuid(NameUuidFactory.URL, "Grüße"))
			.isEqualTo(factory.nameUuid(NameUuidFactory.URL, "Grüße".getBytes(StandardCharsets.UTF_8)));
	}

	@Test
	void isThreadSafe() throws Exception {
		NameUuidFactory factory = NameUuidFactory.md5();
		ExecutorService executor = Executors.newFixedThreadPool(32);
		try {
			List<Future<Boolean>> results = new ArrayList<>();
			for (int thread = 0; thread < 32; thread++) {
				byte[] name = ("name " + thread).getBytes(StandardCharsets.UTF_8);
				UUID expected = UUID.nameUUIDFromBytes(name);
				results.add(executor.submit(() -> {
					for (int i = 0; i < 5000; i++) {
						if (!factory.nameUuid(name).equals(expected)) {
							return false;
						}
					}
					return true;
				}));
			}
			for (Future<Boolean> result : results) {
				assertThat(result.get()).isTrue();
			}
		}
		finally {
			executor.shutdown();
		}
		assertThat(factory.stats().generated()).isEqualTo(32 * 5000);
	}

	@Test
	void rejectsUnavailableDigest() {
		assertThatIllegalStateException().isThrownBy(() -> new NameUuidFactory(5, "SHA-0"))
			.withMessageContaining("version 5 UUIDs: this JVM does not offer the message digest 'SHA-0'")
			.withCauseInstanceOf(NoSuchAlgorithmException.class);
	}

	@Test
	void rejectsNull() {
		NameUuidFactory factory = NameUuidFactory.md5();
		assertThatNullPointerException().isThrownBy(() -> factory.nameUuid((byte[]) null))
			.withMessage("name must not be null");
		assertThatNullPointerException().isThrownBy(() -> factory.nameUuid(NameUuidFactory.DNS, (String) null))
			.withMessage("name must not be null");
		assertThatNullPointerException().isThrownBy(() -> factory.nameUuid(null, "name"))
			.withMessage("namespace must not be null");
		assertThat(factory.stats().generated()).isZero();
	}

}
