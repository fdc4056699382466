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

package dev.uncontended.autoconfigure.ssl;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsEngine;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.TlsServerId;
import dev.uncontended.tls.netty.NettyTlsServer;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.reactor.netty.SslServerCustomizer;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ServerNameSslBundle;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.util.Assert;
import org.springframework.util.StringUtils;

/**
 * Gives a Reactor Netty server the TLS that Boot gives to it, made from the same bundles
 * by the same code, but connected to a {@link SslSessionCache}. Boot's own cannot be
 * connected as it is, since it hides its SSL contexts.
 */
final class NettySslCustomizer implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory> {

	private final TlsEngine engine;

	private final TlsHandshakes handshakes;

	private final TlsServerId.Context context;

	NettySslCustomizer(TlsEngine engine, TlsHandshakes handshakes, TlsServerId.Context context) {
		this.engine = engine;
		this.handshakes = handshakes;
		this.context = context;
	}

	/*
	 * First, so that a customizer of the application that secures the server in its own
	 * way has the last word.
	 */
	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		List<NettyServerCustomizer> customizers = new ArrayList<>();
		customizers.add((server) -> secure(server, factory));
		customizers.addAll(factory.getServerCustomizers());
		factory.setServerCustomizers(customizers);
	}

	private HttpServer secure(HttpServer server, NettyReactiveWebServerFactory factory) {
		Ssl ssl = factory.getSsl();
		if (ssl == null || !ssl.isEnabled()) {
			return server;
		}
		Source source = new Source(ssl, factory.getSslBundles(), factory.getHttp2());
		NettyTlsServer tls = new NettyTlsServer(this.engine, this.handshakes, this.context, source::specs);
		source.addBundleUpdateHandler(tls::reload);
		return tls.secure(server);
	}

	private record Source(Ssl ssl, @Nullable SslBundles bundles, @Nullable Http2 http2) {

		NettyTlsServer.Specs specs() {
			SslBundle bundle = WebServerSslBundle.get(this.ssl, this.bundles);
			SpecFactory factory = new SpecFactory(this.http2, this.ssl, bundle);
			Map<String, GenericSslContextSpec<SslContextBuilder>> byServerName = new HashMap<>();
			for (ServerNameSslBundle named : this.ssl.getServerNameBundles()) {
				byServerName.put(named.serverName(), factory.create(requiredBundles().getBundle(named.bundle())));
			}
			return new NettyTlsServer.Specs(factory.create(bundle), byServerName);
		}

		void addBundleUpdateHandler(Runnable handler) {
			if (StringUtils.hasText(this.ssl.getBundle())) {
				requiredBundles().addBundleUpdateHandler(this.ssl.getBundle(), (updated) -> handler.run());
			}
			this.ssl.getServerNameBundles()
				.forEach((named) -> requiredBundles().addBundleUpdateHandler(named.bundle(),
						(updated) -> handler.run()));
		}

		private SslBundles requiredBundles() {
			Assert.state(this.bundles != null, "'bundles' must not be null");
			return this.bundles;
		}

	}

	/**
	 * Opens up Boot's code.
	 */
	private static final class SpecFactory extends SslServerCustomizer {

		SpecFactory(@Nullable Http2 http2, Ssl ssl, SslBundle bundle) {
			super(http2, ssl.getClientAuth(), bundle, Map.of());
		}

		@SuppressWarnings("unchecked") // As Reactor Netty's specs for HTTP are
		GenericSslContextSpec<SslContextBuilder> create(SslBundle bundle) {
			return (GenericSslContextSpec<SslContextBuilder>) createSslContextSpec(bundle);
		}

	}

}
