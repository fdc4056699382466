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
 * oldest entry. Selects the entries to evict with SIEVE (Zhang et al., NSDI 2024). SIEVE
 * moves a position in the list, the hand, from old to new entries. Not thread-safe.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
final class PutOrder<K, V> {

	/**
	 * The maximum number of entries that the hand passes for one eviction. Each of them
	 * may cause a CPU cache miss.
	 */
	private static final int SWEEP_LIMIT = 24;

	@SuppressWarnings("NullAway") // Its key and value are never read.
	private final Entry<K, V> sentinel = new Entry<>(null, null, 0, 0);

	private Entry<K, V> hand = this.sentinel;

	private long size;

	private long puts;

	private final long[] removed = new long[RemovalCause.values().length];

	/**
	 * Removes the change's leaving entry, appends its entering entry, and counts both.
	 * After its first write to a field, this method neither calls a method nor allocates
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
			// Links to the former neighbors would keep them reachable after their own
			// removal.
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
	 * Returns the entry to evict, or {@code null} if the list is empty. Moves the hand
	 * past visited entries, at most {@link #SWEEP_LIMIT}, and marks them as unvisited.
	 * Returns the entry at which the hand stops. If this entry is visited and the newest
	 * entry is unvisited, returns the newest entry instead.
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
	 * Moves the hand back to the oldest entry.
	 */
	void returnHand() {
		this.hand = this.sentinel;
	}

	@Nullable Entry<K, V> oldest() {
		Entry<K, V> oldest = this.sentinel.newer;
		return (oldest != this.sentinel) ? oldest : null;
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

	long removed(RemovalCause cause) {
		return this.removed[cause.ordinal()];
	}

	private Entry<K, V> skipSentinel(Entry<K, V> entry) {
		return (entry != this.sentinel) ? entry : entry.newer;
	}

}
