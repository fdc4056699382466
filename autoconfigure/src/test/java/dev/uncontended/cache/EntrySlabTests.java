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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link EntrySlab}.
 */
class EntrySlabTests {

	private static final Bounds UNLIMITED = new Bounds(Bounds.NONE, Timeouts.NONE);

	private final EntrySlab<Integer, Long> slab = new EntrySlab<>();

	@Test
	void holdsWhatWasWritten() {
		for (long i = 1; i <= 1_000; i++) {
			assertThat(write(i)).isEqualTo((int) i);
		}
		for (int i = 1; i <= 1_000; i++) {
			assertThat(this.slab.key(i)).isEqualTo(i);
			assertThat(this.slab.value(i)).isEqualTo(i);
			assertThat(this.slab.hash(i)).isEqualTo(-i);
			assertThat(this.slab.writeTime(i)).isEqualTo(time(i));
			assertThat(this.slab.isUsed(i)).isFalse();
		}
	}

	@Test
	void givesAFreedSlotAwayAgain() {
		int first = write(1);
		int second = write(2);
		free(first);
		free(second);
		assertThat(write(3)).isEqualTo(second);
		assertThat(write(4)).isEqualTo(first);
		assertThat(write(5)).isGreaterThan(second);
	}

	@Test
	void letsGoOfWhatWasInAFreedSlot() {
		int slot = write(1);
		free(slot);
		assertThat(this.slab.key(slot)).isNull();
		assertThat(this.slab.value(slot)).isNull();
	}

	@Test
	void readsAnEntryAndNotesItsUse() {
		int slot = write(1);
		assertThat(read(slot, 1)).isEqualTo(1);
		assertThat(this.slab.isUsed(slot)).isTrue();
	}

	@Test
	void forgetsTheUseOfTheEntryBefore() {
		int slot = write(1);
		read(slot, 1);
		this.slab.vacate(slot);
		this.slab.write(slot, 2, -2, 2L, 0, EntrySlab.NONE);
		assertThat(this.slab.isUsed(slot)).isFalse();
	}

	@Test
	void readsNothingThatIsNotPublished() {
		int slot = write(1);
		this.slab.vacate(slot);
		this.slab.write(slot, 2, -2, 2L, 0, EntrySlab.NONE);
		assertThat(read(slot, 2)).isNull();
		this.slab.publish(slot);
		assertThat(read(slot, 2)).isEqualTo(2);
	}

	@Test
	void readsNothingFromASlotThatWasVacated() {
		int slot = write(1);
		int changes = this.slab.changes();
		this.slab.vacate(slot);
		assertThat(read(slot, 1)).isNull();
		assertThat(this.slab.changes()).isNotEqualTo(changes);
	}

	@Test
	void showsReadersOneEntryAtATime() {
		int slot = write(0);
		int keys = 3;
		AtomicInteger read = new AtomicInteger();
		CompletableFuture<Void> reader = CompletableFuture.runAsync(() -> {
			for (int key = 0; read.get() < 100_000; key = (key + 1) % keys) {
				Long value = read(slot, key);
				if (value != null) {
					assertThat(value).isEqualTo(key);
					read.incrementAndGet();
				}
			}
		});
		for (long i = 0; !reader.isDone(); i = (i + 1) % keys) {
			free(slot);
			assertThat(write(i)).isEqualTo(slot);
		}
		reader.join();
	}

	private int write(long value) {
		this.slab.ensureRoom();
		int slot = this.slab.take();
		this.slab.write(slot, (int) value, (int) -value, value, time(value), EntrySlab.NONE);
		this.slab.publish(slot);
		return slot;
	}

	private @Nullable Long read(int slot, int key) {
		return this.slab.read(slot, key, -key, UNLIMITED, Ticker.system());
	}

	private void free(int slot) {
		this.slab.vacate(slot);
		this.slab.free(slot);
	}

	/**
	 * A time whose halves both change.
	 */
	private static long time(long value) {
		return value * 0x9e3779b97f4a7c15L;
	}

}
