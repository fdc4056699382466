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

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.net.ssl.KeyManagerFactory;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.netty.NettyTlsServer;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.OpenSsl;
import io.netty.handler.ssl.SslContextBuilder;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;

import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.reactor.netty.NettyServerCustomizer;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.web.server.Http2;
import org.springframework.boot.web.server.Ssl;
import org.springframework.boot.web.server.Ssl.ServerNameSslBundle;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.WebServerSslBundle;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.util.StringUtils;

/**
 * Configures TLS for a Reactor Netty server, as {@link NettyTlsServer} does. Replaces
 * Spring Boot's TLS configuration, because Spring Boot does not expose its SSL contexts.
 */
final class NettySslCustomizer implements WebServerFactoryCustomizer<NettyReactiveWebServerFactory>, Ordered {

	private final ApplicationContext context;

	NettySslCustomizer(ApplicationContext context) {
		this.context = context;
	}

	/*
	 * Runs after all other factory customizers, because they can change the SSL settings.
	 * Removes the SSL settings, because Spring Boot would create its own SSL contexts
	 * from them. Spring Boot then selects HTTP protocols for a server without TLS, so
	 * secure(...) replaces these protocols. The application's server customizers can
	 * override the result of secure(...).
	 */
	@Override
	public void customize(NettyReactiveWebServerFactory factory) {
		Ssl ssl = factory.getSsl();
		if (ssl == null || !ssl.isEnabled()) {
			return;
		}
		ServerTls tls = ServerTls.of(this.context);
		if (isLeftToReactorNetty(tls)) {
			String unreached = new TlsServerId("netty", tls.context()) + " by Reactor Netty's engine";
			tls.servers().add(() -> Stream.of(unreached));
			return;
		}
		factory.setSsl(null);
		Source source = new Source(ssl, factory.getSslBundles(), factory.getHttp2());
		List<NettyServerCustomizer> customizers = new ArrayList<>();
		customizers.add((server) -> source.secure(server, tls));
		customizers.addAll(factory.getServerCustomizers());
		factory.setServerCustomizers(customizers);
	}

	/*
	 * Without a configured engine, Reactor Netty uses Netty's native TLS library if the
	 * library is available.
	 */
	private boolean isLeftToReactorNetty(ServerTls tls) {
		return !StringUtils.hasText(this.context.getEnvironment().getProperty(SslProperties.ENGINE))
				&& tls.engine() instanceof JdkTlsEngine && tls.engine().groups().isEmpty() && OpenSsl.isAvailable();
	}

	@Override
	public int getOrder() {
		return Ordered.LOWEST_PRECEDENCE;
	}

	private record Source(Ssl ssl, @Nullable SslBundles bundles, @Nullable Http2 http2) {

		HttpServer secure(HttpServer server, ServerTls tls) {
			Map<String, Supplier<GenericSslContextSpec<SslContextBuilder>>> specs = new HashMap<>();
			specs.put(TlsEngine.DEFAULT_HOST, () -> spec(WebServerSslBundle.get(this.ssl, this.bundles)));
			Map<String, List<String>> serverNames = new HashMap<>();
			if (StringUtils.hasText(this.ssl.getBundle())) {
				serverNames.put(this.ssl.getBundle(), new ArrayList<>(List.of(TlsEngine.DEFAULT_HOST)));
			}
			for (ServerNameSslBundle named : this.ssl.getServerNameBundles()) {
				specs.put(named.serverName(), () -> spec(requiredBundles().getBundle(named.bundle())));
				serverNames.computeIfAbsent(named.bundle(), (bundle) -> new ArrayList<>()).add(named.serverName());
			}
			NettyTlsServer netty = new NettyTlsServer(tls.engine(), tls.servers(), tls.context(), specs);
			serverNames.forEach((bundle, names) -> addBundleUpdateHandler(bundle, netty, names));
			return netty.secure(server.protocol(protocols()));
		}

		private GenericSslContextSpec<SslContextBuilder> spec(SslBundle bundle) {
			KeyManagerFactory keys = bundle.getManagers().getKeyManagerFactory();
			GenericSslContextSpec<SslContextBuilder> spec = isHttp2() ? Http2SslContextSpec.forServer(keys)
					: Http11SslContextSpec.forServer(keys);
			return spec.configure((builder) -> builder.trustManager(bundle.getManagers().getTrustManagerFactory())
				.protocols(bundle.getOptions().getEnabledProtocols())
				.ciphers(SslOptions.asSet(bundle.getOptions().getCiphers()))
				.clientAuth(Ssl.ClientAuth.map(this.ssl.getClientAuth(), ClientAuth.NONE, ClientAuth.OPTIONAL,
						ClientAuth.REQUIRE)));
		}

		private boolean isHttp2() {
			return this.http2 != null && this.http2.isEnabled();
		}

		HttpProtocol[] protocols() {
			return isHttp2() ? new HttpProtocol[] { HttpProtocol.HTTP11, HttpProtocol.H2 }
					: new HttpProtocol[] { HttpProtocol.HTTP11 };
		}

		/*
		 * The handler cannot be removed, so it references the server weakly.
		 */
		private void addBundleUpdateHandler(String bundle, NettyTlsServer server, List<String> serverNames) {
			WeakReference<NettyTlsServer> reference = new WeakReference<>(server);
			requiredBundles().addBundleUpdateHandler(bundle, (updated) -> reload(reference, serverNames));
		}

		private static void reload(WeakReference<NettyTlsServer> reference, List<String> serverNames) {
			NettyTlsServer server = reference.get();
			if (server != null) {
				server.reload(serverNames);
			}
		}

		private SslBundles requiredBundles() {
			return Objects.requireNonNull(this.bundles, "bundles must not be null");
		}

	}

}
