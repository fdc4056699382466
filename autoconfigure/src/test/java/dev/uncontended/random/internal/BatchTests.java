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

package dev.uncontended.random.internal;

import java.util.Arrays;
import java.util.stream.IntStream;

import dev.uncontended.random.internal.StripedPool.Epoch;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

/**
 * Tests for {@link Batch}.
 */
class BatchTests {

	@Test
	void zeroesSlotsHandedOut() {
		byte[] bytes = new byte[64];
		Arrays.fill(bytes, (byte) 1);
		Batch batch = batch(bytes, 4);
		batch.zero(3);
		batch.zero(0, 3);
		assertThat(bytes).containsOnly(0);
	}

	@Test
	void revocationWipesBytesAndCountsUnclaimedSlots() {
		byte[] bytes = new byte[64];
		Arrays.fill(bytes, (byte) 1);
		Batch batch = batch(bytes, 4);
		assertThat(batch.claim(4, 1)).isTrue();
		assertThat(batch.revoke()).isEqualTo(3);
		assertThat(bytes).containsOnly(0);
		assertThat(batch.remaining).isZero();
		assertThat(batch.claim(3, 1)).isFalse();
	}

	@Test
	void eachSlotIsClaimedOnce() {
		Batch batch = batch(new byte[64], 3);
		assertThat(IntStream.range(0, 5).map((i) -> batch.claim())).containsExactly(2, 1, 0, -1, -1);
		assertThat(batch.remaining).isZero();
	}

	@Test
	void emptyBatchHasNoSlot() {
		assertThat(Batch.unbuffered(new byte[0], new Epoch(Epoch.Kind.RUNNING)).claim()).isNegative();
	}

	@Test
	void lastSlotIsTruncated() {
		byte[] whole = new byte[40];
		assertThat(Batch.write(whole, 16, -1, -1)).isEqualTo(32);
		assertThat(whole).startsWith(new byte[16])
			.endsWith(new byte[8])
			.contains(-1, atIndex(16))
			.contains(-1, atIndex(31));
		byte[] part = new byte[9];
		Batch.write(part, 0, -1, -1);
		assertThat(part).containsOnly(-1);
	}

	private static Batch batch(byte[] bytes, int remaining) {
		return Batch.unbuffered(new byte[0], new Epoch(Epoch.Kind.RUNNING)).refilled(bytes, remaining, 0);
	}

}
