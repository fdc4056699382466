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

package dev.uncontended.slices;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Comparator;
import java.util.UUID;
import java.util.stream.Stream;

import dev.uncontended.autoconfigure.StartupLogAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorBuilderCustomizer;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.test.context.bean.override.convention.TestBean;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.util.IdGenerator;
import org.springframework.util.SimpleIdGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;

/**
 * Tests for the recipes in {@code docs/uuid.md} for tests of applications.
 */
class RecipeTests {

	@Nested
	@SpringBootTest(classes = Application.class, properties = "uncontended.uuid.id-generator=true")
	class Counted {

		@TestBean
		private IdGenerator ids;

		static IdGenerator ids() {
			return new SimpleIdGenerator();
		}

		@Test
		void idsCountFromOne() {
			assertThat(this.ids.generateId()).isEqualTo(new UUID(0, 1));
			assertThat(this.ids.generateId()).isEqualTo(new UUID(0, 2));
		}

	}

	@Nested
	@SpringBootTest(classes = { Application.class, Timed.FixedTime.class })
	class Timed {

		@Autowired
		private UuidGenerator ids;

		@Test
		void idsHaveTimeOfTest() {
			assertThat(this.ids.timeOrderedUuid().getMostSignificantBits() >>> 16)
				.isEqualTo(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class FixedTime {

			@Bean
			UuidGeneratorBuilderCustomizer fixedTime() {
				return (builder) -> builder.clock(Clock.fixed(Instant.parse("2026-01-01T00:00:00Z"), ZoneOffset.UTC));
			}

		}

	}

	@Nested
	@SpringBootTest(classes = Application.class)
	class Mocked {

		@MockitoBean
		private UuidGenerator ids;

		@Test
		void returnsIdOfTest() {
			UUID id = UUID.fromString("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");
			given(this.ids.timeOrderedUuid()).willReturn(id);
			assertThat(this.ids.timeOrderedUuid()).isEqualTo(id);
		}

	}

	@Nested
	@SpringBootTest(classes = Application.class)
	class Asserted {

		@Test
		void idsHaveVersionAndOrder(@Autowired UuidGenerator generator) {
			Stream<UUID> ids = Stream.generate(generator::timeOrderedUuid).limit(100);
			assertThat(ids).allMatch((id) -> id.version() == 7)
				.isSortedAccordingTo(Comparator.comparing(UUID::toString));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ StartupLogAutoConfiguration.class, UuidAutoConfiguration.class })
	static class Application {

	}

}
