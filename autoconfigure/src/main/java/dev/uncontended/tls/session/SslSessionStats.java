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

package dev.uncontended.tls.session;

/**
 * The statistics of an {@link SslSessionCache} since its creation. They describe only the
 * sessions in the cache. Sessions that resume from stateless tickets are not included.
 *
 * @param hits the number of handshakes that resumed a session of the cache
 * @param misses the number of full handshakes that put a session into the cache
 * @param puts the number of sessions put
 * @param evictions the number of sessions removed because the cache was full or its
 * maximum size was lowered
 * @param expirations the number of sessions removed after they had timed out
 * @param invalidations the number of sessions removed by {@link SslSessionCache#remove
 * remove} or {@link SslSessionCache#endAll endAll}, after 64 resumptions, because the
 * server has replaced its SSL context, or because the connection or the application has
 * invalidated them
 */
public record SslSessionStats(long hits, long misses, long puts, long evictions, long expirations, long invalidations) {
}
