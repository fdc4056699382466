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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BiConsumer;

import org.jspecify.annotations.Nullable;

/**
 * A bounded cache with lock-free reads. Entries expire a fixed time after their put.
 * <p>
 * {@link #get} does not lock the cache and never returns an expired value. Writers share
 * one lock. The time of a put or removal does not depend on the number of entries, except
 * when a put enlarges the hash table.
 * <p>
 * Each put removes up to two expired entries of other keys, oldest first. If the cache is
 * full and no entry has expired, a put under a new key evicts one entry. Eviction prefers
 * unread entries, so a burst of unread entries does not evict the working set.
 * <p>
 * An expired entry stays in memory, and counts in {@link #estimatedSize()}, until a write
 * or {@link #cleanUp()} removes it.
 * <p>
 * Keys and values must not be {@code null}. Keys must have stable {@code hashCode} and
 * {@code equals} methods that do not use the cache. Keys chosen by untrusted parties must
 * have unpredictable hash codes.
 * <p>
 * Thread-safe. If a write throws an {@code Error}, such as an {@link OutOfMemoryError},
 * the cache stays consistent. The write may have taken effect, in full or in part.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class LazyExpiryCache<K, V> {

	/*
	 * A ConcurrentHashMap finds the entries, and lists keep them in order. The lock,
	 * which is the lists' monitor, guards the lists and every write to the map. Readers
	 * use only the map and the entry that they find.
	 *
	 * Expiry. Except while setExpireAfterWrite runs, neither write times nor timeouts
	 * decrease from older to newer entries. All entries are then live if the oldest entry
	 * is live. An entry's timeout never increases, so an expired entry stays expired.
	 *
	 * Errors. A StackOverflowError or OutOfMemoryError can interrupt a write at any call
	 * or allocation, even inside the map. Each change is therefore first recorded in a
	 * field, then made in the map, and then applied to the lists. EntryLists.apply cannot
	 * fail halfway. The next thread that acquires the lock finds the recorded change of
	 * an interrupted write. The thread applies this change to the lists if the change was
	 * made in the map. The lock is a monitor, because the JVM releases a monitor after
	 * any error.
	 */

	/**
	 * Every fourth put removes up to two expired entries, and all other puts remove up to
	 * one. Puts can thus remove more entries than they add.
	 */
	private static final int PUTS_PER_EXTRA_REMOVAL = 4;

	private static final long UNBOUNDED = Long.MAX_VALUE;

	private final ConcurrentHashMap<K, Entry<K, V>> map = new ConcurrentHashMap<>();

	private final EntryLists<K, V> order = new EntryLists<>();

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	private final Object timeoutChanges = new Object();

	private final Ticker ticker;

	private final @Nullable RemovalListener<K, V> listener;

	private volatile long maximumSize;

	/**
	 * Written under the lock. A put holds the lock while it reads the timeout and adds
	 * its entry. {@link #setExpireAfterWrite} thus finds every entry with the previous
	 * timeout.
	 */
	private volatile long timeout;

	/**
	 * The change that is under way or was interrupted by an error. Guarded by the lock.
	 */
	private @Nullable Change<K, V> unfinished;

	private LazyExpiryCache(Builder<K, V> builder) {
		this.maximumSize = builder.maximumSize;
		this.timeout = builder.timeout;
		this.ticker = builder.ticker;
		this.listener = (builder.listener != null) ? new QuietRemovalListener<>(builder.listener) : null;
	}

	/**
	 * Returns a builder.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @return a new builder, without maximum size and timeout
	 */
	public static <K, V> Builder<K, V> builder() {
		return new Builder<>();
	}

	/**
	 * Returns the value of a key.
	 * @param key the key
	 * @return the value, or {@code null} if the key has no value or the value has expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V get(K key) {
		Entry<K, V> entry = this.map.get(key);
		if (entry == null || entry.isExpired(this.ticker.read())) {
			this.misses.increment();
			return null;
		}
		if (!entry.visited) {
			entry.visited = true;
		}
		this.hits.increment();
		return entry.value;
	}

	/**
	 * Puts or replaces the value of a key. The timeout starts at the put.
	 * @param key the key
	 * @param value the value
	 * @return the previous value, or {@code null} if there was none or it had expired
	 * @throws NullPointerException if the key or the value is {@code null}
	 */
	public @Nullable V put(K key, V value) {
		Objects.requireNonNull(value, "value must not be null");
		long now = this.ticker.read();
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				int expirable = (this.order.puts() % PUTS_PER_EXTRA_REMOVAL == 0) ? 2 : 1;
				Entry<K, V> previous = this.map.get(key);
				if (previous == null) {
					if (!removeExpired(expirable, now, removals) && this.order.size() >= this.maximumSize) {
						evict(removals);
					}
					make(new Change<>(entry(key, value, now), null, RemovalCause.REPLACED), removals);
					return null;
				}
				boolean expired = previous.isExpired(now);
				RemovalCause cause = expired ? RemovalCause.EXPIRED : RemovalCause.REPLACED;
				make(new Change<>(entry(previous.key, value, now), previous, cause), removals);
				removeExpired(expirable, now, removals);
				return expired ? null : previous.value;
			}
		}
	}

	private Entry<K, V> entry(K key, V value, long now) {
		return new Entry<>(key, value, this.order.writeTime(now), this.timeout);
	}

	/**
	 * Removes the entry of a key.
	 * @param key the key
	 * @return the previous value, or {@code null} if there was none or it had expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V remove(K key) {
		long now = this.ticker.read();
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				Entry<K, V> entry = this.map.get(key);
				if (entry == null) {
					return null;
				}
				Change<K, V> removal = removal(entry, now);
				make(removal, removals);
				return (removal.cause == RemovalCause.EXPIRED) ? null : entry.value;
			}
		}
	}

	/**
	 * Removes all entries. Entries put during the call may remain.
	 */
	public void clear() {
		long now = this.ticker.read();
		for (Entry<K, V> entry : this.map.values()) {
			try (Removals<K, V> removals = new Removals<>(this.listener)) {
				synchronized (this.order) {
					finish(removals);
					if (!entry.removed) {
						make(removal(entry, now), removals);
					}
				}
			}
		}
	}

	private static <K, V> Change<K, V> removal(Entry<K, V> entry, long now) {
		return new Change<>(null, entry, entry.isExpired(now) ? RemovalCause.EXPIRED : RemovalCause.INVALIDATED);
	}

	/**
	 * Removes all expired entries.
	 */
	public void cleanUp() {
		long now = this.ticker.read();
		boolean more = true;
		while (more) {
			try (Removals<K, V> removals = new Removals<>(this.listener)) {
				synchronized (this.order) {
					finish(removals);
					more = removeExpired(1, now, removals);
				}
			}
		}
	}

	/**
	 * Performs an action for each unexpired entry, in no particular order. Entries put or
	 * removed concurrently may be included or not. The action may use the cache. The
	 * iteration affects neither statistics nor eviction.
	 * @param action the action; its exceptions end the iteration and are propagated
	 */
	public void forEach(BiConsumer<? super K, ? super V> action) {
		for (Entry<K, V> entry : this.map.values()) {
			if (!entry.removed && !entry.isExpired(this.ticker.read())) {
				action.accept(entry.key, entry.value);
			}
		}
	}

	/**
	 * Returns the number of entries, including expired entries that are still in memory.
	 * @return the number of entries, exact while no write is under way
	 */
	public long estimatedSize() {
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				return this.order.size();
			}
		}
	}

	/**
	 * Returns statistics of this cache.
	 * @return the current counts
	 */
	public CacheStats stats() {
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				return new CacheStats(this.hits.sum(), this.misses.sum(), this.order.puts(),
						this.order.removed(RemovalCause.EVICTED), this.order.removed(RemovalCause.EXPIRED),
						this.order.removed(RemovalCause.INVALIDATED), this.order.removed(RemovalCause.REPLACED));
			}
		}
	}

	/**
	 * Returns the maximum size.
	 * @return the maximum number of entries; 0 means no limit
	 */
	public long maximumSize() {
		long maximumSize = this.maximumSize;
		return (maximumSize != UNBOUNDED) ? maximumSize : 0;
	}

	/**
	 * Sets the maximum size. If the cache exceeds the new size, this method removes
	 * expired entries, and then evicts entries.
	 * @param maximumSize the maximum number of entries; 0 means no limit
	 * @throws IllegalArgumentException if the maximum size is negative
	 */
	public void setMaximumSize(long maximumSize) {
		this.maximumSize = checkMaximumSize(maximumSize);
		if (estimatedSize() > this.maximumSize) {
			cleanUp();
		}
		boolean more = true;
		while (more) {
			try (Removals<K, V> removals = new Removals<>(this.listener)) {
				synchronized (this.order) {
					finish(removals);
					more = this.order.size() > this.maximumSize && evict(removals);
				}
			}
		}
	}

	/**
	 * Returns the timeout.
	 * @return the time from an entry's put to its expiry; zero means no expiry
	 */
	public Duration expireAfterWrite() {
		long timeout = this.timeout;
		return (timeout != Entry.NEVER) ? Duration.ofNanos(timeout) : Duration.ZERO;
	}

	/**
	 * Sets the timeout. A longer timeout applies only to later puts. A shorter timeout
	 * also applies to existing entries: this method visits every entry, and removes the
	 * expired entries.
	 * @param timeout the time from an entry's put to its expiry; zero, or at least
	 * {@link Long#MAX_VALUE} nanoseconds (292 years), means no expiry
	 * @throws IllegalArgumentException if the timeout is negative
	 */
	public void setExpireAfterWrite(Duration timeout) {
		long nanos = checkTimeout(timeout);
		synchronized (this.timeoutChanges) {
			synchronized (this.order) {
				this.timeout = nanos;
			}
			for (Entry<K, V> entry : this.map.values()) {
				entry.limitTimeout(nanos);
			}
		}
		cleanUp();
	}

	@Override
	public String toString() {
		return "LazyExpiryCache[size=" + estimatedSize() + ", maximumSize=" + maximumSize() + ", expireAfterWrite="
				+ expireAfterWrite() + "]";
	}

	private boolean removeExpired(int limit, long now, Removals<K, V> removals) {
		int removed = 0;
		Entry<K, V> oldest = this.order.oldest();
		while (removed < limit && oldest != null && oldest.isExpired(now)) {
			make(new Change<>(null, oldest, RemovalCause.EXPIRED), removals);
			removed++;
			oldest = this.order.oldest();
		}
		return removed > 0;
	}

	private boolean evict(Removals<K, V> removals) {
		Entry<K, V> victim = this.order.victim(this.maximumSize);
		if (victim == null) {
			return false;
		}
		make(new Change<>(null, victim, RemovalCause.EVICTED), removals);
		return true;
	}

	private void make(Change<K, V> change, Removals<K, V> removals) {
		this.unfinished = change;
		change.makeIn(this.map);
		this.order.apply(change, removals);
		this.unfinished = null;
	}

	private void finish(Removals<K, V> removals) {
		Change<K, V> change = this.unfinished;
		if (change != null) {
			if (change.isMadeIn(this.map)) {
				this.order.apply(change, removals);
			}
			this.unfinished = null;
		}
	}

	private static long checkMaximumSize(long maximumSize) {
		if (maximumSize < 0) {
			throw new IllegalArgumentException("maximumSize must be 0 (no limit) or positive, but was " + maximumSize);
		}
		return (maximumSize != 0) ? maximumSize : UNBOUNDED;
	}

	private static long checkTimeout(Duration timeout) {
		if (timeout.isNegative()) {
			throw new IllegalArgumentException(
					"expireAfterWrite must be zero (no expiry) or positive, but was " + timeout);
		}
		if (timeout.isZero() || timeout.compareTo(Duration.ofNanos(Entry.NEVER)) >= 0) {
			return Entry.NEVER;
		}
		return timeout.toNanos();
	}

	/**
	 * Builds caches. Not thread-safe.
	 *
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 */
	public static final class Builder<K, V> {

		private long maximumSize = UNBOUNDED;

		private long timeout = Entry.NEVER;

		private Ticker ticker = Ticker.system();

		private @Nullable RemovalListener<? super K, ? super V> listener;

		private Builder() {
		}

		/**
		 * Sets the maximum size. The default is 0.
		 * @param maximumSize the maximum number of entries; 0 means no limit
		 * @return this builder
		 * @throws IllegalArgumentException if the maximum size is negative
		 */
		public Builder<K, V> maximumSize(long maximumSize) {
			this.maximumSize = checkMaximumSize(maximumSize);
			return this;
		}

		/**
		 * Sets the timeout. The default is zero.
		 * @param timeout the time from an entry's put to its expiry; zero, or at least
		 * {@link Long#MAX_VALUE} nanoseconds (292 years), means no expiry
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
		 * Sets the listener for removed and replaced entries. The default is none.
		 * @param listener the listener
		 * @return this builder
		 */
		public Builder<K, V> removalListener(RemovalListener<? super K, ? super V> listener) {
			this.listener = Objects.requireNonNull(listener, "removalListener must not be null");
			return this;
		}

		/**
		 * Creates a cache.
		 * @return a new, empty cache
		 */
		public LazyExpiryCache<K, V> build() {
			return new LazyExpiryCache<>(this);
		}

	}

}
