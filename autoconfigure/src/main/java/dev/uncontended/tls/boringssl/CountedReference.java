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

package dev.uncontended.tls.boringssl;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A reference to off-heap memory that a cache owns and its lookups use. Thread-safe.
 * <p>
 * The cache can remove an entry while a lookup uses the memory of the entry. The memory
 * is nevertheless freed exactly once, and not accessed afterwards:
 * <ul>
 * <li>This class counts the holders of the memory: the cache, and each lookup under way.
 * The thread that decrements the count to 0 frees the memory.</li>
 * <li>Before a lookup accesses the memory, it calls {@link #hold()}, which atomically
 * increments the count if the count is positive. The memory thus exists until the lookup
 * decrements the count. If the count is 0, the lookup fails.</li>
 * <li>A count of 0 never increases again, so the memory is freed only once.</li>
 * <li>Only the first {@link #abandon()} decrements the count, even if several threads
 * remove the entry.</li>
 * </ul>
 */
final class CountedReference {

	private final Runnable free;

	private final AtomicInteger holders = new AtomicInteger(1);

	private final AtomicBoolean abandoned = new AtomicBoolean();

	/**
	 * Creates a reference held by the cache.
	 * @param free frees the memory
	 */
	CountedReference(Runnable free) {
		this.free = free;
	}

	/**
	 * Adds a lookup to the holders, unless the count is 0.
	 * @return {@code true} if the lookup was added, and must therefore call
	 * {@link #release()}; {@code false} if the memory must not be accessed
	 */
	boolean hold() {
		int count = this.holders.get();
		while (count > 0) {
			int witness = this.holders.compareAndExchange(count, count + 1);
			if (witness == count) {
				return true;
			}
			count = witness;
		}
		return false;
	}

	/**
	 * Removes a holder. If it was the last holder, frees the memory.
	 */
	void release() {
		if (this.holders.decrementAndGet() == 0) {
			this.free.run();
		}
	}

	/**
	 * Removes the cache from the holders. Further calls have no effect.
	 */
	void abandon() {
		if (this.abandoned.compareAndSet(false, true)) {
			release();
		}
	}

}
