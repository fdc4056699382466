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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

	private final Supplier<Specs> source;

	private volatile Providers providers;

	private @Nullable DisposableServer bound;

	/**
	 * Creates an instance for one server.
	 * @param source supplies the specifications of SSL contexts, also in
	 * {@link #reload()}
	 * @throws IllegalStateException if creating an SSL context fails
	 */
	public NettyTlsServer(TlsEngine engine, TlsServers servers, TlsServerId.Context context, Supplier<Specs> source) {
		this.engine = engine;
		this.servers = servers;
		this.server = new TlsServerId("netty", context);
		this.source = source;
		this.providers = createProviders();
	}

	/**
	 * Returns the given server with TLS. Registers the server when it is bound, and
	 * removes it when it is unbound.
	 */
	public HttpServer secure(HttpServer server) {
		return server
			.secure((spec) -> spec.sslContext(this.providers.any().getSslContext())
				.setSniAsyncMappings((serverName, promise) -> promise.setSuccess(this.providers.of(serverName))))
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

	/**
	 * Replaces the SSL contexts, for example to use a new certificate. On failure, the
	 * current contexts stay in use.
	 * @throws IllegalStateException if creating an SSL context fails
	 */
	public void reload() {
		this.providers = createProviders();
	}

	@Override
	public Stream<RenewableSslContext> contexts() {
		return this.providers.contexts().stream();
	}

	@Override
	public Stream<String> unreached() {
		return Stream.empty();
	}

	private Providers createProviders() {
		Specs specs = this.source.get();
		List<RenewableSslContext> contexts = new ArrayList<>();
		Map<String, SslProvider> byServerName = new HashMap<>();
		specs.byServerName()
			.forEach((serverName, spec) -> byServerName.put(serverName, createProvider(serverName, spec, contexts)));
		return new Providers(createProvider(TlsEngine.DEFAULT_HOST, specs.any(), contexts), byServerName,
				List.copyOf(contexts));
	}

	private SslProvider createProvider(String host, GenericSslContextSpec<SslContextBuilder> spec,
			List<RenewableSslContext> contexts) {
		TlsEngine engine = this.engine.forHost(host);
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
			return SslProvider.builder().sslContext(context).build();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("Failed to create an SSL context for Reactor Netty", ex);
		}
	}

	/**
	 * The specifications of a server's SSL contexts.
	 *
	 * @param any the specification for connections whose server name (SNI) is missing or
	 * not in {@code byServerName}
	 * @param byServerName the specifications by server name
	 */
	public record Specs(GenericSslContextSpec<SslContextBuilder> any,
			Map<String, GenericSslContextSpec<SslContextBuilder>> byServerName) {

	}

	private record Providers(SslProvider any, Map<String, SslProvider> byServerName,
			List<RenewableSslContext> contexts) {

		SslProvider of(@Nullable String serverName) {
			return (serverName != null) ? this.byServerName.getOrDefault(serverName, this.any) : this.any;
		}

	}

}
