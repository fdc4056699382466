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
 * The cache can remove an entry during a lookup. The memory must still be freed exactly
 * once, and not be accessed afterwards:
 * <ul>
 * <li>The reference counts its holders: the cache and each lookup under way. The thread
 * that lowers the count to 0 frees the memory.</li>
 * <li>Before a lookup accesses the memory, it atomically increments the count if the
 * count is positive. The memory thus exists until the lookup decrements the count. If the
 * count is 0, the lookup fails.</li>
 * <li>The count never leaves 0, so the memory is freed once.</li>
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
