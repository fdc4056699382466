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
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link NameUuidFactory}.
 */
class NameUuidFactoryTests {

	@Test
	void version3MatchesTheRfcVector() {
		assertThat(NameUuidFactory.md5().nameUuid(NameUuidFactory.DNS, "www.example.com"))
			.isEqualTo(UUID.fromString("5df41881-3aed-3515-88a7-2f4a814cf09e"));
	}

	@Test
	void version5MatchesTheRfcVector() {
		assertThat(NameUuidFactory.sha1().nameUuid(NameUuidFactory.DNS, "www.example.com"))
			.isEqualTo(UUID.fromString("2ed6657d-e927-568b-95e1-2665a8aea6a2"));
	}

	@Test
	void isEqualToTheJdkWithoutNamespace() {
		NameUuidFactory factory = NameUuidFactory.md5();
		for (int length = 0; length < 300; length++) {
			byte[] name = "x".repeat(length).getBytes(StandardCharsets.UTF_8);
			assertThat(factory.nameUuid(name)).isEqualTo(UUID.nameUUIDFromBytes(name));
		}
		assertThat(factory.stats()).isEqualTo(new NameUuidStats(300, 1));
	}

}
