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

import java.util.function.LongSupplier;

/**
 * A key and its value in a {@link LazyExpiryCache}.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
final class Entry<K, V> {

	static final long NEVER = Long.MAX_VALUE;

	final K key;

	final V value;

	final long writeTime;

	/**
	 * The shortest timeout of the cache since this entry's put, in nanoseconds.
	 */
	private volatile long timeout;

	/**
	 * Set by reads, and cleared by {@link EntryLists#selectVictim}. Not volatile: a lost
	 * update can only change which entry is evicted.
	 */
	boolean visited;

	/**
	 * Whether the entry is in the second clock of {@link EntryLists}.
	 */
	boolean inSecondClock;

	Entry<K, V> older = this;

	Entry<K, V> newer = this;

	Entry<K, V> previousInClock = this;

	Entry<K, V> nextInClock = this;

	Entry(K key, V value, long writeTime, long timeout) {
		this.key = key;
		this.value = value;
		this.writeTime = writeTime;
		this.timeout = timeout;
	}

	boolean isExpired(long now) {
		long timeout = this.timeout;
		return timeout != NEVER && now - this.writeTime >= timeout;
	}

	/**
	 * Reads the clock only if the entry can expire.
	 */
	boolean isExpired(LongSupplier ticker) {
		return this.timeout != NEVER && isExpired(ticker.getAsLong());
	}

	/**
	 * Lowers a longer timeout to the limit. Not atomic, so calls must not overlap.
	 */
	void limitTimeout(long limit) {
		if (this.timeout > limit) {
			this.timeout = limit;
		}
	}

}
