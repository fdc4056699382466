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
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * The writers' side of a share of the cache: one lock, the entries in the order in which
 * they were put, and the hand that picks what to evict.
 * <p>
 * <b>Expiry.</b> The order of the puts is the order of expiry, see {@link Timeouts}. Each
 * put takes away up to {@link #EXPIRED_PER_PUT} expired entries from the old end and
 * stops at the first live one; since that is more than it adds, the backlog shrinks, and
 * no write ever looks at entries that it does not remove.
 * <p>
 * <b>Eviction</b> is SIEVE (Zhang et al., NSDI 2024): the hand moves from old to new,
 * forgives each entry that was used since it was put or last forgiven, and takes the
 * first that was not. Unlike with LRU nothing is reordered, neither by a read, which is
 * why reading needs no lock, nor by the hand, which is why the order of expiry survives.
 * One put moves the hand past a limited number of used entries and then takes the next
 * one as it is.
 * <p>
 * All fields are guarded by the lock, except that readers look into the index and the
 * nodes on their own terms. The critical sections take constant time, call no foreign
 * code but {@code equals} of the keys, and that before anything is changed. A
 * {@link ReentrantLock} does not pin a virtual thread that waits for it.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class Segment<K, V> {

	/**
	 * More than the one entry that a put adds, or a backlog would never go away.
	 */
	static final int EXPIRED_PER_PUT = 2;

	/**
	 * The largest cache that a processor's own caches are likely to hold.
	 */
	private static final int SMALL_CACHE = 32_768;

	/**
	 * In a small cache a step of the hand takes some 20 nanoseconds: it may go all the
	 * way round.
	 */
	private static final int SMALL_CACHE_SWEEP_LIMIT = 256;

	/**
	 * In a large cache each step waits for the memory, up to 200 nanoseconds. Of a long
	 * run of used entries each put then evicts one.
	 */
	private static final int SWEEP_LIMIT = 32;

	/**
	 * A few microseconds. Alone on its processor, a thread would wait in vain.
	 */
	private static final int SPINS = (Runtime.getRuntime().availableProcessors() > 1) ? 64 : 0;

	private final Bounds bounds;

	private final ReentrantLock lock = new ReentrantLock();

	private final HashIndex<K, V> index = new HashIndex<>();

	private @Nullable Node<K, V> oldest;

	private @Nullable Node<K, V> newest;

	/**
	 * Where to look for the next entry to evict; {@code null} if that is at the oldest,
	 * which saves a store in a cache whose entries are never used again.
	 */
	private @Nullable Node<K, V> hand;

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
	 * Finds the node of a key, expired or not. Takes no lock.
	 */
	@Nullable Node<K, V> find(K key, int hash) {
		return this.index.find(key, hash);
	}

	@Nullable V put(K key, int hash, V value, long now, Removals<K, V> removals) {
		acquire();
		try {
			Node<K, V> node = this.index.find(key, hash);
			if (node != null) {
				V previous = replace(node, value, now, removals);
				this.bounds.addToSize(-removeExpired(EXPIRED_PER_PUT, now, removals));
				return previous;
			}
			node = new Node<>(key, hash, value);
			this.index.ensureRoom(this.size);
			int removed = removeExpired(EXPIRED_PER_PUT, now, removals);
			if (removed == 0 && this.bounds.isFull() && evict(removals)) {
				removed = 1;
			}
			this.index.insert(node);
			append(node, now);
			this.size++;
			this.puts++;
			this.bounds.addToSize(1 - removed);
			return null;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Takes the lock. What it guards is over in a fraction of the time that it takes to
	 * park and to be woken up, so a thread first asks a few times, and parks if the owner
	 * seems to have lost its processor.
	 */
	private void acquire() {
		for (int i = 0; i < SPINS; i++) {
			if (this.lock.tryLock()) {
				return;
			}
			Thread.onSpinWait();
		}
		this.lock.lock();
	}

	private @Nullable V replace(Node<K, V> node, V value, long now, Removals<K, V> removals) {
		boolean expired = isExpired(node, now);
		V previous = node.value();
		node.setUsed(false);
		node.setValue(value);
		detach(node);
		append(node, now);
		this.puts++;
		if (expired) {
			this.expirations++;
		}
		else {
			this.replacements++;
		}
		removals.add(node.key, previous, expired ? RemovalCause.EXPIRED : RemovalCause.REPLACED);
		return expired ? null : previous;
	}

	@Nullable V remove(K key, int hash, long now, Removals<K, V> removals) {
		acquire();
		try {
			Node<K, V> node = this.index.find(key, hash);
			if (node == null) {
				return null;
			}
			boolean expired = isExpired(node, now);
			invalidate(node, now, removals);
			this.bounds.addToSize(-1);
			return expired ? null : node.value();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the oldest entries, live or not.
	 */
	void removeOldest(int limit, long now, Removals<K, V> removals) {
		acquire();
		try {
			int removed = 0;
			while (removed < limit && this.oldest != null) {
				invalidate(this.oldest, now, removals);
				removed++;
			}
			this.bounds.addToSize(-removed);
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Removes the oldest expired entries.
	 * @return whether there may be more
	 */
	boolean expire(int limit, long now, Removals<K, V> removals) {
		acquire();
		try {
			int removed = removeExpired(limit, now, removals);
			this.bounds.addToSize(-removed);
			return removed == limit;
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Evicts entries while the cache as a whole is over its bound.
	 */
	void trim(int limit, Removals<K, V> removals) {
		acquire();
		try {
			for (int i = 0; i < limit && this.oldest != null && this.bounds.claimExcess(); i++) {
				evict(removals);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	int size() {
		acquire();
		try {
			return this.size;
		}
		finally {
			this.lock.unlock();
		}
	}

	List<Node<K, V>> live(long now) {
		acquire();
		try {
			List<Node<K, V>> live = new ArrayList<>(this.size);
			for (Node<K, V> node = this.oldest; node != null; node = node.newer) {
				if (!isExpired(node, now)) {
					live.add(node);
				}
			}
			return live;
		}
		finally {
			this.lock.unlock();
		}
	}

	CacheStats stats() {
		acquire();
		try {
			return new CacheStats(0, 0, this.puts, this.evictions, this.expirations, this.invalidations,
					this.replacements);
		}
		finally {
			this.lock.unlock();
		}
	}

	private void invalidate(Node<K, V> node, long now, Removals<K, V> removals) {
		if (isExpired(node, now)) {
			this.expirations++;
			unlink(node);
			removals.add(node.key, node.value(), RemovalCause.EXPIRED);
		}
		else {
			this.invalidations++;
			unlink(node);
			removals.add(node.key, node.value(), RemovalCause.INVALIDATED);
		}
	}

	private int removeExpired(int limit, long now, Removals<K, V> removals) {
		int removed = 0;
		while (removed < limit && this.oldest != null && isExpired(this.oldest, now)) {
			invalidate(this.oldest, now, removals);
			removed++;
		}
		return removed;
	}

	private boolean evict(Removals<K, V> removals) {
		int limit = (this.bounds.maximumSize() <= SMALL_CACHE) ? SMALL_CACHE_SWEEP_LIMIT : SWEEP_LIMIT;
		Node<K, V> victim = (this.hand != null) ? this.hand : this.oldest;
		for (int passed = 0; victim != null && victim.isUsed() && passed < limit; passed++) {
			victim.setUsed(false);
			victim = (victim.newer != null) ? victim.newer : this.oldest;
		}
		if (victim == null) {
			return false;
		}
		this.hand = (victim.older != null) ? victim : null;
		this.evictions++;
		unlink(victim);
		removals.add(victim.key, victim.value(), RemovalCause.EVICTED);
		return true;
	}

	private boolean isExpired(Node<K, V> node, long now) {
		return this.bounds.timeouts().isExpired(node.writeTime(), now);
	}

	private void unlink(Node<K, V> node) {
		this.index.remove(node);
		detach(node);
		this.size--;
	}

	private void append(Node<K, V> node, long now) {
		Node<K, V> last = this.newest;
		// The clock was read before the lock was taken: whoever got it first may have
		// read later.
		node.setWriteTime((last != null && now - last.writeTime() < 0) ? last.writeTime() : now);
		node.older = last;
		if (last != null) {
			last.newer = node;
		}
		else {
			this.oldest = node;
		}
		this.newest = node;
	}

	private void detach(Node<K, V> node) {
		Node<K, V> older = node.older;
		Node<K, V> newer = node.newer;
		if (this.hand == node) {
			this.hand = (older != null) ? newer : null;
		}
		if (older != null) {
			older.newer = newer;
		}
		else {
			this.oldest = newer;
		}
		if (newer != null) {
			newer.older = older;
		}
		else {
			this.newest = older;
		}
		// A dead node in the old generation must not keep younger ones alive.
		node.older = null;
		node.newer = null;
	}

}
