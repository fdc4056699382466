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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.atIndex;

/**
 * Tests for {@link Batch}.
 */
class BatchTests {

	@Test
	void zeroesSlotsHandedOut() {
		byte[] bytes = ones(4);
		Batch batch = batch(bytes, 4);
		batch.zero(3);
		batch.zero(0, 3);
		assertThat(bytes).containsOnly(0);
	}

	@Test
	void revocationWipesAllSlots() {
		byte[] bytes = ones(4);
		Batch batch = batch(bytes, 4);
		batch.claim();
		batch.revoke();
		assertThat(bytes).containsOnly(0);
		assertThat(batch.isEmpty()).isTrue();
		assertThat(batch.claim()).isEqualTo(Batch.EMPTY);
	}

	@Test
	void wipeLeavesClaimedSlots() {
		byte[] bytes = ones(4);
		Batch batch = batch(bytes, 4);
		assertThat(batch.claim()).isEqualTo(3);
		batch.wipe();
		assertThat(Arrays.copyOf(bytes, 48)).containsOnly(0);
		assertThat(Arrays.copyOfRange(bytes, 48, 64)).containsOnly(1);
	}

	@Test
	void wipedBatchIsEmpty() {
		Batch batch = batch(ones(4), 4);
		batch.wipe();
		assertThat(batch.isEmpty()).isTrue();
		assertThat(batch.claim()).isEqualTo(Batch.EMPTY);
		assertThat(batch.claim(1)).isNull();
	}

	@Test
	void wipedSlotsAreNotDrawn() {
		Batch batch = batch(ones(4), 4);
		batch.claim();
		batch.wipe();
		batch.wipe();
		batch.revoke();
		assertThat(batch.drawn()).isOne();
		assertThat(batch.refilled(ones(2), 1, 0, 0).drawn()).isEqualTo(2);
		assertThat(batch.emptied(batch.epoch).drawn()).isOne();
	}

	@Test
	void countsDrawsOfPeriod() {
		Batch first = batch(ones(4), 1);
		assertThat(first.drawnInPeriod()).isEqualTo(3);
		first.claim();
		Batch second = first.refilled(ones(4), 2, 0, 0);
		assertThat(second.drawnInPeriod()).isEqualTo(6);
		second.wipe();
		Batch nextPeriod = second.refilled(ones(4), 3, 0, 1);
		assertThat(nextPeriod.drawnInPeriod()).isOne();
		assertThat(nextPeriod.drawn()).isEqualTo(7);
	}

	@Test
	void eachSlotIsClaimedOnce() {
		Batch batch = batch(new byte[64], 3);
		assertThat(IntStream.range(0, 5).map((i) -> batch.claim())).containsExactly(2, 1, 0, Batch.EMPTY, Batch.EMPTY);
	}

	@Test
	void claimsAtMostUnclaimedSlots() {
		Batch batch = batch(new byte[64], 3);
		assertThat(batch.claim(2)).isEqualTo(new Batch.Claim(batch, 1, 2));
		assertThat(batch.claim(2)).isEqualTo(new Batch.Claim(batch, 0, 1));
		assertThat(batch.claim(2)).isNull();
	}

	@Test
	void emptyBatchHasNoSlot() {
		assertThat(Batch.empty(new Epoch(Epoch.Kind.RUNNING)).claim()).isEqualTo(Batch.EMPTY);
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

	private static byte[] ones(int slots) {
		byte[] bytes = new byte[slots * Batch.SLOT];
		Arrays.fill(bytes, (byte) 1);
		return bytes;
	}

	private static Batch batch(byte[] bytes, int remaining) {
		return Batch.empty(new Epoch(Epoch.Kind.RUNNING)).refilled(bytes, remaining, 0, 0);
	}

}
