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

import org.jspecify.annotations.Nullable;

/**
 * A circular list of entries in put order, with a sentinel between the newest and the
 * oldest entry. Uses the SIEVE algorithm (Zhang et al., NSDI 2024) to select the entries
 * to evict. SIEVE moves a position in the list, the hand, from old to new entries. Not
 * thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class PutOrder<K, V> {

	/**
	 * The maximum number of {@linkplain Entry#visited visited} entries that the hand
	 * passes for one eviction. Passing an entry may take about 300 ns, because of a CPU
	 * cache miss.
	 */
	private static final int SWEEP_LIMIT = 24;

	@SuppressWarnings("NullAway") // Its key and value are never read.
	private final Entry<K, V> sentinel = new Entry<>(null, null, 0, 0);

	/**
	 * The position at which the next search for an entry to evict starts.
	 */
	private Entry<K, V> hand = this.sentinel;

	private long size;

	private long puts;

	private final long[] removed = new long[RemovalCause.values().length];

	/**
	 * Removes the change's leaving entry, appends its entering entry, and counts both.
	 * Once this method has written a field, it neither calls a method nor allocates
	 * memory. No error can therefore leave the list inconsistent.
	 */
	void apply(Change<K, V> change, Removals<K, V> removals) {
		int cause = change.cause.ordinal();
		Entry<K, V> leaving = change.leaving;
		Entry<K, V> entering = change.entering;
		if (leaving != null) {
			if (this.hand == leaving) {
				this.hand = leaving.newer;
			}
			leaving.older.newer = leaving.newer;
			leaving.newer.older = leaving.older;
			// The removed entry must not link to its former neighbors, because they would
			// stay reachable after their own removal.
			leaving.older = leaving;
			leaving.newer = leaving;
			this.size--;
			this.removed[cause]++;
			if (removals.last != null) {
				removals.last.next = change;
			}
			else {
				removals.first = change;
			}
			removals.last = change;
		}
		if (entering != null) {
			Entry<K, V> newest = this.sentinel.older;
			entering.older = newest;
			entering.newer = this.sentinel;
			newest.newer = entering;
			this.sentinel.older = entering;
			this.size++;
			this.puts++;
		}
	}

	/**
	 * Selects the entry to evict. The hand passes visited entries, marks them as
	 * unvisited, and stops at the first unvisited entry. After {@link #SWEEP_LIMIT}
	 * visited entries, the hand stops at the next entry in any case. Selects the entry at
	 * the hand. If this entry is visited and the newest entry is unvisited, selects the
	 * newest entry instead.
	 * @return the entry to evict, or {@code null} if the list is empty
	 */
	@Nullable Entry<K, V> victim() {
		Entry<K, V> victim = skipSentinel(this.hand);
		for (int passed = 0; victim.visited && passed < SWEEP_LIMIT; passed++) {
			victim.visited = false;
			victim = skipSentinel(victim.newer);
		}
		this.hand = victim;
		if (victim.visited && !this.sentinel.older.visited) {
			return this.sentinel.older;
		}
		return (victim != this.sentinel) ? victim : null;
	}

	/**
	 * Lets the next search start at the oldest entry.
	 */
	void returnHand() {
		this.hand = this.sentinel;
	}

	@Nullable Entry<K, V> oldest() {
		Entry<K, V> oldest = this.sentinel.newer;
		return (oldest != this.sentinel) ? oldest : null;
	}

	/**
	 * Returns the write time for a new entry: the later of {@code now} and the newest
	 * entry's write time. The newest entry's write time may be later than {@code now},
	 * because threads read the clock before they acquire the lock.
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

	long removed(RemovalCause cause) {
		return this.removed[cause.ordinal()];
	}

	private Entry<K, V> skipSentinel(Entry<K, V> entry) {
		return (entry != this.sentinel) ? entry : entry.newer;
	}

}
