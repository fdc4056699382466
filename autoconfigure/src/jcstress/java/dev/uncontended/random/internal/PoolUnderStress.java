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

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.random.prng.Prng;

/**
 * A pool with one stripe and four slots, so that threads collide and refill constantly,
 * and a record of its draws.
 */
class PoolUnderStress {

	static final int SLOTS = 4;

	/** The number of generators and reseeds. */
	final AtomicLong seeds = new AtomicLong();

	final StripedPool pool = new StripedPool(SeedNumberingPrng::new, 1, SLOTS * Batch.SLOT, Duration.ofSeconds(1),
			() -> 0);

	final Set<Slot> drawn = ConcurrentHashMap.newKeySet();

	final AtomicLong draws = new AtomicLong();

	/** Draws and records. */
	Slot draw() {
		return record(this.pool.draw(Slot::new));
	}

	/** Draws in bulk and records. */
	void fill(int count) {
		Slot[] slots = new Slot[count];
		this.pool.fill(slots, Slot::new);
		Arrays.stream(slots).forEach(this::record);
	}

	private Slot record(Slot slot) {
		this.draws.incrementAndGet();
		this.drawn.add(slot);
		return slot;
	}

	/**
	 * Returns a description of incorrect draws, if there are any.
	 */
	String verdict() {
		if (this.drawn.stream().anyMatch((slot) -> slot.seed() == 0 || slot.number() == 0)) {
			return "zeros";
		}
		if (this.drawn.size() != this.draws.get()) {
			return "a slot twice";
		}
		if (this.pool.stats().draws() != this.draws.get()) {
			return "miscounted";
		}
		return "right";
	}

	record Slot(long seed, long number) {
	}

	/** Numbers its seeds and slots. */
	private final class SeedNumberingPrng implements Prng {

		private NumberingPrng slots;

		SeedNumberingPrng() {
			reseed();
		}

		@Override
		public void nextBytes(byte[] bytes) {
			this.slots.nextBytes(bytes);
		}

		@Override
		public void reseed() {
			this.slots = new NumberingPrng(PoolUnderStress.this.seeds.incrementAndGet());
		}

		@Override
		public void addSeed(byte[] seed) {
		}

		@Override
		public void wipe() {
		}

	}

}
