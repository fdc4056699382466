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
 * A reference to off-heap memory, owned by a cache and shared with lookups. Thread-safe.
 * <p>
 * The memory must be freed exactly once, and must not be accessed afterwards, although
 * the cache can remove an entry during a lookup:
 * <ul>
 * <li>The reference counts its holders: the cache, from the start, and each lookup under
 * way. The thread that lowers the count to 0 frees the memory.</li>
 * <li>A lookup increments the count before it accesses the memory, atomically and only
 * from a positive count. The memory thus exists until the lookup decrements the count
 * again. If the count is 0, the lookup fails.</li>
 * <li>The count never leaves 0, so the memory is freed once.</li>
 * <li>Only the first call of {@link #abandon()} removes the cache from the holders, even
 * if several operations remove the same entry.</li>
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
	 * Adds a lookup to the holders. The lookup must {@link #release()} the reference.
	 * @return {@code true} if the memory still exists, otherwise the lookup is not added
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
	 * Removes a lookup from the holders.
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
