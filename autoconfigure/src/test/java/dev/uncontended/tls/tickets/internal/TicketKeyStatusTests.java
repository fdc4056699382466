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
package dev.uncontended.tls.tickets.internal;

import java.time.Duration;
import java.time.Instant;

import dev.uncontended.tls.tickets.TicketKeyStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TicketKeyStatus}.
 */
class TicketKeyStatusTests {

	private static final Duration MINUTE = Duration.ofMinutes(1);

	@Test
	void isUpUntilMaximumAge() {
		assertThat(status(MINUTE, MINUTE, null).isUp()).isTrue();
		assertThat(status(MINUTE.plusNanos(1), MINUTE, null).isUp()).isFalse();
	}

	@Test
	void isUpWithoutSharedKeys() {
		assertThat(status(null, null, null).isUp()).isTrue();
		assertThat(status(MINUTE, null, null).isUp()).isTrue();
		assertThat(status(null, MINUTE, null).isUp()).isTrue();
	}

	@Test
	void isDownAfterFailure() {
		assertThat(status(MINUTE, MINUTE, "failed").isUp()).isFalse();
		assertThat(status(null, null, "failed").isUp()).isFalse();
	}

	private static TicketKeyStatus status(@Nullable Duration age, @Nullable Duration maximumAge,
			@Nullable String failure) {
		return new TicketKeyRing.Status("redis", 1, 0, 0, Instant.EPOCH, null, null, age, maximumAge, failure, null,
				null);
	}

}
