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
 * Receives the entries that a {@link LazyExpiryCache} has removed or replaced.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface RemovalListener<K, V> {

	/**
	 * Called after an entry was removed or replaced. Any thread that uses the cache may
	 * make the call, without holding the cache's lock. The listener must be thread-safe,
	 * and may use the cache. The cache catches the listener's exceptions and errors, and
	 * logs only the first.
	 * @param key the key
	 * @param value the removed or replaced value
	 * @param cause why the entry was removed or replaced
	 */
	void onRemoval(K key, V value, RemovalCause cause);

}
