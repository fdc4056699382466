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

	private final HashIndex<Integer, Integer> index = new HashIndex<>();

	@Test
	void findsEveryEntryAfterEverySplit() {
		int count = 2_000;
		for (int i = 0; i < count; i++) {
			insert(i);
			for (int j = 0; j < count; j++) {
				assertThat(this.index.find(j, hash(j)) != null).isEqualTo(j <= i);
			}
		}
	}

	@Test
	void keepsApartKeysWithEqualHashes() {
		Node<Integer, Integer> first = new Node<>(1, 0, 1);
		Node<Integer, Integer> second = new Node<>(2, 0, 2);
		Node<Integer, Integer> third = new Node<>(3, 0, 3);
		this.index.insert(first);
		this.index.insert(second);
		this.index.insert(third);
		this.index.remove(second);
		assertThat(this.index.find(1, 0)).isSameAs(first);
		assertThat(this.index.find(2, 0)).isNull();
		assertThat(this.index.find(3, 0)).isSameAs(third);
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
					missed += (this.index.find(i, hash(i)) != null) ? 0 : 1;
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
				Node<Integer, Integer> node = new Node<>(i, hash(i), i);
				this.index.insert(node);
				this.index.remove(node);
			}
		});
		int missed = 0;
		while (!writer.isDone()) {
			for (int i = 0; i < residents; i++) {
				missed += (this.index.find(i, hash(i)) != null) ? 0 : 1;
			}
		}
		writer.join();
		assertThat(missed).isZero();
	}

	private void insert(int key) {
		this.index.ensureRoom(key);
		this.index.insert(new Node<>(key, hash(key), key));
	}

	private static int hash(int key) {
		return key * 0x9e3779b9;
	}

}
