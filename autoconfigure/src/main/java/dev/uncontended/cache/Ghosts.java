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

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/**
 * Detects locked-up eviction, which keeps old entries that are no longer read, and evicts
 * new entries before their next read. The symptom is that lookups of recently evicted
 * keys are more than half as frequent as hits.
 * <p>
 * A ghost is the mixed hash code of an evicted key, in a table of fixed size. A ghost
 * overwrites an older ghost with the same index. If the maximum size exceeds the size of
 * the table, only a sample of the evicted keys leaves ghosts, and each ghost hit counts
 * several times.
 * <p>
 * Any thread may call {@link #missed}. Two threads that find the same ghost at once may
 * both count it. All other methods are called under the cache's lock.
 */
final class Ghosts {

	private static final int BITS = 10;

	private static final int MAXIMUM_SCALE = 1 << 20;

	/**
	 * The {@link #balance} is updated once per {@code maximumSize / SUMS} evictions, but
	 * at most once per eviction.
	 */
	private static final int SUMS = 64;

	/**
	 * Eviction is locked up if the balance exceeds the maximum size divided by this
	 * number. Random variation stays below this limit. One or two passes over a working
	 * set that eviction keeps out of the cache exceed it.
	 */
	private static final int TOLERANCE = 16;

	private final int[] ghosts = new int[1 << BITS];

	private final AtomicLong ghostHits = new AtomicLong();

	private long evictions;

	private long lastHits;

	private long lastGhostHits;

	/**
	 * The running sum of twice the scaled ghost hits minus the cache hits, set to 0
	 * whenever it is negative.
	 */
	private long balance;

	void missed(Object key) {
		int ghost = ghost(key);
		int index = index(ghost);
		if (this.ghosts[index] == ghost) {
			this.ghosts[index] = 0;
			this.ghostHits.getAndIncrement();
		}
	}

	void evicted(Object key, long maximumSize) {
		this.evictions++;
		int ghost = ghost(key);
		if ((ghost >>> 1 & (scale(maximumSize) - 1)) == 0) {
			this.ghosts[index(ghost)] = ghost;
		}
	}

	/**
	 * Returns whether eviction is locked up, and resets the balance if so.
	 */
	boolean isLockedUp(LongAdder hits, long maximumSize) {
		if (this.evictions < maximumSize / SUMS) {
			return false;
		}
		this.evictions = 0;
		long hitsNow = hits.sum();
		long ghostHitsNow = this.ghostHits.get();
		long lead = 2 * scale(maximumSize) * (ghostHitsNow - this.lastGhostHits) - (hitsNow - this.lastHits);
		this.lastHits = hitsNow;
		this.lastGhostHits = ghostHitsNow;
		this.balance = Math.max(0, this.balance + lead);
		if (this.balance <= maximumSize / TOLERANCE) {
			return false;
		}
		this.balance = 0;
		return true;
	}

	/**
	 * Returns how many evicted keys one ghost represents, a power of two.
	 */
	private static long scale(long maximumSize) {
		long keys = Math.min(MAXIMUM_SCALE, (maximumSize - 1) >>> BITS);
		return (keys > 0) ? Long.highestOneBit(keys) << 1 : 1;
	}

	/**
	 * Returns the ghost of a key. MurmurHash3's finalizer mixes the hash code: its high
	 * bits select the index, and its low bits select the sample of keys. The result is
	 * odd, because 0 means no ghost.
	 */
	private static int ghost(Object key) {
		int hash = key.hashCode();
		hash = (hash ^ (hash >>> 16)) * 0x85ebca6b;
		hash = (hash ^ (hash >>> 13)) * 0xc2b2ae35;
		return (hash ^ (hash >>> 16)) | 1;
	}

	private static int index(int ghost) {
		return ghost >>> (Integer.SIZE - BITS);
	}

}
