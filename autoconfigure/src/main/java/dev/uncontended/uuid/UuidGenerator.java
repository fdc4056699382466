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

package dev.uncontended.uuid;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.RandomAlgorithm;
import dev.uncontended.random.internal.SlotFunction;
import dev.uncontended.random.internal.StripedPool;
import org.jspecify.annotations.Nullable;

/**
 * Creates version 4 and version 7 UUIDs (RFC 9562) from cryptographically strong random
 * bits. Thread-safe. With {@code CTR_DRBG}, virtual threads are not pinned, except while
 * a reseed reads {@code /dev/urandom}.
 * <p>
 * Each version has its own pool of random bits. A pool consists of stripes, each with a
 * buffer and a random number generator that refills the buffer.
 * <p>
 * Threads do not block each other, with two exceptions. The first refills of a
 * {@code CTR_DRBG} pool take turns. If refills take a millisecond or more, threads may
 * wait for a refill. The waits for a UUID take at most a second. With {@code CTR_DRBG},
 * event loops of Reactor and Netty never wait for other threads.
 */
public final class UuidGenerator implements AutoCloseable {

	private static final long VERSION_MASK = 0xFFFFFFFFFFFF0FFFL;

	private static final long VARIANT_MASK = 0x3FFFFFFFFFFFFFFFL;

	private static final long VARIANT = 0x8000000000000000L;

	/** The bits of the fraction of a millisecond. */
	private static final int FRACTION_BITS = TimeSequence.FRACTION_BITS;

	/** Few enough to pass soon, and enough to read the clock rarely. */
	private static final int BULK_TIMES = 512;

	private final RandomAlgorithm algorithm;

	private final StripedPool random;

	private final StripedPool timeOrdered;

	/** All pools by version. */
	private final Map<Integer, StripedPool> pools;

	private final Clock clock;

	private final TimeSequence sequence;

	/** Kept in a field, so that calls do not allocate a method reference. */
	private final SlotFunction<UUID> version7 = this::version7;

	private final Instant startedAt;

	private UuidGenerator(Builder builder) {
		this.algorithm = RandomAlgorithm.of(builder.algorithm, builder.provider);
		this.random = builder.pool(this.algorithm);
		this.timeOrdered = builder.pool(this.algorithm);
		this.pools = new TreeMap<>(Map.of(4, this.random, 7, this.timeOrdered));
		this.clock = builder.clock;
		this.sequence = (builder.sequence != null) ? builder.sequence : TimeSequence.of(this.clock);
		this.startedAt = this.clock.instant();
	}

	/**
	 * Returns a builder with default settings.
	 * @return a new builder
	 */
	public static Builder builder() {
		return new Builder();
	}

	/**
	 * Returns a version 4 UUID (RFC 9562 section 5.4), which has 122 random bits.
	 * @return a new UUID
	 * @throws java.security.ProviderException if the random number generator fails; the
	 * next call retries
	 * @throws IllegalStateException if this generator is closed
	 */
	public UUID randomUuid() {
		return this.random.draw(UuidGenerator::version4);
	}

	/**
	 * Returns a version 7 UUID (RFC 9562 section 5.7). It contains the Unix time, 48 bits
	 * of milliseconds and 20 bits of the fraction of a millisecond (section 6.2, method
	 * 3), and 54 random bits.
	 * <p>
	 * <b>Order.</b> The UUIDs of a thread increase strictly in the order of
	 * {@link UUID#toString()}, even if the clock moves backwards, and across all
	 * generators without {@linkplain Builder#clock their own clock}. The UUIDs of
	 * different threads are ordered by the clock: a UUID created after another was handed
	 * over is greater. This does not hold while the clock is behind an earlier reading,
	 * because then each thread continues from its last UUID until the clock catches up.
	 * Times of different threads may be equal, in which case only the random bits differ.
	 * @return a new UUID
	 * @throws java.security.ProviderException if the random number generator fails; the
	 * next call retries
	 * @throws IllegalStateException if this generator is closed, or if the clock is
	 * before 1970 or after 2248
	 */
	public UUID timeOrderedUuid() {
		return this.timeOrdered.draw(this.version7);
	}

