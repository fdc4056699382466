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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.StampedLock;

import org.jspecify.annotations.Nullable;

/**
 * The writers' side of a share of the cache: one lock, the entries in the order in which
 * they were put, and the hand that picks what to evict.
 * <p>
 * <b>Expiry.</b> The order of the puts is the order of expiry, see {@link Timeouts}. Each
 * put takes an expired entry away from the old end, and one in
 * {@value #PUTS_PER_SECOND_EXPIRED} a second one; since that is more than is added, the
 * backlog shrinks. No write ever looks at entries that it does not remove.
 * <p>
 * <b>Eviction</b> is SIEVE (Zhang et al., NSDI 2024): the hand moves from old to new,
 * forgives each entry that was used since it was put or last forgiven, and takes the
 * first that was not. Unlike with LRU nothing is reordered, neither by a read, which is
 * why reading needs no lock, nor by the hand, which is why the order of expiry survives.
 * One put moves the hand past a limited number of used entries and then takes the next
 * one as it is.
 * <p>
 * All fields are guarded by the lock, except that readers look into the index and the
 * slab on their own terms. The critical sections take constant time, call no foreign code
 * but {@code equals} of the keys, and that before anything is changed. Neither does a
 * {@link StampedLock} pin a virtual thread that waits for it, nor does it note its owner,
 * which would be one more store for the garbage collector to watch. Only its write mode
 * is used.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Segment<K, V> {

	/**
	 * One in so many puts takes a second expired entry away: few enough to make a backlog
	 * go away soon, many enough to leave the cost of a put about the same while there is
	 * one.
	 */
	private static final int PUTS_PER_SECOND_EXPIRED = 4;

	/**
	 * The largest cache that a processor's own caches are likely to hold.
	 */
	private static final int SMALL_CACHE = 32_768;

	/**
	 * In a small cache a step of the hand takes a few nanoseconds: it may go all the way
	 * round.
	 */
	private static final int SMALL_CACHE_SWEEP_LIMIT = 1024;

	/**
	 * In a large cache each step may wait for the memory, up to 200 nanoseconds. Of a
	 * long run of used entries each put then evicts one.
	 */
	private static final int SWEEP_LIMIT = 32;

	/**
	 * A few microseconds. Alone on its processor, a thread would wait in vain.
	 */
	private static final int SPINS = (Runtime.getRuntime().availableProcessors() > 1) ? 64 : 0;

	private final Bounds bounds;

	private final StampedLock lock = new StampedLock();

	private final EntrySlab<K, V> slab = new EntrySlab<>();

	private final HashIndex<K, V> index = new HashIndex<>(this.slab);

	private int oldest = EntrySlab.NONE;

	private int newest = EntrySlab.NONE;

	/**
	 * Where to look for the next entry to evict; none means at the oldest.
	 */
	private int hand = EntrySlab.NONE;

	private int size;

	private long puts;

	private long evictions;

	private long expirations;

	private long invalidations;

	private long replacements;

	Segment(Bounds bounds) {
		this.bounds = bounds;
	}

	/**
	 * The live value of a key, whose use is noted. Takes no lock.
	 */
	@Nullable V get(K key, int hash, Ticker ticker) {
		return this.index.get(key, hash, this.bounds, ticker);
	}

	@Nullable V put(K key, int hash, V value, long now, Removals<K, V> removals) {
		long hold = acquire();
		try {
			int known = this.index.find(key, hash);
			this.slab.ensureRoom();
			if (known != EntrySlab.NONE) {
				V previous = replace(known, key, hash, value, now, removals);
				this.bounds.addToSize(-removeExpired(now, removals));
				this.puts++;
				return previous;
			}
			this.index.ensureRoom(this.size);
			int removed = removeExpired(now, removals);
			int evicted = (removed == 0 && this.bounds.isFull()) ? evict(removals) : EntrySlab.NONE;
			if (evicted != EntrySlab.NONE) {
				removed = 1;
			}
			int slot = (evicted != EntrySlab.NONE) ? evicted : this.slab.take();
			append(slot, key, hash, value, now);
			this.index.insert(slot);
			this.size++;
			this.puts++;
			this.bounds.addToSize(1 - removed);
			return null;
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	/**
	 * Takes the lock. What it guards is over in a fraction of the time that it takes to
	 * park and to be woken up, so a thread first asks a few times, and parks if the owner
	 * seems to have lost its processor.
	 */
	private long acquire() {
		for (int i = 0; i < SPINS; i++) {
			long hold = this.lock.tryWriteLock();
			if (hold != 0) {
				return hold;
			}
			Thread.onSpinWait();
		}
		return this.lock.writeLock();
	}

	private @Nullable V replace(int known, K key, int hash, V value, long now, Removals<K, V> removals) {
		boolean expired = isExpired(known, now);
		V previous = this.slab.value(known);
		removals.add(this.slab.key(known), previous, expired ? RemovalCause.EXPIRED : RemovalCause.REPLACED);
		detach(known);
		int slot = this.slab.take();
		append(slot, key, hash, value, now);
		this.index.replace(known, slot);
		this.slab.vacate(known);
		this.slab.free(known);
		if (expired) {
			this.expirations++;
		}
		else {
			this.replacements++;
		}
		return expired ? null : previous;
	}

	@Nullable V remove(K key, int hash, long now, Removals<K, V> removals) {
		long hold = acquire();
		try {
			int slot = this.index.find(key, hash);
			if (slot == EntrySlab.NONE) {
				return null;
			}
			V value = isExpired(slot, now) ? null : this.slab.value(slot);
			invalidate(slot, now, removals);
			this.bounds.addToSize(-1);
			return value;
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	/**
	 * Removes the oldest entries, live or not.
	 */
	void removeOldest(int limit, long now, Removals<K, V> removals) {
		long hold = acquire();
		try {
			int removed = 0;
			while (removed < limit && this.oldest != EntrySlab.NONE) {
				invalidate(this.oldest, now, removals);
				removed++;
			}
			this.bounds.addToSize(-removed);
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	/**
	 * Removes the oldest expired entries.
	 * @return whether there may be more
	 */
	boolean expire(int limit, long now, Removals<K, V> removals) {
		long hold = acquire();
		try {
			int removed = removeExpired(limit, now, removals);
			this.bounds.addToSize(-removed);
			return removed == limit;
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	/**
	 * Evicts entries while the cache as a whole is over its bound.
	 */
	void trim(int limit, Removals<K, V> removals) {
		long hold = acquire();
		try {
			for (int i = 0; i < limit && this.oldest != EntrySlab.NONE && this.bounds.claimExcess(); i++) {
				this.slab.free(evict(removals));
			}
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	int size() {
		long hold = acquire();
		try {
			return this.size;
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	List<Map.Entry<K, V>> live(long now) {
		long hold = acquire();
		try {
			List<Map.Entry<K, V>> live = new ArrayList<>(this.size);
			for (int slot = this.oldest; slot != EntrySlab.NONE; slot = this.slab.newer(slot)) {
				if (!isExpired(slot, now)) {
					live.add(Map.entry(this.slab.key(slot), this.slab.value(slot)));
				}
			}
			return live;
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	CacheStats stats() {
		long hold = acquire();
		try {
			return new CacheStats(0, 0, this.puts, this.evictions, this.expirations, this.invalidations,
					this.replacements);
		}
		finally {
			this.lock.unlockWrite(hold);
		}
	}

	private void invalidate(int slot, long now, Removals<K, V> removals) {
		if (isExpired(slot, now)) {
			this.expirations++;
			unlink(slot, RemovalCause.EXPIRED, removals);
		}
		else {
			this.invalidations++;
			unlink(slot, RemovalCause.INVALIDATED, removals);
		}
		this.slab.free(slot);
	}

	private int removeExpired(long now, Removals<K, V> removals) {
		return removeExpired((this.puts % PUTS_PER_SECOND_EXPIRED == 0) ? 2 : 1, now, removals);
	}

	private int removeExpired(int limit, long now, Removals<K, V> removals) {
		int removed = 0;
		while (removed < limit && this.oldest != EntrySlab.NONE && isExpired(this.oldest, now)) {
			invalidate(this.oldest, now, removals);
			removed++;
		}
		return removed;
	}

	/**
	 * Evicts an entry.
	 * @return its slot, which is the caller's to write or to free; none if there is no
	 * entry
	 */
	private int evict(Removals<K, V> removals) {
		int limit = (this.bounds.maximumSize() <= SMALL_CACHE) ? SMALL_CACHE_SWEEP_LIMIT : SWEEP_LIMIT;
		int victim = (this.hand != EntrySlab.NONE) ? this.hand : this.oldest;
		for (int passed = 0; victim != EntrySlab.NONE && this.slab.isUsed(victim) && passed < limit; passed++) {
			this.slab.forgive(victim);
			int newer = this.slab.newer(victim);
			victim = (newer != EntrySlab.NONE) ? newer : this.oldest;
		}
		if (victim != EntrySlab.NONE) {
			this.hand = victim;
			this.evictions++;
			unlink(victim, RemovalCause.EVICTED, removals);
		}
		return victim;
	}

	private boolean isExpired(int slot, long now) {
		return this.bounds.timeouts().isExpired(this.slab.writeTime(slot), now);
	}

	private void unlink(int slot, RemovalCause cause, Removals<K, V> removals) {
		removals.add(this.slab.key(slot), this.slab.value(slot), cause);
		this.index.remove(slot);
		detach(slot);
		this.slab.vacate(slot);
		this.size--;
	}

	private void append(int slot, K key, int hash, V value, long now) {
		long writeTime = now;
		if (this.newest != EntrySlab.NONE) {
			// The clock was read before the lock was taken: whoever got it first may have
			// read later.
			long last = this.slab.writeTime(this.newest);
			writeTime = (now - last < 0) ? last : now;
			this.slab.setNewer(this.newest, slot);
		}
		else {
			this.oldest = slot;
		}
		this.slab.write(slot, key, hash, value, writeTime, this.newest);
		this.newest = slot;
	}

	private void detach(int slot) {
		int older = this.slab.older(slot);
		int newer = this.slab.newer(slot);
		if (this.hand == slot) {
			this.hand = newer;
		}
		if (older != EntrySlab.NONE) {
			this.slab.setNewer(older, newer);
		}
		else {
			this.oldest = newer;
		}
		if (newer != EntrySlab.NONE) {
			this.slab.setOlder(newer, older);
		}
		else {
			this.newest = older;
		}
	}

}
