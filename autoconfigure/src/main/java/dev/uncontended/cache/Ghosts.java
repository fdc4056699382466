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
 * Detects locked-up eviction: the cache keeps old entries that are not read, and evicts
 * new entries before their next read. The symptom: lookups of recently evicted keys are
 * more than half as frequent as cache hits.
 * <p>
 * A ghost is the mixed hash code of an evicted key. A table of fixed size stores the
 * latest ghost for each index. A ghost hit is a lookup that misses the cache and finds
 * the key's ghost.
 * <p>
 * For large caches, the table stores the ghosts of only a sample of the evicted keys.
 * Each ghost hit then counts {@link #scale} times.
 * <p>
 * Any thread may call {@link #missed}; a data race may count a ghost hit twice. Callers
 * of the other methods hold the cache's lock.
 */
final class Ghosts {

	private static final int BITS = 10;

	private static final int MAXIMUM_SCALE = 1 << 20;

	/**
	 * The {@link #balance} is updated every {@code maximumSize / SUMS} evictions.
	 */
	private static final int SUMS = 64;

	/**
	 * Eviction is locked up if {@link #balance} exceeds {@code maximumSize / TOLERANCE}.
	 * Random variation stays below this limit.
	 */
	private static final int TOLERANCE = 16;

	private final int[] ghosts = new int[1 << BITS];

	private final AtomicLong ghostHits = new AtomicLong();

	private long evictions;

	private long lastHits;

	private long lastGhostHits;

	/**
	 * A sum that is at least 0. Each update adds twice the scaled number of ghost hits
	 * since the previous update, and subtracts the number of cache hits.
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
	 * Returns the number of evicted keys that one ghost represents, a power of two.
	 */
	private static long scale(long maximumSize) {
		long keys = Math.min(MAXIMUM_SCALE, (maximumSize - 1) >>> BITS);
		return (keys > 0) ? Long.highestOneBit(keys) << 1 : 1;
	}

	/**
	 * Mixes the key's hash code with MurmurHash3's finalizer. The high bits of the ghost
	 * are its index in the table, and the low bits select the sample. The ghost is odd,
	 * because 0 marks an empty place in the table.
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
