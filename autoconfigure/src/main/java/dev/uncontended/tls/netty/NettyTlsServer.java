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

package dev.uncontended.tls.netty;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.TlsServer;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

/**
 * The TLS of a Reactor Netty server, connected to a {@link SslSessionCache}: its
 * handshakes are reported, the limits of the cache are those of its own session caches
 * too, and when all sessions are invalidated, it starts afresh.
 * <p>
 * Reactor Netty takes the SSL contexts of a server once and for all, but asks for the one
 * of each connection. So this class holds them, and answers.
 * <p>
 * The handshakes of an OpenSSL context are not reported: its sessions tell when they were
 * created only to the second, which does not tell whether a handshake resumed one.
 */
public final class NettyTlsServer implements TlsServer {

	private static final String SERVER = "netty";

	private final SslSessionCache sessions;

	private final TlsHandshakes handshakes;

	private final Supplier<Specs> source;

	private volatile Providers providers;

	/**
	 * Create the TLS of a server, and have it follow the cache.
	 * @param sessions the cache whose limits to apply and whose invalidation to follow
	 * @param handshakes where to report the handshakes
	 * @param source gives what new SSL contexts are made from
	 * @throws IllegalStateException if an SSL context cannot be made
	 */
	public NettyTlsServer(SslSessionCache sessions, TlsHandshakes handshakes, Supplier<Specs> source) {
		this.sessions = Objects.requireNonNull(sessions, "sessions must not be null");
		this.handshakes = Objects.requireNonNull(handshakes, "handshakes must not be null");
		this.source = Objects.requireNonNull(source, "source must not be null");
		this.providers = createProviders();
		this.handshakes.addServer(this);
	}

	/**
	 * Secure the given server.
	 * @param server the server
	 * @return the server with this TLS
	 */
	public HttpServer secure(HttpServer server) {
		return server.secure((spec) -> spec.sslContext(this.providers.any().getSslContext())
			.setSniAsyncMappings((serverName, promise) -> promise.setSuccess(this.providers.of(serverName))));
	}

	@Override
	public Stream<SSLSessionContext> sessionContexts() {
		return this.providers.all().map((provider) -> provider.getSslContext().sessionContext());
	}

	@Override
	public void invalidateAll() {
		this.providers = createProviders();
	}

	private Providers createProviders() {
		Specs specs = this.source.get();
		Map<String, SslProvider> byServerName = new HashMap<>();
		specs.byServerName().forEach((serverName, spec) -> byServerName.put(serverName, createProvider(spec)));
		return new Providers(createProvider(specs.any()), byServerName);
	}

	private SslProvider createProvider(GenericSslContextSpec<?> spec) {
		SslContext context = createContext(spec);
		this.sessions.configure(context.sessionContext());
		SslProvider.Builder builder = SslProvider.builder().sslContext(context);
		if (context instanceof JdkSslContext) {
			builder.handlerConfigurator(this::reportHandshake);
		}
		return builder.build();
	}

	private static SslContext createContext(GenericSslContextSpec<?> spec) {
		try {
			return spec.sslContext();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("Failed to create an SSL context for Reactor Netty", ex);
		}
	}

	private void reportHandshake(SslHandler handler) {
		long startedAt = System.currentTimeMillis();
		handler.handshakeFuture().addListener((future) -> {
			if (future.isSuccess()) {
				this.handshakes.completed(SERVER, handler.engine().getSession(), startedAt);
			}
		});
	}

	/**
	 * What the SSL contexts of a server are made from.
	 *
	 * @param any for connections to any server name that is not named
	 * @param byServerName for connections to these server names
	 */
	public record Specs(GenericSslContextSpec<?> any, Map<String, ? extends GenericSslContextSpec<?>> byServerName) {

	}

	private record Providers(SslProvider any, Map<String, SslProvider> byServerName) {

		SslProvider of(@Nullable String serverName) {
			return (serverName != null) ? this.byServerName.getOrDefault(serverName, this.any) : this.any;
		}

		Stream<SslProvider> all() {
			return Stream.concat(Stream.of(this.any), this.byServerName.values().stream());
		}

	}

}
