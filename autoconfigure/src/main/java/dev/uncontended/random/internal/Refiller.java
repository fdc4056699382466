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

import java.time.Instant;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.random.RefillFailure;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * Generates the batches of a stripe of a {@link StripedPool}. Not thread-safe: a thread
 * leases the refiller from the stripe, and gives it back after use. If the generator
 * fails, it is wiped, and the next use creates another one.
 */
final class Refiller {

	final Epoch epoch;

	private final Supplier<Prng> prngs;

	private final long reseedNanos;

	private final LongSupplier ticker;

	private final Counters counters;

	private @Nullable Prng prng;

	private long seededAt;

	/** The period in which the generator was seeded for a batch. */
	private long seededIn = StripedPool.NO_PERIOD;

	/** The duration of the last {@link #generate} in nanoseconds. */
	long lastNanos;

	/**
	 * Creates a refiller, whose first use creates the generator.
	 */
	Refiller(Supplier<Prng> prngs, long reseedNanos, LongSupplier ticker, Counters counters, Epoch epoch) {
		this.prngs = prngs;
		this.reseedNanos = reseedNanos;
		this.ticker = ticker;
		this.counters = counters;
		this.epoch = epoch;
	}

	/**
	 * Returns new random bytes. Reseeds the generator unless it was seeded in the period,
	 * and also after the reseed interval, in case that periods do not end in time.
	 */
	byte[] generate(int length, long period) {
		long start = this.ticker.getAsLong();
		byte[] bytes = new byte[length];
		Prng prng = lease();
		try {
			prng = seeded(prng, start, period);
			prng.nextBytes(bytes);
			this.prng = prng;
			if (this.epoch.lastFailure != null) {
				this.epoch.lastFailure = null;
			}
			return bytes;
		}
		catch (Throwable ex) {
			Arrays.fill(bytes, (byte) 0);
			wipeAfter(ex, prng);
			this.counters.failures.increment();
			this.epoch.lastFailure = new RefillFailure(Instant.now(), ex.getClass().getName());
			throw ex;
		}
		finally {
			this.lastNanos = this.ticker.getAsLong() - start;
		}
	}

	/**
	 * Takes the generator, which returns only after a success: a stack overflow can
	 * prevent any cleanup.
	 */
	private @Nullable Prng lease() {
		Prng prng = this.prng;
		this.prng = null;
		return prng;
	}

	private Prng seeded(@Nullable Prng existing, long now, long period) {
		Prng prng = existing;
		if (prng == null) {
			prng = create(now);
		}
		else if (period != this.seededIn || now - this.seededAt >= this.reseedNanos) {
			prng.reseed();
			this.counters.reseeds.increment();
			this.seededAt = now;
		}
		this.seededIn = period;
		return prng;
	}

	/**
	 * Creates the generator, unless it exists. A pool whose bytes have a limited lifetime
	 * reseeds this generator at its first refill.
	 */
	void seed() {
		if (this.prng == null) {
			this.prng = create(this.ticker.getAsLong());
		}
	}

	void addSeed(byte[] seed) {
		Prng prng = lease();
		try {
			if (prng == null) {
				prng = create(this.ticker.getAsLong());
			}
			prng.addSeed(seed);
			this.prng = prng;
		}
		catch (Throwable ex) {
			wipeAfter(ex, prng);
			throw ex;
		}
	}

	private Prng create(long now) {
		Prng prng = this.prngs.get();
		this.seededAt = now;
		this.seededIn = StripedPool.NO_PERIOD;
		return prng;
	}

	private static void wipeAfter(Throwable failure, @Nullable Prng prng) {
		try {
			if (prng != null) {
				prng.wipe();
			}
		}
		catch (Throwable ex) {
			// A throwable cannot suppress itself. The JVM may throw the same error twice.
			if (ex != failure) {
				failure.addSuppressed(ex);
			}
		}
	}

	void wipe() {
		Prng prng = lease();
		if (prng != null) {
			prng.wipe();
		}
	}

	/** Counts the reseeds and failed refills of a pool. */
	static final class Counters {

		final LongAdder reseeds = new LongAdder();

		final LongAdder failures = new LongAdder();

	}

}
