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

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A bounded cache whose reads take no lock and whose entries expire a fixed time after
 * they were put, without anything ever scanning for them.
 * <p>
 * {@link #get} never blocks, never allocates and never returns an expired entry. Writers
 * lock one of many segments for a constant time, whatever the capacity and however many
 * entries have expired: each put takes the oldest expired entry or two of its segment
 * away, or, if there are none and the cache is full, evicts one entry. Entries that were
 * read since they were put outlive those of their segment that were not, so a burst of
 * entries that nobody ever asks for again does not push out those in use.
 * <p>
 * An expired entry can stay in memory until enough writes have come by or
 * {@link #cleanUp()} is called; {@link #estimatedSize()} counts it until then. The size
 * exceeds the maximum by no more than the number of threads that are inside {@link #put
 * put}, and not at all once they have returned. The room of an entry that has left, about
 * 50 bytes, is kept for the next one.
 * <p>
 * Keys must have a stable {@code hashCode} and {@code equals}; keys with equal hash codes
 * share a chain, so keys that a stranger may choose must hash unpredictably. Neither keys
 * nor values may be {@code null}. All methods may be called by several threads at once;
 * those that concern all entries ({@link #clear()}, {@link #cleanUp()}, {@link #forEach},
 * {@link #stats()}) go through the segments one by one and make no snapshot of the whole.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class LazyExpiryCache<K, V> {

	/**
	 * Large enough to make the eviction policy see a fair sample of the keys. A smaller
	 * cache has fewer segments.
	 */
	private static final int ENTRIES_PER_SEGMENT = 256;

	/**
	 * Enough to make it unlikely that two writers meet. More would only spread what they
	 * touch over more cache lines.
	 */
	private static final int MAXIMUM_SEGMENTS = 16 * Runtime.getRuntime().availableProcessors();

	/**
	 * How many entries a bulk operation removes before it lets writers pass.
	 */
	private static final int BATCH = 64;

	private final Ticker ticker;

	private final Bounds bounds;

	private final @Nullable RemovalListener<K, V> listener;

	private final Segment<K, V>[] segments;

	private final int segmentBits;

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	private LazyExpiryCache(Builder<K, V> builder) {
		this.ticker = builder.ticker;
		this.bounds = new Bounds(builder.maximumSize, builder.timeout);
		this.listener = (builder.listener != null) ? new QuietRemovalListener<>(builder.listener) : null;
		this.segmentBits = segmentBits(builder.maximumSize);
		this.segments = segments(1 << this.segmentBits);
		for (int i = 0; i < this.segments.length; i++) {
			this.segments[i] = new Segment<>(this.bounds);
		}
	}

	/**
	 * Starts building a cache.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @return a builder of caches without bound and timeout
	 */
	public static <K, V> Builder<K, V> builder() {
		return new Builder<>();
	}

	/**
	 * Returns the value under a key.
	 * @param key the key
	 * @return the value, or {@code null} if there is none or it has expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V get(K key) {
		int hash = hash(key);
		V value = segment(hash).get(key, hash >>> this.segmentBits, this.ticker);
		((value != null) ? this.hits : this.misses).increment();
		return value;
	}

	/**
	 * Puts a value under a key, as the newest entry: its time starts anew if the key is
	 * known.
	 * @param key the key
	 * @param value the value
	 * @return the value that was under the key, or {@code null} if there was none or it
	 * had expired
	 * @throws NullPointerException if the key or the value is {@code null}
	 */
	public @Nullable V put(K key, V value) {
		Objects.requireNonNull(value, "value must not be null");
		int hash = hash(key);
		Removals<K, V> removals = removals();
		V previous = segment(hash).put(key, hash >>> this.segmentBits, value, this.ticker.read(), removals);
		removals.announce();
		if (this.bounds.excess() > 0) {
			// Others were as fast, or there was nothing to evict in this key's segment.
			trim(hash + 1);
		}
		return previous;
	}

	/**
	 * Removes the entry under a key.
	 * @param key the key
	 * @return the value that was under the key, or {@code null} if there was none or it
	 * had expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V remove(K key) {
		int hash = hash(key);
		Removals<K, V> removals = removals();
		V removed = segment(hash).remove(key, hash >>> this.segmentBits, this.ticker.read(), removals);
		removals.announce();
		return removed;
	}

	/**
	 * Removes all entries. Those that others put meanwhile may stay.
	 */
	public void clear() {
		long now = this.ticker.read();
		Removals<K, V> removals = removals();
		for (Segment<K, V> segment : this.segments) {
			for (int left = segment.size(); left > 0; left -= BATCH) {
				segment.removeOldest(Math.min(left, BATCH), now, removals);
				removals.announce();
			}
		}
	}

	/**
	 * Removes all expired entries.
	 */
	public void cleanUp() {
		expire(this.ticker.read());
	}

	private void expire(long now) {
		Removals<K, V> removals = removals();
		for (Segment<K, V> segment : this.segments) {
			boolean more = true;
			while (more) {
				more = segment.expire(BATCH, now, removals);
				removals.announce();
			}
		}
	}

	/**
	 * Calls an action with each live entry, segment by segment, in each from the oldest
	 * to the newest. Entries that are put or removed meanwhile may be left out or
	 * included. The action is called outside of all locks and may use the cache; this
	 * counts neither as a hit nor as a use.
	 * @param action what to do with a key and its value; an exception it throws ends the
	 * iteration and is passed on
	 */
	public void forEach(BiConsumer<? super K, ? super V> action) {
		long now = this.ticker.read();
		for (Segment<K, V> segment : this.segments) {
			segment.live(now).forEach((entry) -> action.accept(entry.getKey(), entry.getValue()));
		}
	}

	/**
	 * Returns how many entries are held, expired ones that still await their removal
	 * included.
	 * @return the number of entries; exact while no write is under way
	 */
	public long estimatedSize() {
		return this.bounds.size();
	}

	/**
	 * Returns what this cache has done since it was made.
	 * @return the counts up to now
	 */
	public CacheStats stats() {
		long puts = 0;
		long evictions = 0;
		long expirations = 0;
		long invalidations = 0;
		long replacements = 0;
		for (Segment<K, V> segment : this.segments) {
			CacheStats stats = segment.stats();
			puts += stats.puts();
			evictions += stats.evictions();
			expirations += stats.expirations();
			invalidations += stats.invalidations();
			replacements += stats.replacements();
		}
		return new CacheStats(this.hits.sum(), this.misses.sum(), puts, evictions, expirations, invalidations,
				replacements);
	}

	/**
	 * Returns the bound.
	 * @return the number of entries that may be held; 0 means that there is no bound
	 */
	public long maximumSize() {
		long maximumSize = this.bounds.maximumSize();
		return (maximumSize != Bounds.NONE) ? maximumSize : 0;
	}

	/**
	 * Changes the bound. If more entries are held, expired ones are removed and others
	 * evicted until the rest fits, before this method returns. How many segments there
	 * are follows from the first bound and stays.
	 * @param maximumSize the number of entries that may be held; 0 means no bound
	 * @throws IllegalArgumentException if the bound is negative
	 */
	public void setMaximumSize(long maximumSize) {
		this.bounds.setMaximumSize(checkMaximumSize(maximumSize));
		if (this.bounds.excess() > 0) {
			cleanUp();
			trim(0);
		}
	}

	/**
	 * Returns the timeout.
	 * @return how long after it was put an entry expires; zero means never
	 */
	public Duration expireAfterWrite() {
		long timeout = this.bounds.timeouts().current();
		return (timeout != Timeouts.NONE) ? Duration.ofNanos(timeout) : Duration.ZERO;
	}

	/**
	 * Changes the timeout. Each entry lives by the shortest timeout that has been in
	 * force since it was put: a shorter one applies to those that are held, too, and
	 * removes what it makes expire; a longer one, or none, applies to those that are put
	 * from now on, and brings nothing back.
	 * @param timeout how long after it was put an entry expires; zero means never, and so
	 * does anything from 292 years up, which a {@code long} of nanoseconds cannot hold
	 * @throws IllegalArgumentException if the timeout is negative
	 */
	public void setExpireAfterWrite(Duration timeout) {
		long nanos = checkTimeout(timeout);
		this.bounds.changeTimeouts((timeouts) -> timeouts.changedTo(nanos, this.ticker.read()));
		long now = this.ticker.read();
		expire(now);
		this.bounds.changeTimeouts((timeouts) -> timeouts.since(now));
	}

	@Override
	public String toString() {
		return "LazyExpiryCache[size=" + estimatedSize() + ", maximumSize=" + maximumSize() + ", expireAfterWrite="
				+ expireAfterWrite() + "]";
	}

	private Removals<K, V> removals() {
		return Removals.forListener(this.listener);
	}

	/**
	 * Evicts entries from all segments in turn until the bound holds.
	 */
	private void trim(int firstSegment) {
		Removals<K, V> removals = removals();
		for (int i = firstSegment; this.bounds.excess() > 0; i++) {
			int share = (int) Math.min(BATCH, 1 + this.bounds.excess() / this.segments.length);
			segment(i).trim(share, removals);
			removals.announce();
		}
	}

	private Segment<K, V> segment(int hash) {
		return this.segments[hash & (this.segments.length - 1)];
	}

	/**
	 * The finalizer of MurmurHash3: the low bits pick the segment and the next ones the
	 * bucket, and many a {@code hashCode} differs in its high bits only.
	 */
	private static int hash(Object key) {
		int hash = key.hashCode();
		hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
		hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
		return hash ^ (hash >>> 16);
	}

	private static int segmentBits(long maximumSize) {
		long wanted = 1 + (maximumSize - 1) / ENTRIES_PER_SEGMENT;
		int segments = (int) Math.min(wanted, MAXIMUM_SEGMENTS);
		return Integer.SIZE - Integer.numberOfLeadingZeros(segments - 1);
	}

	@SuppressWarnings({ "unchecked", "rawtypes" })
	private static <K, V> Segment<K, V>[] segments(int length) {
		return new Segment[length];
	}

	private static long checkMaximumSize(long maximumSize) {
		if (maximumSize < 0) {
			throw new IllegalArgumentException("maximumSize must be 0 (no bound) or positive, but was " + maximumSize);
		}
		return (maximumSize != 0) ? maximumSize : Bounds.NONE;
	}

	private static long checkTimeout(Duration timeout) {
		if (timeout.isNegative()) {
			throw new IllegalArgumentException(
					"expireAfterWrite must be zero (no expiry) or positive, but was " + timeout);
		}
		if (timeout.isZero() || timeout.compareTo(Duration.ofNanos(Timeouts.NONE)) >= 0) {
			return Timeouts.NONE;
		}
		return timeout.toNanos();
	}

	/**
	 * Builds caches. Not safe for use by several threads.
	 *
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 */
	public static final class Builder<K, V> {

		private long maximumSize = Bounds.NONE;

		private long timeout = Timeouts.NONE;

		private Ticker ticker = Ticker.system();

		private @Nullable RemovalListener<? super K, ? super V> listener;

		private Builder() {
		}

		/**
		 * Sets the bound. The default is 0.
		 * @param maximumSize the number of entries that may be held; 0 means no bound
		 * @return this builder
		 * @throws IllegalArgumentException if the bound is negative
		 */
		public Builder<K, V> maximumSize(long maximumSize) {
			this.maximumSize = checkMaximumSize(maximumSize);
			return this;
		}

		/**
		 * Sets the timeout. The default is zero.
		 * @param timeout how long after it was put an entry expires; zero means never
		 * @return this builder
		 * @throws IllegalArgumentException if the timeout is negative
		 */
		public Builder<K, V> expireAfterWrite(Duration timeout) {
			this.timeout = checkTimeout(timeout);
			return this;
		}

		/**
		 * Sets the clock. The default is {@link Ticker#system()}.
		 * @param ticker the clock
		 * @return this builder
		 */
		public Builder<K, V> ticker(Ticker ticker) {
			this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
			return this;
		}

		/**
		 * Sets who is told of each entry that leaves.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder<K, V> removalListener(RemovalListener<? super K, ? super V> listener) {
			this.listener = Objects.requireNonNull(listener, "removalListener must not be null");
			return this;
		}

		/**
		 * Builds a cache.
		 * @return a new, empty cache
		 */
		public LazyExpiryCache<K, V> build() {
			return new LazyExpiryCache<>(this);
		}

	}

}
