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

/**
 * The entries of a cache in three circular lists with sentinels: one list in put order,
 * which finds expired entries, and two clocks, which select the entries to evict. Not
 * thread-safe.
 * <p>
 * Each entry is in one clock. New entries join the first clock. If an entry was read when
 * it becomes the head of its clock, it moves to the tail of the second clock. Unread
 * heads are evicted. The first clock's head is evicted while this clock holds two thirds
 * of the cache. The first clock is thus long enough to see returning clients, and clients
 * that connect once do not evict the clients in the second clock.
 * <p>
 * In addition, the second clock turns by one entry every {@link #EVICTIONS_PER_TURN}
 * evictions. If its head is unread, the head moves to the tail of the first clock. A
 * working set that nobody uses any more thus leaves the second clock, even if the first
 * clock's entries are all evicted before their next read.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class EntryLists<K, V> {

	/**
	 * The maximum number of entries that one eviction moves. Each of them may cause a CPU
	 * cache miss.
	 */
	private static final int MOVE_LIMIT = 24;

	/**
	 * Large enough for clients whose sessions are read once in this number of evictions
	 * per session, and small enough for an unused second clock to empty after eleven
	 * times the maximum size in evictions.
	 */
	private static final int EVICTIONS_PER_TURN = 32;

	private final Entry<K, V> sentinel = sentinel();

	private final Entry<K, V> firstClock = sentinel();

	private final Entry<K, V> secondClock = sentinel();

	private long size;

	private long firstClockSize;

	private long puts;

	private final long[] removed = new long[RemovalCause.values().length];

	@SuppressWarnings("NullAway") // Its key and value are never read.
	private static <K, V> Entry<K, V> sentinel() {
		return new Entry<>(null, null, 0, Entry.NEVER);
	}

	/**
	 * Removes the change's leaving entry, appends its entering entry, and counts both.
	 * After its first write to a field, this method neither calls a method nor allocates
	 * memory. No error can therefore leave the lists inconsistent.
	 */
	void apply(Change<K, V> change, Removals<K, V> removals) {
		int cause = change.cause.ordinal();
		Entry<K, V> leaving = change.leaving;
		Entry<K, V> entering = change.entering;
		if (leaving != null) {
			leaving.older.newer = leaving.newer;
			leaving.newer.older = leaving.older;
			leaving.previousInClock.nextInClock = leaving.nextInClock;
			leaving.nextInClock.previousInClock = leaving.previousInClock;
			// Links to the former neighbors would keep them reachable after their own
			// removal.
			leaving.older = leaving;
			leaving.newer = leaving;
			leaving.previousInClock = leaving;
			leaving.nextInClock = leaving;
			this.size--;
			if (!leaving.inSecondClock) {
				this.firstClockSize--;
			}
			this.removed[cause]++;
			if (removals.tail != null) {
				removals.tail.next = change;
			}
			else {
				removals.head = change;
			}
			removals.tail = change;
		}
		if (entering != null) {
			Entry<K, V> newest = this.sentinel.older;
			entering.older = newest;
			entering.newer = this.sentinel;
			newest.newer = entering;
			this.sentinel.older = entering;
			Entry<K, V> tail = this.firstClock.previousInClock;
			entering.previousInClock = tail;
			entering.nextInClock = this.firstClock;
			tail.nextInClock = entering;
			this.firstClock.previousInClock = entering;
			this.size++;
			this.firstClockSize++;
			this.puts++;
		}
	}

	/**
	 * Returns the entry to evict. The lists must not be empty. Moves visited heads, at
	 * most {@link #MOVE_LIMIT}, to the tail of the second clock, and marks them as
	 * unvisited. Returns the first unvisited head. At the limit, returns the newest entry
	 * if it is unvisited, and otherwise the visited head.
	 */
	Entry<K, V> selectVictim(long maximumSize) {
		if (removed(RemovalCause.EVICTED) % EVICTIONS_PER_TURN == EVICTIONS_PER_TURN - 1) {
			turnSecondClock();
		}
		Entry<K, V> head = head(maximumSize);
		for (int moved = 0; head.visited && moved < MOVE_LIMIT; moved++) {
			moveTo(this.secondClock, head);
			head = head(maximumSize);
		}
		return (head.visited && !this.sentinel.older.visited) ? this.sentinel.older : head;
	}

	private Entry<K, V> head(long maximumSize) {
		boolean first = this.firstClockSize == this.size || this.firstClockSize >= Math.max(1, maximumSize * 2 / 3);
		return first ? this.firstClock.nextInClock : this.secondClock.nextInClock;
	}

	private void turnSecondClock() {
		Entry<K, V> head = this.secondClock.nextInClock;
		if (head != this.secondClock) {
			moveTo(head.visited ? this.secondClock : this.firstClock, head);
		}
	}

	/**
	 * Calls no method and allocates no memory, like {@link #apply}.
	 */
	private void moveTo(Entry<K, V> clock, Entry<K, V> head) {
		head.previousInClock.nextInClock = head.nextInClock;
		head.nextInClock.previousInClock = head.previousInClock;
		Entry<K, V> tail = clock.previousInClock;
		head.previousInClock = tail;
		head.nextInClock = clock;
		tail.nextInClock = head;
		clock.previousInClock = head;
		boolean second = clock == this.secondClock;
		if (head.inSecondClock != second) {
			head.inSecondClock = second;
			this.firstClockSize += second ? -1 : 1;
		}
		head.visited = false;
	}

	/**
	 * Returns the oldest entry, or a sentinel, which never expires, if there is none.
	 */
	Entry<K, V> oldest() {
		return this.sentinel.newer;
	}

	/**
	 * Returns the later of {@code now} and the newest entry's write time. Threads read
	 * {@code now} before they acquire the lock, so {@code now} may be earlier.
	 */
	long writeTime(long now) {
		Entry<K, V> newest = this.sentinel.older;
		return (newest != this.sentinel && newest.writeTime - now > 0) ? newest.writeTime : now;
	}

	long size() {
		return this.size;
	}

	long puts() {
		return this.puts;
	}

	CacheStats stats() {
		return new CacheStats(this.size, this.puts, removed(RemovalCause.EVICTED), removed(RemovalCause.EXPIRED),
				removed(RemovalCause.INVALIDATED), removed(RemovalCause.REPLACED));
	}

	private long removed(RemovalCause cause) {
		return this.removed[cause.ordinal()];
	}

}