	private UUID version7(long unused, long randomBits) {
		return version7At(nextTime(1), randomBits);
	}

	private long nextTime(int count) {
		return this.sequence.next(this.clock.instant(), count);
	}

	/**
	 * Returns a version 7 UUID of a given time, for example for data that already exists.
	 * The UUID contains the time in 48 bits if it is a whole number of milliseconds, in
	 * 58 bits if it is one of microseconds, and otherwise in 68 bits, like
	 * {@link #timeOrderedUuid()}. The remaining 74, 64 or 54 bits are random (RFC 9562
	 * section 6.2).
	 * <p>
	 * <b>Order.</b> A UUID of a later millisecond is greater. No other order is promised,
	 * neither among UUIDs of this method nor with {@link #timeOrderedUuid()}, which this
	 * method does not affect.
	 * @param instant the time
	 * @return a new UUID, which differs for each call
	 * @throws IllegalArgumentException if the millisecond of the time is before 1970 or
	 * after 10889-08-02T05:31:50.655Z
	 * @throws NullPointerException if the time is {@code null}
	 * @throws java.security.ProviderException if the random number generator fails; the
	 * next call retries
	 * @throws IllegalStateException if this generator is closed
	 */
	public UUID timeOrderedUuid(Instant instant) {
		UuidTimestamps.checkRange(Objects.requireNonNull(instant, "instant must not be null"));
		return this.timeOrdered.draw((first, second) -> version7Of(instant, first, second));
	}

	/**
	 * Fills an array with version 4 UUIDs. This is faster than a call of
	 * {@link #randomUuid()} for each element.
	 * @param destination the array whose elements are replaced
	 * @throws NullPointerException if the array is {@code null}
	 * @throws java.security.ProviderException if the random number generator fails; some
	 * elements may have been replaced
	 * @throws IllegalStateException if this generator is closed
	 */
	public void fill(@Nullable UUID[] destination) {
		this.random.fill(Objects.requireNonNull(destination, "destination must not be null"), UuidGenerator::version4);
	}

	/**
	 * Fills an array with version 7 UUIDs in increasing order. This is faster than a call
	 * of {@link #timeOrderedUuid()} for each element, because the clock is read once for
	 * hundreds of elements.
	 * @param destination the array whose elements are replaced
	 * @throws NullPointerException if the array is {@code null}
	 * @throws java.security.ProviderException if the random number generator fails; some
	 * elements may have been replaced
	 * @throws IllegalStateException if this generator is closed, or if the clock is
	 * before 1970 or after 2248; some elements may have been replaced
	 */
	public void fillTimeOrdered(@Nullable UUID[] destination) {
		Objects.requireNonNull(destination, "destination must not be null");
		this.timeOrdered.fill(destination, new BulkTimes(destination.length));
	}

	static UUID version4(long mostSignificantBits, long leastSignificantBits) {
		return uuid(4, mostSignificantBits, leastSignificantBits);
	}

	/**
	 * Returns the version 7 UUID of a time in units of {@link TimeSequence}.
	 */
	static UUID version7At(long time, long randomBits) {
		return version7(time >>> FRACTION_BITS, time, randomBits);
	}

	/**
	 * Returns a version 7 UUID of a time. The bits of the fraction that the time does not
	 * determine are random.
	 */
	static UUID version7Of(Instant instant, long firstRandomBits, long secondRandomBits) {
		int nanos = instant.getNano() % 1_000_000;
		int knownBits = (nanos == 0) ? 0 : (nanos % 1000 == 0) ? FRACTION_BITS / 2 : FRACTION_BITS;
		long unknown = (1L << (FRACTION_BITS - knownBits)) - 1;
		long fraction = ((long) nanos << FRACTION_BITS) / 1_000_000;
		return version7(instant.toEpochMilli(), (fraction & ~unknown) | (firstRandomBits & unknown), secondRandomBits);
	}

