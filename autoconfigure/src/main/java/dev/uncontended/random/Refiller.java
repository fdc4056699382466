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
 * Fills the buffers of a stripe with a generator. Leased: the thread that took it out of
 * its stripe owns it until it is put back.
 * <p>
 * A generator that has passed a known-answer test computes, so it does not wear out as a
 * source of noise does, and no test of its output can tell good bits from bad. What is
 * looked for here, in every buffer, is what goes wrong around it: output that is shorter
 * than was asked for, that got stuck, or that is that of the last time. {@link JcaPrng}
 * looks closer at what a third party makes.
 */
final class Refiller {

	final Epoch epoch;

	private final int length;

	private final Reseeding reseeding;

	private final Supplier<Prng> prngs;

	private final byte[] lastGuard = new byte[Batch.SLOT];

	private @Nullable Prng prng;

	private long seededAt;

	private long lastNanos;

	/**
	 * Makes a refiller without a generator as yet.
	 * @param bufferSize the bytes to hand out; one slot more is kept as a guard
	 */
	Refiller(Supplier<Prng> prngs, int bufferSize, Reseeding reseeding, Epoch epoch) {
		this.prngs = prngs;
		this.length = bufferSize + Batch.SLOT;
		this.reseeding = reseeding;
		this.epoch = epoch;
	}

	/**
	 * Fills a buffer. If that fails, the generator is dropped with all that it wrote, and
	 * the next call begins with a new one.
	 * @return the bytes for a new batch
	 */
	byte[] fill() {
		long start = this.reseeding.now();
		byte[] bytes = new byte[this.length];
		try {
			prng(start).nextBytes(bytes);
			check(bytes);
			return bytes;
		}
		catch (Throwable ex) {
			Arrays.fill(bytes, (byte) 0);
			wipe();
			throw ex;
		}
		finally {
			this.lastNanos = this.reseeding.now() - start;
		}
	}

	/**
	 * Returns how long the last {@link #fill()} took, in nanoseconds.
	 */
	long lastNanos() {
		return this.lastNanos;
	}

	private Prng prng(long now) {
		Prng prng = this.prng;
		if (prng == null) {
			prng = this.prngs.get();
			this.prng = prng;
			this.seededAt = now;
		}
		else if (this.reseeding.isDue(this.seededAt, now)) {
			prng.reseed();
			this.reseeding.recordReseed();
			this.seededAt = now;
		}
		return prng;
	}

	/**
	 * The bytes were zeros before, and the last slot is a guard that is never handed out:
	 * a generator that stopped short has not written it, or not all of it. One that got
	 * stuck at a block ends with two that are equal, and one that repeats its whole
	 * output ends as it did before. By chance each happens once in 2^128 buffers.
	 */
	private void check(byte[] bytes) {
		int guard = bytes.length - Batch.SLOT;
		if (Arrays.equals(bytes, guard, bytes.length, new byte[Batch.SLOT], 0, Batch.SLOT)) {
			throw new ProviderException("The generator returned fewer bytes than were requested");
		}
		if (Arrays.equals(bytes, guard, bytes.length, this.lastGuard, 0, Batch.SLOT)) {
			throw new ProviderException("The generator is stuck: it repeated its last output");
		}
		if (Arrays.equals(bytes, guard, bytes.length, bytes, guard - Batch.SLOT, guard)) {
			throw new ProviderException("The generator is stuck: it repeated a block");
		}
		System.arraycopy(bytes, guard, this.lastGuard, 0, Batch.SLOT);
		Arrays.fill(bytes, guard, bytes.length, (byte) 0);
	}

	/**
	 * Adds the caller's seed to the generator.
	 */
	void addSeed(byte[] seed) {
		try {
			prng(this.reseeding.now()).addSeed(seed);
		}
		catch (Throwable ex) {
			wipe();
			throw ex;
		}
	}

	/**
	 * Forgets everything that could tell what the generator makes.
	 */
	void wipe() {
		Prng prng = this.prng;
		this.prng = null;
		Arrays.fill(this.lastGuard, (byte) 0);
		if (prng != null) {
			prng.wipe();
		}
	}

}
