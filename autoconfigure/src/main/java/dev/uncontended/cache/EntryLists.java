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

import dev.uncontended.cache.LazyExpiryCache.RemovalCause;
import dev.uncontended.cache.LazyExpiryCache.Stats;
import org.jspecify.annotations.Nullable;

/**
 * The entries of a cache in three circular lists with sentinels: one list in the order of
 * the puts, which finds expired entries, and two queues with reference bits, which select
 * the entries to evict. Not thread-safe. No call or allocation is between two writes, so
 * no error can interrupt a change.
 * <p>
 * As in S3-FIFO and 2Q, new entries join the probation list. If an entry was read when it
 * becomes the head of its list, it moves to the tail of the main list. Unread heads are
 * evicted, from the probation list while it holds two thirds of the cache. The probation
 * list is thus long enough to see returning clients, and clients that connect once do not
 * evict the clients in the main list.
 * <p>
 * In addition, the main list turns by one entry every {@link #EVICTIONS_PER_TURN}
 * evictions. If its head is unread, the head moves to the tail of the probation list. A
 * working set that nobody uses any more thus leaves the main list, even if the probation
 * list's entries are all evicted before their next read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EntryLists<K, V> {

	/**
	 * The maximum number of entries that one eviction moves. Each may miss the caches.
	 */
	private static final int MOVE_LIMIT = 24;

	/**
	 * Large enough for clients whose sessions are read once in this number of evictions
	 * per session, and small enough for an unused main list to empty after eleven times
	 * the maximum size in evictions.
	 */
	private static final int EVICTIONS_PER_TURN = 32;

	private final Entry<K, V> order = sentinel();

	private final Entry<K, V> probation = sentinel();

	private final Entry<K, V> main = sentinel();

	long size;

	long puts;

	private long probationSize;

	private final long[] removals = new long[RemovalCause.values().length];

	@SuppressWarnings("NullAway") // Its key and value are never read.
	private static <K, V> Entry<K, V> sentinel() {
		return new Entry<>(null, null, 0);
	}

	void add(Entry<K, V> entry) {
		Entry<K, V> newest = this.order.older;
		Entry<K, V> tail = this.probation.previous;
		entry.older = newest;
		entry.newer = this.order;
		newest.newer = entry;
		this.order.older = entry;
		entry.previous = tail;
		entry.next = this.probation;
		tail.next = entry;
		this.probation.previous = entry;
		this.probationSize++;
		this.size++;
		this.puts++;
	}

	/**
	 * Removes an entry, unless an error has prevented its {@link #add}. Links it to the
	 * entry that the same write has removed before.
	 */
	Entry<K, V> remove(Entry<K, V> entry, RemovalCause cause, @Nullable Entry<K, V> removedBefore) {
		int index = cause.ordinal();
		if (entry.newer != entry) {
			entry.older.newer = entry.newer;
			entry.newer.older = entry.older;
			entry.previous.next = entry.next;
			entry.next.previous = entry.previous;
			// Links to former neighbors would keep them reachable after their removal.
			entry.older = entry;
			entry.newer = entry;
			entry.previous = entry;
			entry.next = entry;
			this.size--;
			this.probationSize -= entry.inMain ? 0 : 1;
			this.removals[index]++;
		}
		entry.cause = cause;
		entry.removedBefore = removedBefore;
		return entry;
	}

	/**
	 * Returns the entry to evict. The lists must not be empty. Moves visited heads, at
	 * most {@link #MOVE_LIMIT}, to the tail of the main list, and marks them as
	 * unvisited. Returns the first unvisited head. At the limit, returns the newest entry
	 * if it is unvisited, and otherwise the visited head.
	 */
	Entry<K, V> selectVictim(long maximumSize) {
		if (this.removals[RemovalCause.EVICTED.ordinal()] % EVICTIONS_PER_TURN == EVICTIONS_PER_TURN - 1) {
			Entry<K, V> head = this.main.next;
			if (head != this.main) {
				move(head, head.visited);
			}
		}
		Entry<K, V> head = head(maximumSize);
		for (int moved = 0; head.visited && moved < MOVE_LIMIT; moved++) {
			move(head, true);
			head = head(maximumSize);
		}
		return (head.visited && !this.order.older.visited) ? this.order.older : head;
	}

	private Entry<K, V> head(long maximumSize) {
		boolean onProbation = this.probationSize == this.size || this.probationSize >= Math.max(1, maximumSize * 2 / 3);
		return onProbation ? this.probation.next : this.main.next;
	}

	private void move(Entry<K, V> head, boolean toMain) {
		Entry<K, V> list = toMain ? this.main : this.probation;
		head.previous.next = head.next;
		head.next.previous = head.previous;
		Entry<K, V> tail = list.previous;
		head.previous = tail;
		head.next = list;
		tail.next = head;
		list.previous = head;
		if (head.inMain != toMain) {
			head.inMain = toMain;
			this.probationSize += toMain ? -1 : 1;
		}
		head.visited = false;
	}

	@Nullable Entry<K, V> oldest() {
		return (this.order.newer != this.order) ? this.order.newer : null;
	}

	/**
	 * Returns the later of {@code now} and the newest entry's write time. Threads read
	 * {@code now} before they acquire the lock, so {@code now} may be earlier.
	 */
	long writeTime(long now) {
		Entry<K, V> newest = this.order.older;
		return (newest != this.order && newest.writeTime - now > 0) ? newest.writeTime : now;
	}

	Stats stats() {
		return new Stats(this.size, this.puts, this.removals[RemovalCause.EVICTED.ordinal()],
				this.removals[RemovalCause.EXPIRED.ordinal()], this.removals[RemovalCause.INVALIDATED.ordinal()],
				this.removals[RemovalCause.REPLACED.ordinal()]);
	}

	/** A key and its value. */
	static final class Entry<K, V> {

		final K key;

		final V value;

		final long writeTime;

		/** Not volatile: a lost update can only change which entry is evicted. */
		boolean visited;

		private boolean inMain;

		private Entry<K, V> older = this;

		private Entry<K, V> newer = this;

		private Entry<K, V> previous = this;

		private Entry<K, V> next = this;

		@Nullable RemovalCause cause;

		@Nullable Entry<K, V> removedBefore;

		Entry(K key, V value, long writeTime) {
			this.key = key;
			this.value = value;
			this.writeTime = writeTime;
		}

	}

}
