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
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.random.internal.StripedPool.Epoch;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * Fills the buffers of a stripe of a {@link StripedPool} from a generator. Not
 * thread-safe: a thread takes the refiller from the stripe before use, and puts it back
 * after use. If the generator fails, it is wiped, and the next use creates another one.
 */
final class Refiller {

	final Epoch epoch;

	private final Supplier<Prng> prngs;

	private final int bufferSize;

	private final long reseedNanos;

	private final LongSupplier ticker;

	private final LongAdder reseeds;

	private @Nullable Prng prng;

	private long seededAt;

	/** The duration of the last {@link #fill()} in nanoseconds. */
	long lastNanos;

	/**
	 * Creates a refiller, whose first use creates the generator.
	 * @param reseeds counts the reseeds of the pool
	 */
	Refiller(Supplier<Prng> prngs, int bufferSize, long reseedNanos, LongSupplier ticker, LongAdder reseeds,
			Epoch epoch) {
		this.prngs = prngs;
		this.bufferSize = bufferSize;
		this.reseedNanos = reseedNanos;
		this.ticker = ticker;
		this.reseeds = reseeds;
		this.epoch = epoch;
	}

	/**
	 * Returns a new buffer of random bytes.
	 */
	byte[] fill() {
		long start = this.ticker.getAsLong();
		byte[] bytes = new byte[this.bufferSize];
		try {
			prng(start).nextBytes(bytes);
			return bytes;
		}
		catch (Throwable ex) {
			Arrays.fill(bytes, (byte) 0);
			wipeAfter(ex);
			throw ex;
		}
		finally {
			this.lastNanos = this.ticker.getAsLong() - start;
		}
	}

	private Prng prng(long now) {
		Prng prng = this.prng;
		if (prng == null) {
			prng = this.prngs.get();
			this.prng = prng;
			this.seededAt = now;
		}
		else if (now - this.seededAt >= this.reseedNanos) {
			prng.reseed();
			this.reseeds.increment();
			this.seededAt = now;
		}
		return prng;
	}

	/**
	 * Creates the generator, unless it exists.
	 */
	void seed() {
		if (this.prng == null) {
			prng(this.ticker.getAsLong());
		}
	}

	void addSeed(byte[] seed) {
		try {
			prng(this.ticker.getAsLong()).addSeed(seed);
		}
		catch (Throwable ex) {
			wipeAfter(ex);
			throw ex;
		}
	}

	private void wipeAfter(Throwable failure) {
		try {
			wipe();
		}
		catch (Throwable ex) {
			failure.addSuppressed(ex);
		}
	}

	void wipe() {
		Prng prng = this.prng;
		this.prng = null;
		if (prng != null) {
			prng.wipe();
		}
	}

}
