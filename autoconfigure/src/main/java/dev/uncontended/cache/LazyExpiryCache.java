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
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

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
 * An expired entry stays in memory, and counts in {@link #stats()}, until a write or
 * {@link #cleanUp()} removes it.
 * <p>
 * Keys must have stable {@code hashCode} and {@code equals} methods that do not use the
 * cache. Keys chosen by untrusted parties must have unpredictable hash codes.
 * <p>
 * Thread-safe. If a write throws an {@code Error}, such as an {@link OutOfMemoryError},
 * the cache stays consistent. The write may have taken effect, in full or in part, and
 * the removal listener may have missed a value: a second call could release it twice.
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

	private static final Logger logger = System.getLogger(LazyExpiryCache.class.getName());

	/**
	 * Every fourth put removes up to two expired entries, and all other puts remove up to
	 * one. Puts can thus remove more entries than they add.
	 */
	private static final int PUTS_PER_EXTRA_REMOVAL = 4;

	private static final long UNBOUNDED = Long.MAX_VALUE;

	private final ConcurrentHashMap<K, Entry<K, V>> map = new ConcurrentHashMap<>();

	private final EntryLists<K, V> order = new EntryLists<>();

	private final Object timeoutChanges = new Object();

	private final LongSupplier ticker;

	private final Consumer<V> listener;

	private final AtomicBoolean listenerFailed = new AtomicBoolean();

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

	/**
	 * Creates a cache.
	 * @param maximumSize the maximum number of entries; 0 means no limit
	 * @param timeout the time from an entry's put to its expiry; zero, or at least
	 * {@link Long#MAX_VALUE} nanoseconds (292 years), means no expiry
	 * @param ticker the clock in nanoseconds, monotonic like {@link System#nanoTime()}
	 * @param listener called with the value of each removed or replaced entry, without
	 * holding the cache's lock. Any thread that uses the cache may call the listener. The
	 * listener may use the cache. The cache catches the listener's exceptions and errors,
	 * and logs only the first
	 */
	public LazyExpiryCache(long maximumSize, Duration timeout, LongSupplier ticker, Consumer<? super V> listener) {
		this.maximumSize = orUnbounded(maximumSize);
		this.timeout = orNever(timeout);
		this.ticker = ticker;
		this.listener = (value) -> report(listener, value);
	}

	private void report(Consumer<? super V> listener, V value) {
		try {
			listener.accept(value);
		}
		catch (Throwable ex) {
			if (this.listenerFailed.compareAndSet(false, true)) {
				logger.log(Level.WARNING,
						"The removal listener of a cache threw an exception; further exceptions are not logged", ex);
			}
		}
	}

	/**
	 * Returns the value of a key.
	 * @return the value, or {@code null} if the key has no value or the value has expired
	 */
	public @Nullable V get(K key) {
		Entry<K, V> entry = this.map.get(key);
		if (entry == null || entry.isExpired(this.ticker)) {
			return null;
		}
		if (!entry.visited) {
			entry.visited = true;
		}
		return entry.value;
	}

	/**
	 * Puts or replaces the value of a key. The timeout starts at the put.
	 * @return the previous value, or {@code null} if there was none or it had expired
	 */
	public @Nullable V put(K key, V value) {
		long now = this.ticker.getAsLong();
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
	 * @return the previous value, or {@code null} if there was none or it had expired
	 */
	public @Nullable V remove(K key) {
		return remove(key, RemovalCause.INVALIDATED);
	}

	/**
	 * Removes the entry of a key, and counts it as expired. For callers that know an
	 * earlier expiry than this cache.
	 */
	public void expire(K key) {
		remove(key, RemovalCause.EXPIRED);
	}

	private @Nullable V remove(K key, RemovalCause reason) {
		long now = this.ticker.getAsLong();
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				Entry<K, V> entry = this.map.get(key);
				if (entry == null) {
					return null;
				}
				boolean expired = entry.isExpired(now);
				make(new Change<>(null, entry, expired ? RemovalCause.EXPIRED : reason), removals);
				return expired ? null : entry.value;
			}
		}
	}

	/**
	 * Removes all expired entries.
	 */
	public void cleanUp() {
		long now = this.ticker.getAsLong();
		removeWhile((removals) -> removeExpired(1, now, removals));
	}

	/**
	 * Repeats a step until it removes nothing. Releases the lock after each step.
	 */
	private void removeWhile(Predicate<Removals<K, V>> step) {
		boolean more = true;
		while (more) {
			try (Removals<K, V> removals = new Removals<>(this.listener)) {
				synchronized (this.order) {
					finish(removals);
					more = step.test(removals);
				}
			}
		}
	}

	/**
	 * Performs an action for each unexpired entry, in no particular order. Entries put or
	 * removed concurrently may be included or not. The action may use the cache. The
	 * iteration does not affect eviction.
	 */
	public void forEach(BiConsumer<? super K, ? super V> action) {
		for (Entry<K, V> entry : this.map.values()) {
			if (!entry.isExpired(this.ticker)) {
				action.accept(entry.key, entry.value);
			}
		}
	}

	/**
	 * Returns the size and the statistics of this cache.
	 */
	public CacheStats stats() {
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				return this.order.stats();
			}
		}
	}

	/**
	 * Returns the maximum number of entries; 0 means no limit.
	 */
	public long maximumSize() {
		long maximumSize = this.maximumSize;
		return (maximumSize != UNBOUNDED) ? maximumSize : 0;
	}

	/**
	 * Sets the maximum number of entries; 0 means no limit. If the cache exceeds the new
	 * size, this method removes expired entries, and then evicts entries.
	 */
	public void setMaximumSize(long maximumSize) {
		this.maximumSize = orUnbounded(maximumSize);
		if (stats().size() > this.maximumSize) {
			cleanUp();
		}
		removeWhile((removals) -> {
			boolean excess = this.order.size() > this.maximumSize;
			if (excess) {
				evict(removals);
			}
			return excess;
		});
	}

	/**
	 * Returns the time from an entry's put to its expiry; zero means no expiry.
	 */
	public Duration expireAfterWrite() {
		long timeout = this.timeout;
		return (timeout != Entry.NEVER) ? Duration.ofNanos(timeout) : Duration.ZERO;
	}

	/**
	 * Sets the timeout, as for the constructor. A longer timeout applies only to later
	 * puts. A shorter timeout also applies to existing entries: this method visits every
	 * entry, and removes the expired entries.
	 */
	public void setExpireAfterWrite(Duration timeout) {
		long nanos = orNever(timeout);
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

	private boolean removeExpired(int limit, long now, Removals<K, V> removals) {
		int removed = 0;
		while (removed < limit && this.order.oldest().isExpired(now)) {
			make(new Change<>(null, this.order.oldest(), RemovalCause.EXPIRED), removals);
			removed++;
		}
		return removed > 0;
	}

	private void evict(Removals<K, V> removals) {
		make(new Change<>(null, this.order.selectVictim(this.maximumSize), RemovalCause.EVICTED), removals);
	}

	private void make(Change<K, V> change, Removals<K, V> removals) {
		this.unfinished = change;
		change.applyTo(this.map);
		this.order.apply(change, removals);
		this.unfinished = null;
	}

	private void finish(Removals<K, V> removals) {
		Change<K, V> change = this.unfinished;
		if (change != null) {
			if (change.isAppliedTo(this.map)) {
				this.order.apply(change, removals);
			}
			this.unfinished = null;
		}
	}

	private static long orUnbounded(long maximumSize) {
		return (maximumSize != 0) ? maximumSize : UNBOUNDED;
	}

	private static long orNever(Duration timeout) {
		boolean never = timeout.isZero() || timeout.compareTo(Duration.ofNanos(Entry.NEVER)) >= 0;
		return never ? Entry.NEVER : timeout.toNanos();
	}

}
