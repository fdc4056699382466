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

import java.security.ProviderException;
import java.util.Arrays;
import java.util.function.Supplier;

import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * Fills the buffers of a stripe of a {@link StripedPool} from a generator. Not
 * thread-safe: a thread takes the refiller from the stripe before use, and puts it back
 * after use.
 */
final class Refiller {

	final Epoch epoch;

	private final int length;

	private final Reseeding reseeding;

	private final Supplier<Prng> prngs;

	private final byte[] lastGuard = new byte[Batch.SLOT];

	private @Nullable Prng prng;

	private long seededAt;

	/** The duration of the last {@link #fill()} in nanoseconds. */
	long lastNanos;

	/**
	 * Creates a refiller, whose first use creates the generator.
	 * @param bufferSize the size of a buffer in bytes, without the {@linkplain #check
	 * guard}
	 */
	Refiller(Supplier<Prng> prngs, int bufferSize, Reseeding reseeding, Epoch epoch) {
		this.prngs = prngs;
		this.length = bufferSize + Batch.SLOT;
		this.reseeding = reseeding;
		this.epoch = epoch;
	}

	/**
	 * Fills a buffer. If the generator fails, wipes it, and the next call creates another
	 * generator.
	 * @return the bytes for a new {@link Batch}, followed by the zeroed guard
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
	 * Throws an exception if the guard consists of zeros, equals the guard of the
	 * previous buffer, or equals the preceding slot. The guard is the last slot of a
	 * buffer, and is never handed out. Each comparison raises a false alarm with a
	 * probability of 2^-128.
	 */
	private void check(byte[] bytes) {
		int guard = bytes.length - Batch.SLOT;
		if (Arrays.equals(bytes, guard, bytes.length, new byte[Batch.SLOT], 0, Batch.SLOT)) {
			throw new ProviderException("The generator returned fewer bytes than requested");
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
	 * Creates the generator, unless it exists.
	 */
	void seed() {
		prng(this.reseeding.now());
	}

	void addSeed(byte[] seed) {
		try {
			prng(this.reseeding.now()).addSeed(seed);
		}
		catch (Throwable ex) {
			wipe();
			throw ex;
		}
	}

	void wipe() {
		Prng prng = this.prng;
		this.prng = null;
		Arrays.fill(this.lastGuard, (byte) 0);
		if (prng != null) {
			prng.wipe();
		}
	}

}
