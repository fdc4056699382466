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
 * Tells whether eviction is locked up: whether readers ask for what was evicted more than
 * half as often as for what is held.
 * <p>
 * An evicted key is remembered by its hash code alone, as a ghost, in a table of fixed
 * size, in which it overwrites an older one. Of a larger cache only a sample of the keys
 * is remembered, chosen by their hash codes, and each of their hits stands for several.
 * <p>
 * Any thread may call {@link #missed}: a thread that loses a race for a ghost loses a
 * count. The other methods are called under the cache's lock.
 */
final class Ghosts {

	private static final int BITS = 10;

	private static final int MAXIMUM_SCALE = 1 << 20;

	/**
	 * The hits are summed up once in so many parts of the bound.
	 */
	private static final int SUMS = 64;

	/**
	 * The balance may reach one of so many parts of the bound. That is above what chance
	 * makes of it while all is well, and below what one or two passes over a working set
	 * make of it that is locked out.
	 */
	private static final int TOLERANCE = 16;

	private final int[] ghosts = new int[1 << BITS];

	private final AtomicLong ghostHits = new AtomicLong();

	private long evictions;

	private long lastHits;

	private long lastGhostHits;

	/**
	 * How far twice the hits of ghosts are ahead of the cache's.
	 */
	private long balance;

	/**
	 * Notes that a key was asked for and not found.
	 */
	void missed(Object key) {
		int ghost = ghost(key);
		int index = index(ghost);
		if (this.ghosts[index] == ghost) {
			this.ghosts[index] = 0;
			this.ghostHits.getAndIncrement();
		}
	}

	/**
	 * Notes that a key was evicted.
	 */
	void evicted(Object key, long maximumSize) {
		this.evictions++;
		int ghost = ghost(key);
		if ((ghost >>> 1 & (scale(maximumSize) - 1)) == 0) {
			this.ghosts[index(ghost)] = ghost;
		}
	}

	/**
	 * Returns whether eviction is locked up. If so, the balance starts anew.
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
	 * In how many evicted keys one is remembered: a power of two.
	 */
	private static long scale(long maximumSize) {
		long keys = Math.min(MAXIMUM_SCALE, (maximumSize - 1) >>> BITS);
		return (keys > 0) ? Long.highestOneBit(keys) << 1 : 1;
	}

	/**
	 * The finalizer of MurmurHash3, since the index and the sample each take some bits;
	 * odd, since 0 means that there is no ghost.
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