	/**
	 * Returns a UUID of 48 bits of milliseconds, 12 and 8 bits of the fraction, and the
	 * upper 54 random bits.
	 */
	private static UUID version7(long millis, long fraction, long randomBits) {
		return uuid(7, (millis << 16) | ((fraction >>> 8) & 0xFFF), (fraction << 54) | (randomBits >>> 10));
	}

	/**
	 * Returns a UUID of the bits, except for its version and variant.
	 */
	static UUID uuid(int version, long mostSignificantBits, long leastSignificantBits) {
		return new UUID((mostSignificantBits & VERSION_MASK) | ((long) version << 12),
				(leastSignificantBits & VARIANT_MASK) | VARIANT);
	}

	/**
	 * Seeds the random number generators in advance. Otherwise, each is seeded by the
	 * first call that uses it. Does nothing if this generator is suspended or closed. If
	 * a random number generator fails, its first use retries.
	 * <p>
	 * Call this method at start-up if event loops will create UUIDs. The first seed of a
	 * process loads the cipher of {@code CTR_DRBG}, which takes tens of milliseconds.
	 */
	public void seed() {
		forEachPool(StripedPool::seed);
	}

	/**
	 * Wipes the buffers and drops all state of the random number generators. Does nothing
	 * if this generator is suspended or closed.
	 * <p>
	 * Call this method before a snapshot of the process. Otherwise, all processes
	 * restored from the snapshot use the same random bits. Call {@link #resume()} after
	 * restoring the process.
	 * <p>
	 * A suspended generator creates UUIDs slowly, because each call seeds a new random
	 * number generator.
	 * @throws java.security.ProviderException if a random number generator cannot be
	 * wiped; all others are wiped
	 */
	public void suspend() {
		forEachPool(StripedPool::suspend);
	}

	/**
	 * Resumes this generator with fresh seeds from the operating system. Does nothing if
	 * this generator is running.
	 * @throws IllegalStateException if this generator is closed
	 */
	public void resume() {
		forEachPool(StripedPool::resume);
	}

	/**
	 * Closes this generator permanently, and wipes it like {@link #suspend()}. Does
	 * nothing if this generator is closed.
	 * @throws java.security.ProviderException if a random number generator cannot be
	 * wiped; all others are wiped
	 */
	@Override
	public void close() {
		forEachPool(StripedPool::close);
	}

