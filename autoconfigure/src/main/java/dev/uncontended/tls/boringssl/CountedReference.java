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
 * Counts the holders of the off-heap memory of a cache entry: the cache, and each lookup
 * under way. Thread-safe.
 * <p>
 * The cache can remove an entry while a lookup uses the entry's memory. The memory is
 * freed exactly once, and never while a lookup uses it:
 * <ul>
 * <li>A lookup uses the memory only between {@link #hold()} and {@link #release()}. The
 * count is then greater than 0.</li>
 * <li>The thread that decrements the count to 0 frees the memory. A count of 0 never
 * changes.</li>
 * <li>The cache decrements the count only once, even if several threads call
 * {@link #abandon()}.</li>
 * </ul>
 */
final class CountedReference {

	private final Runnable free;

	private final AtomicInteger holders = new AtomicInteger(1);

	private final AtomicBoolean abandoned = new AtomicBoolean();

	/**
	 * Creates a reference whose only holder is the cache.
	 */
	CountedReference(Runnable free) {
		this.free = free;
	}

	/**
	 * Adds a lookup to the holders, unless the count is 0.
	 * @return {@code true} if the lookup can use the memory and must call
	 * {@link #release()}
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
