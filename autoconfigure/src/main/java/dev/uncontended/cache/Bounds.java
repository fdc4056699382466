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

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.UnaryOperator;

/**
 * What the cache as a whole may hold, and holds.
 * <p>
 * The limits are read by every operation and written hardly ever. The size is written by
 * each operation that makes the cache grow or shrink, not by one that puts an entry in
 * the place of another; it sits in an array, with a cache line to either side, so that
 * those writes do not take the limits out of the readers' caches.
 */
final class Bounds {

	/**
	 * No limit: there are never that many.
	 */
	static final long NONE = Long.MAX_VALUE;

	private static final int PADDING = 16;

	private static final AtomicReferenceFieldUpdater<Bounds, Timeouts> TIMEOUTS = AtomicReferenceFieldUpdater
		.newUpdater(Bounds.class, Timeouts.class, "timeouts");

	private final AtomicLongArray size = new AtomicLongArray(2 * PADDING + 1);

	private volatile long maximumSize;

	private volatile Timeouts timeouts;

	Bounds(long maximumSize, long timeout) {
		this.maximumSize = maximumSize;
		this.timeouts = new Timeouts(timeout);
	}

	long maximumSize() {
		return this.maximumSize;
	}

	void setMaximumSize(long maximumSize) {
		this.maximumSize = maximumSize;
	}

	Timeouts timeouts() {
		return this.timeouts;
	}

	void changeTimeouts(UnaryOperator<Timeouts> change) {
		TIMEOUTS.updateAndGet(this, change);
	}

	long size() {
		return this.size.get(PADDING);
	}

	void addToSize(long delta) {
		if (delta != 0) {
			this.size.getAndAdd(PADDING, delta);
		}
	}

	boolean isFull() {
		return size() >= this.maximumSize;
	}

	long excess() {
		return size() - this.maximumSize;
	}

	/**
	 * Takes one off the size if it is above the bound, for the caller to remove an entry.
	 * To look first and subtract later would let two threads remove the same excess.
	 */
	boolean claimExcess() {
		long size = size();
		while (size > this.maximumSize) {
			long witness = this.size.compareAndExchange(PADDING, size, size - 1);
			if (witness == size) {
				return true;
			}
			size = witness;
		}
		return false;
	}

}
