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

import java.lang.invoke.VarHandle;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

/**
 * Fills the buffers of a stripe: a generator, and the bytes of a batch that is used up.
 * Leased: whoever took it out of its stripe owns it until it is put back.
 */
final class Filler {

	final Epoch epoch;

	private final int length;

	private final Reseeding reseeding;

	private final Supplier<Prng> prngs;

	private final byte[] lastGuard = new byte[Batch.SLOT];

	private @Nullable Prng prng;

	private byte @Nullable [] idle;

	/** Whether some thread may have claimed a slot of the idle bytes and not read it. */
	private boolean idleAwaited;

	private long seededAt;

	/**
	 * Makes a filler without a generator as yet.
	 * @param bufferSize the bytes to hand out; one slot more is kept as a guard
	 */
	Filler(Supplier<Prng> prngs, int bufferSize, Reseeding reseeding, Epoch epoch) {
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
		byte[] bytes = blank();
		try {
			prng().nextBytes(bytes);
			check(bytes);
			return bytes;
		}
		catch (Throwable ex) {
			Arrays.fill(bytes, (byte) 0);
			dropPrng();
			throw ex;
		}
	}

	private byte[] blank() {
		byte[] bytes = this.idle;
		this.idle = null;
		if (bytes == null || (this.idleAwaited && !Zeros.contains(bytes))) {
			// A thread that claimed a slot has yet to read it: the bytes are left to it.
			return new byte[this.length];
		}
		// What is written from here on must not be seen by those who read before.
		VarHandle.acquireFence();
		return bytes;
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
	 * a generator that stopped short has not written it, be it by a byte. One that got
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
	 * Keeps the bytes of a batch to fill them again.
	 * @param batch one that has left its stripe, used up by those who could claim its
	 * slots
	 */
	void recycle(Batch batch) {
		if (batch.bytes.length == this.length) {
			this.idle = batch.bytes;
			this.idleAwaited = !batch.isBiased();
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
