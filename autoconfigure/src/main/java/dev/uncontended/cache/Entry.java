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

/**
 * A key and its value in a {@link LazyExpiryCache}.
 *
 * @param <K> the type of the key
 * @param <V> the type of the value
 */
final class Entry<K, V> {

	/**
	 * The timeout of an entry that does not expire.
	 */
	static final long NEVER = Long.MAX_VALUE;

	final K key;

	final V value;

	final long writeTime;

	/**
	 * The shortest timeout, in nanoseconds, that the cache has had since this entry's
	 * put.
	 */
	private volatile long timeout;

	/**
	 * Set when the entry is read, and cleared when the hand of {@link PutOrder} passes
	 * the entry. Not volatile: if a data race loses an update, the cache may evict the
	 * entry slightly too early.
	 */
	boolean visited;

	Entry<K, V> older = this;

	Entry<K, V> newer = this;

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
	 * Lowers the timeout to the limit in nanoseconds if the timeout is longer. Calls must
	 * not overlap, because the check and the write are not atomic.
	 */
	void limitTimeout(long limit) {
		if (this.timeout > limit) {
			this.timeout = limit;
		}
	}

}
