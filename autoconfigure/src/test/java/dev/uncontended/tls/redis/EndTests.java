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

	private final End last = new End(0, 100, "a");

	@Test
	void endOfThisNodeHasTimeAsNumber() {
		assertThat(this.last.next(new End(0, 0, "b"), 2000)).isEqualTo(new End(0, 2000, "b"));
	}

	@Test
	void endOfThisNodeHasHigherNumberIfClockIsBehind() {
		assertThat(this.last.next(new End(0, 0, "b"), 50)).isEqualTo(new End(0, 101, "b"));
		assertThat(this.last.next(new End(0, 0, "b"), 100)).isEqualTo(new End(0, 101, "b"));
	}

	@Test
	void nextEndHasHighestGeneration() {
		assertThat(new End(2, 100, "a").next(new End(1, 0, "b"), 2000)).isEqualTo(new End(2, 2000, "b"));
		assertThat(new End(1, 100, "a").next(new End(2, 0, "b"), 2000)).isEqualTo(new End(2, 2000, "b"));
	}

	@Test
	void higherGenerationIsLater() {
		assertThat(End.ofGeneration(1)).isGreaterThan(new End(0, Long.MAX_VALUE, "f".repeat(32)))
			.isLessThan(new End(1, 1, "0".repeat(32)));
		assertThat(End.ofGeneration(0)).isEqualTo(End.NONE);
	}

	@Test
	void endOfOtherHashKeepsHigherNumber() {
		assertThat(this.last.next(new End(0, 150, "b"), 2000)).isEqualTo(new End(0, 150, "b"));
		assertThat(this.last.next(new End(0, 100, "b"), 2000)).isEqualTo(new End(0, 101, "b"));
	}

}
