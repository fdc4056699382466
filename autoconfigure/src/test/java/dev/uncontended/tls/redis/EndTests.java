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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link End}.
 */
class EndTests {

	private final End last = new End(100, "a");

	@Test
	void endOfThisNodeHasTimeAsNumber() {
		assertThat(this.last.next(new End(0, "b"), 2000)).isEqualTo(new End(2000, "b"));
	}

	@Test
	void endOfThisNodeHasHigherNumberIfClockIsBehind() {
		assertThat(this.last.next(new End(0, "b"), 50)).isEqualTo(new End(101, "b"));
		assertThat(this.last.next(new End(0, "b"), 100)).isEqualTo(new End(101, "b"));
	}

	@Test
	void endOfOtherHashKeepsHigherNumber() {
		assertThat(this.last.next(new End(150, "b"), 2000)).isEqualTo(new End(150, "b"));
		assertThat(this.last.next(new End(100, "b"), 2000)).isEqualTo(new End(101, "b"));
	}

}
