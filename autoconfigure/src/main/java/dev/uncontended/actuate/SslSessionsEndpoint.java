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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;

import dev.uncontended.cache.CacheStats;
import dev.uncontended.tls.FailedTlsHandshake;
import dev.uncontended.tls.HandshakeCount;
import dev.uncontended.tls.HandshakeKind;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeySource.Reach;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
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

	private static final Log logger = LogFactory.getLog(SslSessionsEndpoint.class);

	private final Map<String, SslSessionCache> caches;

	private final List<TlsHandshakes> handshakes;

	private final @Nullable StatefulSessions stateful;

	private final String engine;

	private final @Nullable TicketKeySource ticketKeys;

	/**
	 * Creates the endpoint.
	 * @param caches the caches, by their bean names
	 * @param handshakes what the servers report to
	 * @param stateful whether sessions are kept in memory, if that is known
	 * @param engine the implementation of TLS, such as {@code jdk}
	 * @param ticketKeys the source of the keys of session tickets, unless the engine
	 * keeps its keys to itself
	 */
	public SslSessionsEndpoint(Map<String, SslSessionCache> caches, List<TlsHandshakes> handshakes,
			@Nullable StatefulSessions stateful, String engine, @Nullable TicketKeySource ticketKeys) {
		this.caches = caches;
		this.handshakes = handshakes;
		this.stateful = stateful;
		this.engine = engine;
		this.ticketKeys = ticketKeys;
	}

	/**
	 * Returns how TLS sessions are used.
	 * @return the caches and the servers' handshakes
	 */
	@ReadOperation
	public SslSessionsDescriptor sslSessions() {
		Map<String, CacheDescriptor> caches = new LinkedHashMap<>();
		this.caches.forEach((name, cache) -> caches.put(name, describe(cache)));
		return new SslSessionsDescriptor(caches, describe(TlsHandshakes::counts, HandshakeDescriptor::of),
				describe(TlsHandshakes::failedCounts, FailedHandshakeDescriptor::of), this.stateful, this.engine,
				(this.ticketKeys != null) ? this.ticketKeys.status() : null);
	}

	private <K, V, D extends Comparable<D>> List<D> describe(Function<TlsHandshakes, Map<K, V>> counts,
			BiFunction<K, V, D> descriptor) {
		return this.handshakes.stream()
			.flatMap((handshakes) -> counts.apply(handshakes).entrySet().stream())
			.map((entry) -> descriptor.apply(entry.getKey(), entry.getValue()))
			.sorted()
			.toList();
	}

	/**
	 * Returns how one cache is used.
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
	 * Ends every session, so that the next connection of every client makes a full
	 * handshake. Open connections stay open. A failure in one cache does not keep the
	 * sessions of another alive.
	 * @return the nodes on which they have ended, and how soon they do on the others
	 * @throws RuntimeException the failure of the last cache that failed
	 */
	@DeleteOperation
	public EndDescriptor invalidateAll() {
		return invalidateAll("a client of JMX");
	}

	EndDescriptor invalidateAll(String client) {
		logger.info("The end of all TLS sessions was asked for by " + client);
		RuntimeException failure = null;
		for (SslSessionCache cache : this.caches.values()) {
			try {
				cache.invalidateAll();
			}
			catch (RuntimeException ex) {
				failure = ex;
			}
		}
		if (failure != null) {
			throw failure;
		}
		Reach reach = (this.ticketKeys != null) ? this.ticketKeys.status().lastEnd() : null;
		return new EndDescriptor((reach != null) ? reach : Reach.THIS_NODE);
	}

	private CacheDescriptor describe(SslSessionCache cache) {
		CacheStats stats = cache.stats();
		return new CacheDescriptor(cache.estimatedSize(), cache.maximumSize(), cache.timeout(), new StatsDescriptor(
				stats.hits(), stats.puts(), stats.evictions(), stats.expirations(), stats.invalidations()));
	}

	/**
	 * Body of the endpoint.
	 *
	 * @param caches the caches by bean name
	 * @param handshakes the servers' completed handshakes
	 * @param failedHandshakes the servers' failed handshakes
	 * @param stateful whether the servers keep sessions in memory
	 * @param engine the implementation of TLS
	 * @param tickets the keys of session tickets, {@code null} if the engine keeps them
	 * to itself
	 */
	public record SslSessionsDescriptor(Map<String, CacheDescriptor> caches, List<HandshakeDescriptor> handshakes,
			List<FailedHandshakeDescriptor> failedHandshakes, @Nullable StatefulSessions stateful, String engine,
			@Nullable TicketKeyStatus tickets) {
	}

	/**
	 * Body of the answer to the end of every session.
	 *
	 * @param reach the nodes on which the sessions have ended
	 */
	public record EndDescriptor(Reach reach) {
	}

	/**
	 * Completed handshakes of one kind.
	 *
	 * @param server the server's software, such as {@code tomcat}
	 * @param context {@code application} or {@code management}
	 * @param protocol the standard name of the protocol
	 * @param cipherSuite the standard name of the cipher suite
	 * @param full how many made a new session
	 * @param resumed how many took up an earlier session
	 */
	public record HandshakeDescriptor(String server, String context, String protocol, String cipherSuite, long full,
			long resumed) implements Comparable<HandshakeDescriptor> {

		private static final Comparator<HandshakeDescriptor> ORDER = Comparator.comparing(HandshakeDescriptor::server)
			.thenComparing(HandshakeDescriptor::context)
			.thenComparing(HandshakeDescriptor::protocol)
			.thenComparing(HandshakeDescriptor::cipherSuite);

		static HandshakeDescriptor of(HandshakeKind kind, HandshakeCount count) {
			return new HandshakeDescriptor(kind.server().name(), kind.server().context().toString(), kind.protocol(),
					kind.cipherSuite(), count.full(), count.resumed());
		}

		@Override
		public int compareTo(HandshakeDescriptor other) {
			return ORDER.compare(this, other);
		}

	}

	/**
	 * Failed handshakes of one server and reason.
	 *
	 * @param server the server's software, such as {@code tomcat}
	 * @param context {@code application} or {@code management}
	 * @param reason {@code protocol}, {@code cipher}, {@code certificate},
	 * {@code aborted} or {@code other}
	 * @param count how many
	 */
	public record FailedHandshakeDescriptor(String server, String context, String reason,
			long count) implements Comparable<FailedHandshakeDescriptor> {

		private static final Comparator<FailedHandshakeDescriptor> ORDER = Comparator
			.comparing(FailedHandshakeDescriptor::server)
			.thenComparing(FailedHandshakeDescriptor::context)
			.thenComparing(FailedHandshakeDescriptor::reason);

		static FailedHandshakeDescriptor of(FailedTlsHandshake handshake, Long count) {
			return new FailedHandshakeDescriptor(handshake.server().name(), handshake.server().context().toString(),
					handshake.reason().toString(), count);
		}

		@Override
		public int compareTo(FailedHandshakeDescriptor other) {
			return ORDER.compare(this, other);
		}

	}

	/**
	 * A cache.
	 *
	 * @param size number of sessions in the cache and in the servers' own
	 * @param maximumSize number of sessions to hold at most, 0 for no limit
	 * @param timeout time after which a session no longer resumes, 0 for no limit
	 * @param stats what happened to its sessions
	 */
	public record CacheDescriptor(long size, int maximumSize, Duration timeout, StatsDescriptor stats) {
	}

	/**
	 * What happened to a cache's sessions.
	 *
	 * @param hits resumed handshakes
	 * @param puts sessions put into the cache itself, none by the JDK's TLS, and those
	 * without a ticket by BoringSSL
	 * @param evictions of those, the ones that left for lack of room
	 * @param expirations of those, the ones that left after the timeout
	 * @param invalidations of those, the ones that were removed
	 */
	public record StatsDescriptor(long hits, long puts, long evictions, long expirations, long invalidations) {
	}

}
