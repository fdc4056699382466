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
 * The size of a {@link LazyExpiryCache}, and its statistics since its creation. The
 * number of puts is the sum of all other components.
 *
 * @param size the number of entries, including expired entries that are still in memory
 * @param puts the number of puts, including replacements
 * @param evictions the number of entries removed to keep the maximum size
 * @param expirations the number of expired entries removed or replaced
 * @param invalidations the number of unexpired entries removed by the caller
 * @param replacements the number of unexpired entries replaced by a put
 */
public record CacheStats(long size, long puts, long evictions, long expirations, long invalidations,
		long replacements) {
}
