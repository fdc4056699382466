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
 * The statistics of an {@link SslSessionCache} since its creation. They describe the
 * sessions of the JDK's engine. BoringSSL's sessions are not included.
 *
 * @param hits the number of handshakes that resumed a session
 * @param misses the number of handshakes that were full because the presented session was
 * not in the cache: evicted, expired or ended
 * @param puts the number of full handshakes that put their session into the cache
 * @param evictions the number of sessions removed because the cache was full
 * @param expirations the number of sessions removed after they had timed out
 * @param invalidations the number of sessions that were ended
 */
public record SslSessionStats(long hits, long misses, long puts, long evictions, long expirations, long invalidations) {
}
