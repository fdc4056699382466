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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

import dev.uncontended.cache.EntryLists.Entry;
import org.jspecify.annotations.Nullable;

/**
 * A bounded cache with lock-free reads. Entries expire a fixed time after their put.
 * <p>
 * A put under a new key into a full cache evicts one entry. Eviction prefers unread
 * entries, so a burst of unread entries does not evict the working set.
 * <p>
 * {@link #get} never returns an expired value. Expiry is lazy: an expired entry stays in
 * memory, and counts in {@link #stats()}, until {@link #cleanUp()} or a put removes it.
 * Each put removes up to two expired entries, oldest first.
 * <p>
 * Keys must have stable {@code hashCode} and {@code equals} methods that do not use the
 * cache. Keys chosen by untrusted parties must have unpredictable hash codes.
 * <p>
 * Thread-safe. An exception of a key or of the ticker leaves the cache consistent. After
 * an {@code Error} in a write, such as an {@link OutOfMemoryError}, the cache may have
 * lost entries, and its statistics may be inexact.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class LazyExpiryCache<K, V> {

	/*
	 * A map finds the entries, and lists keep them in order. The lists' monitor guards
	 * both against concurrent writes; readers use only the map and the entry they find.
	 * Write times never decrease from older to newer entries, so all entries are live if
	 * the oldest is. Each change is made in the map first, because only the map calls
	 * methods of keys and allocates memory: if this fails, the lists are unchanged.
	 */

	private static final Logger logger = System.getLogger(LazyExpiryCache.class.getName());

	/** At these puts, two expired entries leave instead of one: more than are added. */
	private static final int PUTS_PER_EXTRA_REMOVAL = 4;

	/** For the maximum size and for the timeout. */
	private static final long UNLIMITED = Long.MAX_VALUE;

	private final ConcurrentHashMap<K, Entry<K, V>> map = new ConcurrentHashMap<>();

	private final EntryLists<K, V> lists = new EntryLists<>();

	private final LongSupplier ticker;

	private final BiConsumer<? super V, RemovalCause> listener;

	private final AtomicBoolean listenerFailed = new AtomicBoolean();

	private volatile long maximumSize;

	private volatile long timeout;

	private LazyExpiryCache(Builder<K, V> builder) {
		this.maximumSize = builder.maximumSize;
		this.timeout = builder.timeout;
		this.ticker = builder.ticker;
		this.listener = builder.listener;
	}

	/**
	 * Returns a builder of a cache without a maximum size and without a timeout.
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 * @return a new builder
	 */
	public static <K, V> Builder<K, V> builder() {
		return new Builder<>();
	}

	/**
	 * Returns the value of a key, and marks its entry as read. Takes constant time,
	 * acquires no lock, and allocates no memory.
	 * @param key the key
	 * @return the value, or {@code null} if the key has no value or the value has expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V get(K key) {
		Entry<K, V> entry = this.map.get(key);
		if (entry == null || isExpired(entry)) {
			return null;
		}
		if (!entry.visited) {
			entry.visited = true;
		}
		return entry.value;
	}

	/**
	 * Puts or replaces the value of a key. The timeout starts at the put. Holds the lock
	 * of all writes for constant time, except when it enlarges the hash table.
	 * @param key the key
	 * @param value the value
	 * @return the previous value, or {@code null} if there was none or it had expired
	 * @throws NullPointerException if the key or the value is {@code null}
	 */
	public @Nullable V put(K key, V value) {
		Objects.requireNonNull(key, "key must not be null");
		Objects.requireNonNull(value, "value must not be null");
		long now = this.ticker.getAsLong();
		Entry<K, V> previous;
		Entry<K, V> removed = null;
		try {
			synchronized (this.lists) {
				int expirable = (this.lists.puts % PUTS_PER_EXTRA_REMOVAL == 0) ? 2 : 1;
				removed = removeExpired(expirable, now);
				previous = this.map.get(key);
				if (previous == null && removed == null && this.lists.size >= this.maximumSize) {
					removed = evict(null);
				}
				Entry<K, V> entry = new Entry<>((previous != null) ? previous.key : key, value,
						this.lists.writeTime(now));
				this.map.put(entry.key, entry);
				if (previous != null) {
					RemovalCause cause = isExpired(previous, now) ? RemovalCause.EXPIRED : RemovalCause.REPLACED;
					removed = this.lists.remove(previous, cause, removed);
				}
				this.lists.add(entry);
			}
		}
		finally {
			// Also if a method of the key has thrown an exception
			report(removed);
		}
		return (previous != null && previous.cause == RemovalCause.REPLACED) ? previous.value : null;
	}

	/**
	 * Removes the entry of a key. Holds the lock of all writes for constant time.
	 * @param key the key
	 * @return the previous value, or {@code null} if there was none or it had expired
	 * @throws NullPointerException if the key is {@code null}
	 */
	public @Nullable V remove(K key) {
		long now = this.ticker.getAsLong();
		Entry<K, V> entry;
		synchronized (this.lists) {
			entry = this.map.remove(key);
			if (entry == null) {
				return null;
			}
			RemovalCause cause = isExpired(entry, now) ? RemovalCause.EXPIRED : RemovalCause.INVALIDATED;
			this.lists.remove(entry, cause, null);
		}
		report(entry);
		return (entry.cause == RemovalCause.INVALIDATED) ? entry.value : null;
	}

	/**
	 * Removes all expired entries. Takes constant time if the oldest entry is live.
	 */
	public void cleanUp() {
		Entry<K, V> removed;
		synchronized (this.lists) {
			removed = removeExpired(Integer.MAX_VALUE, this.ticker.getAsLong());
		}
		report(removed);
	}

	/**
	 * Performs an action for each unexpired entry, in no particular order. Entries put or
	 * removed meanwhile may be included or not. The action may use the cache. Acquires no
	 * lock, and does not affect eviction.
	 * @param action the action
	 */
	public void forEach(BiConsumer<? super K, ? super V> action) {
		for (Entry<K, V> entry : this.map.values()) {
			if (!isExpired(entry)) {
				action.accept(entry.key, entry.value);
			}
		}
	}

	/**
	 * Returns the size and the statistics of this cache, which do not count reads.
	 * @return the current statistics
	 */
	public Stats stats() {
		synchronized (this.lists) {
			return this.lists.stats();
		}
	}

	/**
	 * Returns the maximum size.
	 * @return the maximum number of entries; 0 means no limit
	 */
	public long maximumSize() {
		long maximumSize = this.maximumSize;
		return (maximumSize != UNLIMITED) ? maximumSize : 0;
	}

	/**
	 * Sets the maximum size. Removes all expired entries, and then evicts excess entries.
	 * @param maximumSize the maximum number of entries; 0 means no limit
	 * @throws IllegalArgumentException if the maximum size is negative
	 */
	public void setMaximumSize(long maximumSize) {
		this.maximumSize = orUnlimited(maximumSize);
		cleanUp();
		Entry<K, V> removed = null;
		synchronized (this.lists) {
			while (this.lists.size > this.maximumSize) {
				removed = evict(removed);
			}
		}
		report(removed);
	}

	/**
	 * Returns the timeout.
	 * @return the time from an entry's put to its expiry; zero means no expiry
	 */
	public Duration expireAfterWrite() {
		long timeout = this.timeout;
		return (timeout != UNLIMITED) ? Duration.ofNanos(timeout) : Duration.ZERO;
	}

	/**
	 * Sets the timeout of existing and later entries. First removes all expired entries,
	 * so that a longer timeout does not revive them.
	 * @param timeout the time from an entry's put to its expiry; zero, or at least
	 * {@link Long#MAX_VALUE} nanoseconds (292 years), means no expiry
	 * @throws IllegalArgumentException if the timeout is negative
	 */
	public void setExpireAfterWrite(Duration timeout) {
		long nanos = orUnlimited(timeout);
		Entry<K, V> removed;
		synchronized (this.lists) {
			removed = removeExpired(Integer.MAX_VALUE, this.ticker.getAsLong());
			this.timeout = nanos;
		}
		report(removed);
		cleanUp();
	}

	private boolean isExpired(Entry<K, V> entry) {
		return this.timeout != UNLIMITED && isExpired(entry, this.ticker.getAsLong());
	}

	private boolean isExpired(Entry<K, V> entry, long now) {
		return now - entry.writeTime >= this.timeout;
	}

	private @Nullable Entry<K, V> removeExpired(int limit, long now) {
		Entry<K, V> removed = null;
		Entry<K, V> oldest = this.lists.oldest();
		for (int i = 0; i < limit && oldest != null && isExpired(oldest, now); i++) {
			removed = remove(oldest, RemovalCause.EXPIRED, removed);
			oldest = this.lists.oldest();
		}
		return removed;
	}

	private Entry<K, V> evict(@Nullable Entry<K, V> removedBefore) {
		return remove(this.lists.selectVictim(this.maximumSize), RemovalCause.EVICTED, removedBefore);
	}

	private Entry<K, V> remove(Entry<K, V> entry, RemovalCause cause, @Nullable Entry<K, V> removedBefore) {
		this.map.remove(entry.key, entry);
		return this.lists.remove(entry, cause, removedBefore);
	}

	private void report(@Nullable Entry<K, V> removed) {
		for (Entry<K, V> entry = removed; entry != null; entry = entry.removedBefore) {
			try {
				this.listener.accept(entry.value, Objects.requireNonNull(entry.cause));
			}
			catch (Throwable ex) {
				if (this.listenerFailed.compareAndSet(false, true)) {
					logger.log(Level.WARNING, "A removal listener failed; further failures are not logged", ex);
				}
			}
		}
	}

	private static long orUnlimited(long maximumSize) {
		if (maximumSize < 0) {
			throw new IllegalArgumentException("maximumSize must be 0 (no limit) or positive, but was " + maximumSize);
		}
		return (maximumSize != 0) ? maximumSize : UNLIMITED;
	}

	private static long orUnlimited(Duration timeout) {
		if (timeout.isNegative()) {
			throw new IllegalArgumentException("timeout must be zero (no expiry) or positive, but was " + timeout);
		}
		return (timeout.isZero() || timeout.compareTo(Duration.ofNanos(UNLIMITED)) >= 0) ? UNLIMITED
				: timeout.toNanos();
	}

	/** Why an entry was removed or replaced. */
	public enum RemovalCause {

		/** To keep the maximum size. */
		EVICTED,
		/** After its timeout. */
		EXPIRED,
		/** By {@link LazyExpiryCache#remove}, before its timeout. */
		INVALIDATED,
		/** By a put, before its timeout. */
		REPLACED

	}

	/**
	 * The size of a cache, and its statistics since its creation. The number of puts is
	 * the sum of all other components.
	 *
	 * @param size the number of entries, including expired entries still in memory
	 * @param puts the number of puts, including replacements
	 * @param evictions the number of entries removed to keep the maximum size
	 * @param expirations the number of expired entries removed or replaced
	 * @param invalidations the number of unexpired entries removed by the caller
	 * @param replacements the number of unexpired entries replaced by a put
	 */
	public record Stats(long size, long puts, long evictions, long expirations, long invalidations, long replacements) {
	}

	/**
	 * Builds caches. Not thread-safe.
	 *
	 * @param <K> the type of the keys
	 * @param <V> the type of the values
	 */
	public static final class Builder<K, V> {

		private long maximumSize = UNLIMITED;

		private long timeout = UNLIMITED;

		private LongSupplier ticker = System::nanoTime;

		private BiConsumer<? super V, RemovalCause> listener = (value, cause) -> {
		};

		private Builder() {
		}

		/**
		 * Sets the maximum size. The default is no limit.
		 * @param maximumSize the maximum number of entries; 0 means no limit
		 * @return this builder
		 * @throws IllegalArgumentException if the maximum size is negative
		 */
		public Builder<K, V> maximumSize(long maximumSize) {
			this.maximumSize = orUnlimited(maximumSize);
			return this;
		}

		/**
		 * Sets the timeout. The default is no expiry.
		 * @param timeout the time from an entry's put to its expiry; zero means no expiry
		 * @return this builder
		 * @throws IllegalArgumentException if the timeout is negative
		 */
		public Builder<K, V> expireAfterWrite(Duration timeout) {
			this.timeout = orUnlimited(timeout);
			return this;
		}

		/**
		 * Sets a listener, which is called once with each removed or replaced value, in
		 * no particular order, by the thread that writes, without the cache's lock. The
		 * listener may use the cache. Of its exceptions, only the first is logged.
		 * @param listener the listener, which must be thread-safe
		 * @return this builder
		 */
		public Builder<K, V> removalListener(BiConsumer<? super V, RemovalCause> listener) {
			this.listener = Objects.requireNonNull(listener, "listener must not be null");
			return this;
		}

		/**
		 * Sets the clock. The default is {@link System#nanoTime()}.
		 * @param ticker a monotonic clock in nanoseconds, which must be thread-safe
		 * @return this builder
		 */
		public Builder<K, V> ticker(LongSupplier ticker) {
			this.ticker = Objects.requireNonNull(ticker, "ticker must not be null");
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
