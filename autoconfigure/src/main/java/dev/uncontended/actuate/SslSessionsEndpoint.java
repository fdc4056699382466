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

package dev.uncontended.actuate;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.uncontended.cache.CacheStats;
import dev.uncontended.tls.HandshakeCount;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TlsHandshakes;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * {@link Endpoint @Endpoint} that tells how TLS sessions are used, and ends them. It
 * never hands out a session id or a peer's address.
 */
@Endpoint(id = "sslsessions", defaultAccess = Access.READ_ONLY)
public class SslSessionsEndpoint {

	private final Map<String, SslSessionCache> caches;

	private final List<TlsHandshakes> handshakes;

	private final @Nullable StatefulSessions stateful;

	/**
	 * Create the endpoint.
	 * @param caches the caches, by their bean names
	 * @param handshakes what the servers report to
	 * @param stateful whether sessions are kept in memory, if that is known
	 */
	public SslSessionsEndpoint(Map<String, SslSessionCache> caches, List<TlsHandshakes> handshakes,
			@Nullable StatefulSessions stateful) {
		this.caches = caches;
		this.handshakes = handshakes;
		this.stateful = stateful;
	}

	/**
	 * Return how TLS sessions are used.
	 * @return the caches and the servers' handshakes
	 */
	@ReadOperation
	public SslSessionsDescriptor sslSessions() {
		Map<String, CacheDescriptor> caches = new LinkedHashMap<>();
		this.caches.forEach((name, cache) -> caches.put(name, describe(cache)));
		return new SslSessionsDescriptor(caches,
				this.handshakes.stream().flatMap((handshakes) -> handshakes.counts().stream()).toList(), this.stateful);
	}

	/**
	 * Return how one cache is used.
	 * @param name its bean name
	 * @return its part of {@link #sslSessions()}, or {@code null} if there is none of
	 * that name
	 */
	@ReadOperation
	public @Nullable CacheDescriptor cache(@Selector String name) {
		SslSessionCache cache = this.caches.get(name);
		return (cache != null) ? describe(cache) : null;
	}

	/**
	 * End every session, so that the next connection of every client makes a full
	 * handshake. Open connections stay open.
	 */
	@DeleteOperation
	public void invalidateAll() {
		this.caches.values().forEach(SslSessionCache::invalidateAll);
	}

	private CacheDescriptor describe(SslSessionCache cache) {
		CacheStats stats = cache.stats();
		return new CacheDescriptor(cache.estimatedSize(), cache.maximumSize(), cache.timeout(),
				new StatsDescriptor(stats.hits(), stats.misses(), stats.puts(), stats.evictions(), stats.expirations(),
						stats.invalidations()));
	}

	/**
	 * Body of the endpoint.
	 *
	 * @param caches the caches by bean name
	 * @param handshakes the servers' handshakes
	 * @param stateful whether the servers keep sessions in memory
	 */
	public record SslSessionsDescriptor(Map<String, CacheDescriptor> caches, List<HandshakeCount> handshakes,
			@Nullable StatefulSessions stateful) {
	}

	/**
	 * A cache.
	 *
	 * @param size number of sessions held
	 * @param maximumSize number of sessions to hold at most, 0 for no limit
	 * @param timeout time after which a session no longer resumes, 0 for no limit
	 * @param stats what happened to its sessions
	 */
	public record CacheDescriptor(long size, int maximumSize, Duration timeout, StatsDescriptor stats) {
	}

	/**
	 * What happened to a cache's sessions.
	 *
	 * @param hits look-ups that found a session
	 * @param misses look-ups that found none
	 * @param puts sessions put
	 * @param evictions sessions that left for lack of room
	 * @param expirations sessions that left after the timeout
	 * @param invalidations sessions that were removed
	 */
	public record StatsDescriptor(long hits, long misses, long puts, long evictions, long expirations,
			long invalidations) {
	}

}
