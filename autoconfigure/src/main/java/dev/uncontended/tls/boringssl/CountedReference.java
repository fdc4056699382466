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
 * A reference to memory outside of the heap, which a cache owns and lookups share.
 * <p>
 * The memory may be freed once, and not be touched after that. An entry can leave the
 * cache at any moment, also while a lookup has just been given it. So:
 * <ul>
 * <li>The holders are counted: the cache is one, from the beginning, and each lookup
 * under way is another. The thread that brings the count to 0 frees the memory.</li>
 * <li>A lookup adds itself before it touches the memory. It does so only to a count above
 * 0, in one atomic step, so the memory is there, and stays until the lookup has taken
 * itself off again. At 0 the lookup has found nothing.</li>
 * <li>The count never leaves 0 again, so the memory is freed once.</li>
 * <li>The cache gives up its part once, however often it says so: an entry may leave in
 * more ways than one.</li>
 * </ul>
 */
final class CountedReference {

	private final Runnable free;

	private final AtomicInteger holders = new AtomicInteger(1);

	private final AtomicBoolean abandoned = new AtomicBoolean();

	/**
	 * Creates a reference that the cache holds.
	 * @param free frees the memory
	 */
	CountedReference(Runnable free) {
		this.free = free;
	}

	/**
	 * Adds a lookup to the holders, which is to {@link #release()} the reference.
	 * @return whether the memory is still there
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
	 * Takes a lookup off the holders.
	 */
	void release() {
		if (this.holders.decrementAndGet() == 0) {
			this.free.run();
		}
	}

	/**
	 * Takes the cache off the holders, once.
	 */
	void abandon() {
		if (this.abandoned.compareAndSet(false, true)) {
			release();
		}
	}

}