	/**
	 * Calls the action for all pools, also if it fails for one of them.
	 */
	private void forEachPool(Consumer<StripedPool> action) {
		RuntimeException failure = null;
		for (StripedPool pool : this.pools.values()) {
			try {
				action.accept(pool);
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
	}

	/**
	 * Returns the algorithm of the random number generators.
	 * @return the name in the provider's spelling
	 */
	public String algorithm() {
		return this.algorithm.name();
	}

	/**
	 * Returns the provider of the random number generators.
	 * @return the name of the provider
	 */
	public String provider() {
		return this.algorithm.provider();
	}

	/**
	 * Returns statistics of this generator.
	 * @return the statistics
	 */
	public UuidGeneratorStats stats() {
		Map<Integer, PoolStats> stats = new HashMap<>();
		this.pools.forEach((version, pool) -> stats.put(version, pool.stats()));
		return new UuidGeneratorStats(this.startedAt, stats);
	}

	/**
	 * Creates the UUIDs of an array. Takes times when they are needed, so that a fill
	 * that fails does not move the sequence far ahead of the clock.
	 */
	private final class BulkTimes implements SlotFunction<UUID> {

		private int remaining;

		private long next;

		private long end;

		BulkTimes(int count) {
			this.remaining = count;
		}

		@Override
		public UUID apply(long unused, long randomBits) {
			if (this.next == this.end) {
				int count = Math.min(this.remaining, BULK_TIMES);
				this.next = nextTime(count);
				this.end = this.next + count;
				this.remaining -= count;
			}
			return version7At(this.next++, randomBits);
		}

	}

	/**
	 * Builds a {@link UuidGenerator}. Not thread-safe.
	 */
	public static final class Builder {

		private String algorithm = UncontendedProvider.CTR_DRBG;

		private @Nullable String provider;

		private int stripes = StripedPool.defaultStripes();

		private int bufferSize = 8192;

		private Duration reseedInterval = Duration.ofMillis(100);

		private Clock clock = Clock.systemUTC();

		/** If {@code null}, the generator has its own. */
		private @Nullable TimeSequence sequence = TimeSequence.SYSTEM;

		private Builder() {
		}

		/**
		 * Sets the algorithm of the random number generators.
		 * @param algorithm the name of any JCA {@code SecureRandom} algorithm; the
		 * default is {@code CTR_DRBG}
		 * @return this builder
		 * @throws NullPointerException if the algorithm is {@code null}
		 */
		public Builder algorithm(String algorithm) {
			this.algorithm = Objects.requireNonNull(algorithm, "algorithm must not be null");
			return this;
		}

		/**
		 * Sets the provider of the algorithm.
		 * @param provider the name of a JCA provider; {@code null}, the default, selects
		 * the first provider that offers the algorithm, or {@link UncontendedProvider}
		 * for {@code CTR_DRBG}
		 * @return this builder
		 */
		public Builder provider(@Nullable String provider) {
			this.provider = provider;
			return this;
		}

		/**
		 * Sets the number of stripes of each pool.
		 * @param stripes the number from 1 to {@value StripedPool#MAX_STRIPES}, rounded
		 * up to a power of two; the default is eight times the number of processors, at
		 * most 256
		 * @return this builder
		 */
		public Builder stripes(int stripes) {
			this.stripes = stripes;
			return this;
		}

		/**
		 * Sets the buffer size of a stripe.
		 * @param bufferSize the size in bytes, a multiple of 16 from
		 * {@value StripedPool#MIN_BUFFER_SIZE} to {@value StripedPool#MAX_BUFFER_SIZE};
		 * the default is 8192
		 * @return this builder
		 */
		public Builder bufferSize(int bufferSize) {
			this.bufferSize = bufferSize;
			return this;
		}

		/**
		 * Sets the longest time for which unused random bits stay in memory. A random
		 * number generator is reseeded at its first refill after this time. Memory, such
		 * as a heap dump, therefore reveals only UUIDs of the next interval.
		 * @param reseedInterval the interval; zero means no limit, and leaves reseeding
		 * to the algorithm; less than a millisecond counts as one; the default is 100 ms
		 * @return this builder
		 * @throws NullPointerException if the interval is {@code null}
		 */
		public Builder reseedInterval(Duration reseedInterval) {
			this.reseedInterval = Objects.requireNonNull(reseedInterval, "reseedInterval must not be null");
			return this;
		}

		/**
		 * Sets the clock of version 7 UUIDs. The default is the system clock.
		 * {@link #build()} reads the clock a few times to measure its steps. If they are
		 * 100 nanoseconds or longer, or if the clock stands still, UUIDs increase
		 * strictly across threads, but more threads do not create more UUIDs.
		 * @param clock the clock, which must be thread-safe
		 * @return this builder
		 * @throws NullPointerException if the clock is {@code null}
		 */
		public Builder clock(Clock clock) {
			return clock(Objects.requireNonNull(clock, "clock must not be null"), null);
		}

		Builder clock(Clock clock, @Nullable TimeSequence sequence) {
			this.clock = clock;
			this.sequence = sequence;
			return this;
		}

		/**
		 * Creates a generator.
		 * @return a new generator
		 * @throws IllegalArgumentException if a number or the reseed interval is out of
		 * range
		 * @throws dev.uncontended.random.UnavailableAlgorithmException if no such
		 * algorithm works in this JVM
		 */
		public UuidGenerator build() {
			return new UuidGenerator(this);
		}

		private StripedPool pool(RandomAlgorithm algorithm) {
			return new StripedPool(algorithm, this.stripes, this.bufferSize, this.reseedInterval);
		}

	}

}
