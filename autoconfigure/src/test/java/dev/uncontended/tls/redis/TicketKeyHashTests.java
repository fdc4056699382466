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
package dev.uncontended.tls.redis;

import dev.uncontended.tls.redis.TicketKeyHash.Content;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TicketKeyHash}.
 */
class TicketKeyHashTests {

	@ParameterizedTest
	@ValueSource(longs = { Long.MIN_VALUE, -1, 253402300800000L, Long.MAX_VALUE })
	void invalidTimeIsRejected(long time) {
		assertThatIllegalStateException().isThrownBy(() -> Content.parse(time + " 0 0"))
			.withMessage("Redis returned an invalid time: " + time);
	}

	@Test
	void lastValidTimeIsAccepted() {
		assertThat(Content.parse("253402300799999 0 0").now()).isEqualTo(253402300799999L);
	}

}
