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
 * A bounded cache. Its reads take no lock, and its entries expire a fixed time after they
 * were put, without a scan.
 * <p>
 * {@link #get} never waits for a writer and never returns an expired entry. Writers share
 * one lock, for a time that depends neither on the number of entries nor on how many have
 * expired: each put takes the oldest expired entry or two away, or, if there are none and
 * the cache is full, evicts one entry. Entries that were read since they were put outlive
 * those that were not, so a burst of entries that are never asked for again does not push
 * out those in use. When others come into use, those that are not make room.
 * <p>
 * An expired entry can stay in memory until enough writes have come by or
 * {@link #cleanUp()} is called; {@link #estimatedSize()} counts it until then. The size
 * exceeds the maximum only while {@link #setMaximumSize} is at work.
 * <p>
 * Keys must have a stable {@code hashCode} and {@code equals}, which must not use the
 * cache; keys that a stranger may choose must hash unpredictably. Neither keys nor values
 * may be {@code null}. All methods may be called by several threads at once; those that
 * concern all entries ({@link #clear()}, {@link #cleanUp()}, {@link #forEach}) let
 * writers pass after each entry and make no snapshot of the whole.
 * <p>
 * A write that ends with an {@code Error}, a {@link StackOverflowError} or an
 * {@link OutOfMemoryError}, has put its entry or has not, and the cache works at the next
 * call. A put that fails may have evicted an entry, or removed expired ones, all the
 * same.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
public final class LazyExpiryCache<K, V> {

	/*
	 * A ConcurrentHashMap finds the entries. A list has them in the order of their puts.
	 * The list's monitor guards the list and every write to the map. Readers use the map
	 * alone, and set the visited bit of what they find.
	 *
	 * Expiry. Each entry holds its timeout, the cache's at the time of the put. A shorter
	 * timeout of the cache is put into force first and then written to every entry that
	 * has a longer one, so an entry that was seen expired stays so. The order of the puts
	 * is thus the order of expiry, and the oldest entry tells whether any has expired.
	 *
	 * Eviction is SIEVE (Zhang et al., NSDI 2024): a hand moves from old to new, clears
	 * the bits that are set, and evicts the first entry whose bit is not. Old entries
	 * stay in place, which is good until they fall out of use: the hand then stays among
	 * the new ones and evicts each before it is asked for again. Misses for keys evicted
	 * lately tell (ghost hits, as in ARC and S3-FIFO), and send the hand back to the
	 * oldest entry, whose bits it cleared when it last came by.
	 *
	 * Errors. A StackOverflowError may come out of any call and an OutOfMemoryError out
	 * of any allocation, the map's own included, before or after the map has changed. So
	 * a write is made of changes: each is noted, made in the map, and applied to the list
	 * by stores alone. Of a change that is still noted when the next writer comes, the
	 * map tells whether it is to be applied or forgotten. The JVM lets go of a monitor
	 * whatever is thrown. Before JDK 24 a virtual thread that waits for it keeps its
	 * carrier waiting, as with the map's own monitors: for less than a microsecond.
	 */

	/**
	 * One of this number of puts takes a second expired entry away: a backlog shrinks.
	 */
	private static final int PUTS_PER_SECOND_EXPIRED = 4;

	private static final long UNBOUNDED = Long.MAX_VALUE;

	private final ConcurrentHashMap<K, Entry<K, V>> map = new ConcurrentHashMap<>();

	private final PutOrder<K, V> order = new PutOrder<>();

	private final Ghosts ghosts = new Ghosts();

	private final LongAdder hits = new LongAdder();

	private final LongAdder misses = new LongAdder();

	private final Object timeoutChanges = new Object();

	private final Ticker ticker;

	private final @Nullable RemovalListener<K, V> listener;

	private volatile long maximumSize;

	/**
	 * Written under the lock, so that a put knows which one its entry comes under.
	 */
	private volatile long timeout;

	/**
	 * What a writer was about to do when an error ended it. Guarded by the lock.
	 */
	private @Nullable Change<K, V> unfinished;

	private LazyExpiryCache(Builder<K, V> builder) {
		this.maximumSize = builder.maximumSize;
		this.timeout = builder.timeout;
		this.ticker = builder.ticker;
		this.listener = (builder.listener != null) ? new QuietRemovalListener<>(builder.listener) : null;
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
		Entry<K, V> entry = this.map.get(key);
		if (entry == null || entry.isExpired(this.ticker.read())) {
			this.misses.increment();
			this.ghosts.missed(key);
			return null;
		}
		if (!entry.visited) {
			entry.visited = true;
		}
		this.hits.increment();
		return entry.value;
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
		long now = this.ticker.read();
		try (Removals<K, V> removals = new Removals<>(this.listener)) {
			synchronized (this.order) {
				finish(removals);
				int expirable = (this.order.puts() % PUTS_PER_SECOND_EXPIRED == 0) ? 2 : 1;
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
	 * Removes the entry under a key.
	 * @param key the key
	 * @return the value that was under the key, or {@code null} if there was none or it
	 * had expired
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
				boolean expired = entry.isExpired(now);
				make(new Change<>(null, entry, expired ? RemovalCause.EXPIRED : RemovalCause.INVALIDATED), removals);
				return expired ? null : entry.value;
			}
		}
	}

	/**
	 * Removes all entries. Those that others put meanwhile may stay.
	 */
	public void clear() {
		for (K key : this.map.keySet()) {
			remove(key);
		}
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
	 * Calls an action with each live entry, in no particular order. Entries that are put
	 * or removed meanwhile may be left out or included. The action is called outside of
	 * the lock and may use the cache; this counts neither as a hit nor as a use.
	 * @param action what to do with a key and its value; an exception it throws ends the
	 * iteration and is passed on
	 */
	public void forEach(BiConsumer<? super K, ? super V> action) {
		for (Entry<K, V> entry : this.map.values()) {
			if (!entry.isExpired(this.ticker.read())) {
				action.accept(entry.key, entry.value);
			}
		}
	}

	/**
	 * Returns how many entries are held, expired ones that still await their removal
	 * included.
	 * @return the number of entries; exact while no write is under way
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
	 * Returns what this cache has done since it was made.
	 * @return the counts up to now
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
	 * Returns the bound.
	 * @return the number of entries that may be held; 0 means that there is no bound
	 */
	public long maximumSize() {
		long maximumSize = this.maximumSize;
		return (maximumSize != UNBOUNDED) ? maximumSize : 0;
	}

	/**
	 * Changes the bound. If more entries are held, expired ones are removed and others
	 * evicted until the rest fits, before this method returns.
	 * @param maximumSize the number of entries that may be held; 0 means no bound
	 * @throws IllegalArgumentException if the bound is negative
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
	 * @return how long after it was put an entry expires; zero means never
	 */
	public Duration expireAfterWrite() {
		long timeout = this.timeout;
		return (timeout != Entry.NEVER) ? Duration.ofNanos(timeout) : Duration.ZERO;
	}

	/**
	 * Changes the timeout. Each entry lives by the shortest timeout that has been in
	 * force since it was put: a shorter one applies to those that are held, too, and
	 * removes what it makes expire before this method returns; a longer one, or none,
	 * applies to those that are put from now on, and brings nothing back. This takes a
	 * look at each entry.
	 * @param timeout how long after it was put an entry expires; zero means never, and so
	 * does anything from 292 years up, which a {@code long} of nanoseconds cannot hold
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
		long maximumSize = this.maximumSize;
		if (this.ghosts.isLockedUp(this.hits, maximumSize)) {
			this.order.returnHand();
		}
		Entry<K, V> victim = this.order.victim();
		if (victim == null) {
			return false;
		}
		make(new Change<>(null, victim, RemovalCause.EVICTED), removals);
		this.ghosts.evicted(victim.key, maximumSize);
		return true;
	}

	private void make(Change<K, V> change, Removals<K, V> removals) {
		this.unfinished = change;
		change.makeIn(this.map);
		this.order.apply(change, removals);
		this.unfinished = null;
	}

	/**
	 * Applies or forgets what an error has cut short.
	 */
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
			throw new IllegalArgumentException("maximumSize must be 0 (no bound) or positive, but was " + maximumSize);
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
	 * Builds caches. Not safe for use by several threads.
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
		 * Sets the listener that is told of each entry that leaves.
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
