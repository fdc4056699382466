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
 * What a cache has done since it was made. While no operation is under way,
 * {@code puts == size + evictions + expirations + invalidations + replacements}.
 *
 * @param hits lookups that found a live entry
 * @param misses lookups that found none, or an expired one
 * @param puts entries put in, under new keys and under known ones
 * @param evictions entries taken out because the cache was full
 * @param expirations expired entries taken out; one that still awaits that is not counted
 * @param invalidations entries the caller took out
 * @param replacements entries that gave way to another value under the same key
 */
public record CacheStats(long hits, long misses, long puts, long evictions, long expirations, long invalidations,
		long replacements) {
}
