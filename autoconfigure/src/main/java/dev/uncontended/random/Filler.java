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

package dev.uncontended.random;

import java.security.ProviderException;
import java.util.Arrays;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Fills batches: a generator and the batch to fill next. Leased: whoever took it out of
 * its stripe owns it until it is put back.
 */
final class Filler {

	final Epoch epoch;

	private final int bufferSize;

	private final Reseeding reseeding;

	private final Supplier<Prng> prngs;

	private final byte[] lastGuard = new byte[Batch.SLOT];

	private @Nullable Prng prng;

	private @Nullable Batch idle;

	private long seededAt;

	Filler(Supplier<Prng> prngs, int bufferSize, Reseeding reseeding, Epoch epoch) {
		this.prngs = prngs;
		this.bufferSize = bufferSize;
		this.reseeding = reseeding;
		this.epoch = epoch;
	}

	/**
	 * Fills a batch of its own. If that fails, the generator is dropped with all that it
	 * wrote, and the next call begins with a new one.
	 * @return a full batch that is still closed
	 */
	Batch fill() {
		Batch batch = this.idle;
		this.idle = null;
		if (batch == null || !batch.isDrained()) {
			// A thread that claimed a slot has yet to read it: the batch is left to it.
			batch = Batch.blank(this.bufferSize, this.epoch);
		}
		try {
			Prng prng = prng();
			prng.nextBytes(batch.bytes);
			check(batch);
			return batch;
		}
		catch (Throwable ex) {
			Arrays.fill(batch.bytes, (byte) 0);
			dropPrng();
			throw ex;
		}
	}

	private Prng prng() {
		Prng prng = this.prng;
		if (prng == null) {
			prng = this.prngs.get();
			this.prng = prng;
			this.seededAt = this.reseeding.now();
		}
		else if (this.reseeding.isDue(this.seededAt)) {
			prng.reseed();
			this.reseeding.count();
			this.seededAt = this.reseeding.now();
		}
		return prng;
	}

	/**
	 * The bytes were zeros before, and the last slot is a guard that is never handed out:
	 * a generator that stopped short has not written it, be it by a byte. One that is
	 * stuck repeats a block, or its whole output. By chance each happens once in 2^128
	 * slots.
	 */
	private void check(Batch batch) {
		byte[] bytes = batch.bytes;
		int guard = bytes.length - Batch.SLOT;
		if (isZero(bytes, guard)) {
			throw new ProviderException("The generator returned fewer bytes than were requested");
		}
		if (Arrays.equals(bytes, guard, bytes.length, this.lastGuard, 0, Batch.SLOT)) {
			throw new ProviderException("The generator is stuck: it repeated its last output");
		}
		if (batch.repeatsSlot()) {
			throw new ProviderException("The generator is stuck: it repeated a block");
		}
		System.arraycopy(bytes, guard, this.lastGuard, 0, Batch.SLOT);
		Arrays.fill(bytes, guard, bytes.length, (byte) 0);
	}

	private static boolean isZero(byte[] bytes, int from) {
		int bits = 0;
		for (int i = from; i < bytes.length; i++) {
			bits |= bytes[i];
		}
		return bits == 0;
	}

	/**
	 * Keeps a batch to fill it again.
	 * @param batch one that has left its stripe
	 */
	void recycle(Batch batch) {
		if (batch.bytes.length != 0) {
			this.idle = batch;
		}
	}

	/**
	 * Adds the caller's seed to the generator.
	 */
	void addSeed(byte[] seed) {
		prng().addSeed(seed);
	}

	/**
	 * Forgets everything that could tell what the generator makes.
	 */
	void wipe() {
		dropPrng();
		this.idle = null;
	}

	private void dropPrng() {
		if (this.prng != null) {
			this.prng.wipe();
			this.prng = null;
		}
		Arrays.fill(this.lastGuard, (byte) 0);
	}

}
