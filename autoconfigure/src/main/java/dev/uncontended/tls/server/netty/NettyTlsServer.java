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

package dev.uncontended.tls.server.netty;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.SslContextProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

/**
 * Configures TLS for a Reactor Netty server, and registers the server with
 * {@link TlsServers}.
 * <p>
 * Reactor Netty cannot replace the SSL contexts of a running server. This class therefore
 * selects an SSL context for each connection.
 */
public final class NettyTlsServer implements TlsServer {

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId server;

	private final Map<String, Supplier<GenericSslContextSpec<SslContextBuilder>>> specs;

	/** By server name. The key of clients without a known name is the default host. */
	private final Map<String, Host> hosts = new ConcurrentHashMap<>();

	private @Nullable DisposableServer bound;

	/**
	 * Creates an instance for one server.
	 * @param specs supply the specifications of SSL contexts by server name (SNI), also
	 * for reloads; with {@link TlsEngine#DEFAULT_HOST} for other server names
	 * @throws IllegalStateException if creating an SSL context fails
	 */
	public NettyTlsServer(TlsEngine engine, TlsServers servers, TlsServerId.Context context,
			Map<String, Supplier<GenericSslContextSpec<SslContextBuilder>>> specs) {
		this.engine = engine;
		this.servers = servers;
		this.server = new TlsServerId("netty", context);
		this.specs = Map.copyOf(specs);
		reload(specs.keySet());
	}

	/**
	 * Returns the given server with TLS. Registers the server when it is bound, and
	 * removes it when it is unbound.
	 */
	public HttpServer secure(HttpServer server) {
		return server
			.secure((spec) -> spec.sslContext(host(null).provider().getSslContext())
				.setSniAsyncMappings((serverName, promise) -> promise.setSuccess(host(serverName).provider())))
			.doOnBind((configuration) -> this.servers.add(this))
			.doOnBound(this::bound)
			.doOnUnbound(this::unbound);
	}

	/*
	 * Reactor Netty can report an unbound server while or after another is bound in its
	 * place.
	 */
	private synchronized void bound(DisposableServer bound) {
		this.bound = bound;
		this.servers.add(this);
	}

	private synchronized void unbound(DisposableServer unbound) {
		if (unbound == this.bound) {
			this.bound = null;
			this.servers.remove(this);
		}
	}

	private Host host(@Nullable String serverName) {
		Host host = (serverName != null) ? this.hosts.get(serverName) : null;
		return (host != null) ? host : Objects.requireNonNull(this.hosts.get(TlsEngine.DEFAULT_HOST));
	}

	/**
	 * Replaces SSL contexts, for example to use a new certificate. On failure, all
	 * current contexts stay in use.
	 * @param serverNames the server names whose contexts are replaced
	 * @throws IllegalStateException if creating an SSL context fails
	 */
	public void reload(Collection<String> serverNames) {
		Map<String, Host> created = new HashMap<>();
		serverNames.forEach((serverName) -> created.put(serverName, createHost(serverName)));
		this.hosts.putAll(created);
	}

	@Override
	public Stream<RenewableSslContext> contexts() {
		return this.hosts.values().stream().flatMap((host) -> host.contexts().stream());
	}

	@Override
	public Stream<String> unreached() {
		return Stream.empty();
	}

	private Host createHost(String serverName) {
		TlsEngine engine = this.engine.forHost(serverName);
		List<RenewableSslContext> contexts = new ArrayList<>();
		GenericSslContextSpec<SslContextBuilder> spec = Objects.requireNonNull(this.specs.get(serverName)).get();
		spec.configure((builder) -> builder.sslProvider(io.netty.handler.ssl.SslProvider.JDK)
			.sslContextProvider(new SslContextProvider("UncontendedNetty", (protocol) -> {
				RenewableSslContext context = this.servers.createContext(engine, protocol, this.server);
				contexts.add(context);
				return context;
			})));
		try {
			SslContext context = spec.sslContext();
			List<String> protocols = context.applicationProtocolNegotiator().protocols();
			contexts.forEach((renewable) -> renewable.setApplicationProtocols(protocols));
			RenewableSslContext.verify(context.newEngine(ByteBufAllocator.DEFAULT));
			return new Host(SslProvider.builder().sslContext(context).build(), List.copyOf(contexts));
		}
		catch (SSLException ex) {
			throw new IllegalStateException("Failed to create an SSL context for Reactor Netty", ex);
		}
	}

	private record Host(SslProvider provider, List<RenewableSslContext> contexts) {

	}

}
