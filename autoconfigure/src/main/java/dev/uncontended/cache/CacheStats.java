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
 * The statistics of a {@link LazyExpiryCache} since its creation. While no operation is
 * under way, {@code puts} is the sum of {@link LazyExpiryCache#estimatedSize()},
 * {@code evictions}, {@code expirations}, {@code invalidations} and {@code replacements}.
 *
 * @param hits the number of lookups that returned a value
 * @param misses the number of lookups that returned {@code null}
 * @param puts the number of puts, including replacements
 * @param evictions the number of entries removed to keep the maximum size
 * @param expirations the number of expired entries removed or replaced
 * @param invalidations the number of unexpired entries removed by the caller
 * @param replacements the number of unexpired entries replaced by a put
 */
public record CacheStats(long hits, long misses, long puts, long evictions, long expirations, long invalidations,
		long replacements) {
}
