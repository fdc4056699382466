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
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;

import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketKeys;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * An {@link Endpoint @Endpoint} that exposes statistics of TLS sessions, and can end the
 * sessions. Responses never contain a session id or a client's address.
 */
@Endpoint(id = "sslsessions", defaultAccess = Access.READ_ONLY)
public class SslSessionsEndpoint {

	private static final Log logger = LogFactory.getLog(SslSessionsEndpoint.class);

	/** The name of the session cache in responses, and its bean name. */
	public static final String CACHE = "sslSessionCache";

	private final Supplier<TlsServers> servers;

	private final String engine;

	private final @Nullable TicketKeys ticketKeys;

	/**
	 * Creates an endpoint.
	 * @param servers supplies the registry of the running servers
	 * @param engine the value of {@code uncontended.ssl.engine}
	 * @param ticketKeys the ticket keys, or {@code null} if there is none
	 */
	public SslSessionsEndpoint(Supplier<TlsServers> servers, String engine, @Nullable TicketKeys ticketKeys) {
		this.servers = servers;
		this.engine = engine;
		this.ticketKeys = ticketKeys;
	}

	@ReadOperation
	public SslSessionsDescriptor sslSessions() {
		TlsServers servers = this.servers.get();
		return new SslSessionsDescriptor(Map.of(CACHE, CacheDescriptor.of(servers.sessionTokens())),
				describe(servers.handshakes().counts(), HandshakeDescriptor::of),
				describe(servers.handshakes().failedCounts(), FailedHandshakeDescriptor::of), servers.sessions(),
				this.engine, servers.groups(), (this.ticketKeys != null) ? this.ticketKeys.status() : null,
				ServersDescriptor.of(servers));
	}

	private static <K, V, D> List<D> describe(Map<K, V> counts, BiFunction<K, V, D> descriptor) {
		return counts.entrySet()
			.stream()
			.map((entry) -> descriptor.apply(entry.getKey(), entry.getValue()))
			.sorted(Comparator.comparing(Object::toString))
			.toList();
	}

	@ReadOperation
	public @Nullable CacheDescriptor cache(@Selector String name) {
		return CACHE.equals(name) ? CacheDescriptor.of(this.servers.get().sessionTokens()) : null;
	}

	/**
	 * Ends all sessions of this node. Other nodes end their sessions only if the nodes
	 * share ticket keys through Redis. Open connections stay open.
	 */
	@DeleteOperation
	public EndDescriptor endAll() {
		logger.info("Ending all TLS sessions");
		Reach reach = this.servers.get().sessionTokens().endAll();
		ServersDescriptor servers = ServersDescriptor.of(this.servers.get());
		if (servers.reached().isEmpty()) {
			reach = Reach.NO_SERVER;
		}
		else if (!servers.unreached().isEmpty()) {
			reach = Reach.SOME_SERVERS;
		}
		return new EndDescriptor(reach, servers, (this.ticketKeys != null) ? this.ticketKeys.status().nodes() : null);
	}

	/**
	 * The statistics of all caches and handshakes.
	 *
	 * @param caches the session caches by bean name
	 * @param sessions for operators: where the sessions of each server with TLS are;
	 * empty without such a server
	 * @param engine the value of {@code uncontended.ssl.engine}; by default {@code jdk}
	 * @param groups the groups that the engine may use for key exchanges, in order of
	 * preference; empty if unknown, as with the JDK's engine
	 * @param tickets the state of the ticket keys, or {@code null} if unknown
	 */
	public record SslSessionsDescriptor(Map<String, CacheDescriptor> caches, List<HandshakeDescriptor> handshakes,
			List<FailedHandshakeDescriptor> failedHandshakes, Map<String, String> sessions, String engine,
			List<String> groups, @Nullable TicketKeyStatus tickets, ServersDescriptor servers) {
	}

	/**
	 * The response to the end of all sessions.
	 *
	 * @param nodes the nodes that share ticket keys, and which of them have confirmed;
	 * {@code null} if nodes share none
	 */
	public record EndDescriptor(Reach reach, ServersDescriptor servers, TicketKeyStatus.@Nullable Nodes nodes) {
	}

	/**
	 * The running TLS servers of this application.
	 *
	 * @param reached the servers whose sessions {@code DELETE} ends
	 * @param unreached the other servers, as far as known
	 */
	public record ServersDescriptor(List<String> reached, List<String> unreached) {

		static ServersDescriptor of(TlsServers servers) {
			return new ServersDescriptor(servers.reached(), servers.unreached());
		}

	}

	/**
	 * The numbers of completed handshakes of one {@linkplain HandshakeKind kind}.
	 */
	public record HandshakeDescriptor(String server, String context, String protocol, String cipherSuite, String group,
			long full, long resumed) {

		static HandshakeDescriptor of(HandshakeKind kind, HandshakeCount count) {
			return new HandshakeDescriptor(kind.server().name(), kind.server().context().toString(), kind.protocol(),
					kind.cipherSuite(), kind.group(), count.full(), count.resumed());
		}

	}

	/**
	 * The number of failed handshakes of one server with one
	 * {@linkplain FailedTlsHandshake.Reason reason}.
	 */
	public record FailedHandshakeDescriptor(String server, String context, String reason, long count) {

		static FailedHandshakeDescriptor of(FailedTlsHandshake handshake, Long count) {
			return new FailedHandshakeDescriptor(handshake.server().name(), handshake.server().context().toString(),
					handshake.reason().toString(), count);
		}

	}

	/**
	 * The configuration and the statistics of a cache.
	 *
	 * @param size the number of sessions that can resume; 0 with BoringSSL
	 * @param maximumSize the maximum number of sessions; 0 means no limit
	 * @param timeout the time from a full handshake during which its session can resume;
	 * zero means no limit, and {@code null} the timeout of the JDK or the server, at most
	 * 24 hours
	 * @param stats the statistics
	 */
	public record CacheDescriptor(long size, long maximumSize, @Nullable Duration timeout, SslSessionStats stats) {

		static CacheDescriptor of(SessionTokens tokens) {
			return new CacheDescriptor(tokens.estimatedSize(), tokens.maximumSize(), tokens.timeout(), tokens.stats());
		}

	}

}
