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

package dev.uncontended.cache;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link HashIndex}.
 */
class HashIndexTests {

	private static final int ABSENT = -1;

	private static final Bounds UNLIMITED = new Bounds(Bounds.NONE, Timeouts.NONE);

	private final EntrySlab<Integer, Integer> slab = new EntrySlab<>();

	private final HashIndex<Integer, Integer> index = new HashIndex<>(this.slab);

	@Test
	void findsEveryEntryAfterEverySplit() {
		int count = 2_000;
		for (int i = 0; i < count; i++) {
			insert(i);
			for (int j = 0; j < count; j++) {
				assertThat(find(j, hash(j)) == j).isEqualTo(j <= i);
			}
		}
	}

	@Test
	void keepsApartKeysWithEqualHashes() {
		insert(1, 0);
		int second = insert(2, 0);
		insert(3, 0);
		remove(second);
		assertThat(find(1, 0)).isEqualTo(1);
		assertThat(find(2, 0)).isEqualTo(ABSENT);
		assertThat(find(3, 0)).isEqualTo(3);
	}

	@Test
	void putsAnEntryIntoThePlaceOfAnother() {
		insert(1, 0);
		int second = insert(2, 0);
		insert(3, 0);
		int replacement = write(2, 0);
		this.index.replace(second, replacement);
		this.slab.vacate(second);
		assertThat(this.index.find(2, 0)).isEqualTo(replacement);
		assertThat(find(1, 0)).isEqualTo(1);
		assertThat(find(3, 0)).isEqualTo(3);
	}

	@Test
	void showsReadersEveryEntryWhileItGrows() {
		int count = 2_000_000;
		AtomicInteger inserted = new AtomicInteger();
		CompletableFuture<Integer> reader = CompletableFuture.supplyAsync(() -> {
			int missed = 0;
			int present;
			while ((present = inserted.get()) < count) {
				// The newest are the likeliest to be in a bucket that is being split.
				for (int i = Math.max(0, present - 100); i < present; i++) {
					missed += (find(i, hash(i)) == i) ? 0 : 1;
				}
			}
			return missed;
		});
		for (int i = 0; i < count; i++) {
			insert(i);
			inserted.setRelease(i + 1);
		}
		assertThat(reader.join()).isZero();
	}

	@Test
	void showsReadersEveryEntryWhileItsNeighboursComeAndGo() {
		int residents = 64;
		for (int i = 0; i < residents; i++) {
			insert(i);
		}
		CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
			for (int i = residents; i < 3_000_000; i++) {
				// The same slot each time, each time in another chain.
				remove(insert(i, hash(i)));
			}
		});
		int missed = 0;
		while (!writer.isDone()) {
			for (int i = 0; i < residents; i++) {
				missed += (find(i, hash(i)) == i) ? 0 : 1;
			}
		}
		writer.join();
		assertThat(missed).isZero();
	}

	private void insert(int key) {
		this.index.ensureRoom(key);
		insert(key, hash(key));
	}

	private int insert(int key, int hash) {
		int slot = write(key, hash);
		this.index.insert(slot);
		return slot;
	}

	private int write(int key, int hash) {
		this.slab.ensureRoom();
		int slot = this.slab.take();
		this.slab.write(slot, key, hash, key, 0, EntrySlab.NONE);
		return slot;
	}

	private void remove(int slot) {
		this.index.remove(slot);
		this.slab.vacate(slot);
		this.slab.free(slot);
	}

	/**
	 * Finds the value of a key, which is the key again, as a reader does.
	 */
	private int find(int key, int hash) {
		Integer value = this.index.get(key, hash, UNLIMITED, Ticker.system());
		return (value != null) ? value : ABSENT;
	}

	private static int hash(int key) {
		return key * 0x9e3779b9;
	}

}
