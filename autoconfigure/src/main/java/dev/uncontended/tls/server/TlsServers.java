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

package dev.uncontended.tls.server;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArraySet;
import java.util.function.Function;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionTokens;

/**
 * The running TLS servers of an application. An {@link SslSessionCache} limits and ends
 * their sessions, and {@link TlsHandshakes} counts their handshakes. Thread-safe.
 */
public final class TlsServers {

	private final SessionTokens sessionTokens;

	private final TlsHandshakes handshakes;

	private final Set<TlsServer> servers = new CopyOnWriteArraySet<>();

	public TlsServers(SessionTokens sessionTokens, TlsHandshakes handshakes) {
		this.sessionTokens = sessionTokens;
		this.handshakes = handshakes;
	}

	/**
	 * Creates an SSL context that reports its handshakes. The server must initialize the
	 * context.
	 */
	public RenewableSslContext createContext(TlsEngine engine, String protocol, TlsServerId server) {
		return new RenewableSslContext(engine, protocol, server, this.handshakes);
	}

	/**
	 * Registers a server, and warns of its unmanaged parts.
	 */
	public void add(TlsServer server) {
		this.servers.add(server);
		server.unreached()
			.forEach((name) -> System.getLogger(TlsServers.class.getName())
				.log(Level.WARNING, "TLS of {0} is not managed: its handshakes are not counted, and its sessions do not"
						+ " end with all others.", name));
	}

	public void remove(TlsServer server) {
		this.servers.remove(server);
	}

	/**
	 * Returns the renewable SSL contexts that the registered servers currently use for
	 * new connections.
	 */
	public Stream<RenewableSslContext> contexts() {
		return this.servers.stream().flatMap(TlsServer::contexts);
	}

	/**
	 * Returns the names of the servers whose sessions {@link SslSessionCache#endAll()}
	 * ends, sorted and without duplicates.
	 */
	public List<String> reached() {
		return names((server) -> server.reached().keySet().stream());
	}

	/**
	 * Returns the names of the servers whose sessions {@link SslSessionCache#endAll()}
	 * does not end, sorted and without duplicates.
	 */
	public List<String> unreached() {
		return names(TlsServer::unreached);
	}

	/**
	 * Returns where the sessions of the running servers are, in words, by the names of
	 * the servers. Empty if no server with TLS is running.
	 */
	public Map<String, String> sessions() {
		Map<String, String> sessions = new TreeMap<>();
		unreached().forEach((name) -> sessions.put(name, "outside the session cache"));
		this.servers.forEach((server) -> sessions.putAll(server.reached()));
		return sessions;
	}

	/**
	 * Returns the IANA names of the groups that the servers may use; empty if unknown.
	 */
	public List<String> groups() {
		return contexts().flatMap((context) -> context.groups().stream()).distinct().toList();
	}

	/**
	 * Returns the session cache of the servers.
	 */
	public SessionTokens sessionTokens() {
		return this.sessionTokens;
	}

	/**
	 * Returns the counts of the servers' handshakes.
	 */
	public TlsHandshakes handshakes() {
		return this.handshakes;
	}

	private List<String> names(Function<TlsServer, Stream<String>> names) {
		return this.servers.stream().flatMap(names).distinct().sorted().toList();
	}

}
