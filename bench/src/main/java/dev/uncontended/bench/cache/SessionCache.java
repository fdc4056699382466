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

package dev.uncontended.bench.cache;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The cache interface of the benchmarks.
 */
interface SessionCache {

	@Nullable Object get(SessionKey key);

	void put(SessionKey key, Object value);

	void remove(SessionKey key);

	/**
	 * Advances the clock of the cache.
	 */
	void advance(Duration time);

	/**
	 * Performs work that the cache has postponed, such as evictions.
	 */
	default void settle() {
	}

}
