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
 * Receives the entries removed from a {@link LazyExpiryCache}.
 *
 * @param <K> the type of the keys
 * @param <V> the type of the values
 */
@FunctionalInterface
public interface RemovalListener<K, V> {

	/**
	 * Called after an entry was removed, outside of the cache's lock, usually by the
	 * removing thread. The listener may use the cache, and must be thread-safe.
	 * Exceptions and errors are ignored; the first is logged.
	 * @param key the key
	 * @param value the removed value
	 * @param cause why the entry was removed
	 */
	void onRemoval(K key, V value, RemovalCause cause);

}
