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

package dev.uncontended.tls.server.jetty;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.Provider;
import java.security.Security;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.SslContextProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.internal.Failures;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * Registers Jetty's TLS connectors with {@link TlsServers}. A session cache size or
 * timeout set on a connector takes precedence over the limits of {@code TlsServers}.
 * <p>
 * If the application has set a security provider or an SSL context on a connector,
 * handshakes are not counted and the session cache is not limited. Sessions of an SSL
 * context set by the application cannot be ended.
 */
public final class JettyTlsAdapter {

	private static final Logger logger = System.getLogger(JettyTlsAdapter.class.getName());

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId server;

	public JettyTlsAdapter(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {
		this.engine = engine;
		this.servers = servers;
		this.server = new TlsServerId("jetty", context);
	}

	/**
	 * Registers a connector when its TLS starts, and removes it when its TLS stops. The
	 * connector uses the client's order of cipher suites if the TLS engine
	 * {@linkplain TlsEngine#prefersCipherSuiteOrderOfClients() prefers} this order, and
	 * direct buffers if the TLS engine {@linkplain TlsEngine#prefersDirectBuffers()
	 * prefers} them.
	 * @param connections the TLS of the connector, which must not be started yet
	 */
	public void connect(SslConnectionFactory connections) {
		SslContextFactory.Server contextFactory = connections.getSslContextFactory();
		if (this.engine.prefersDirectBuffers()) {
			connections.setDirectBuffersForEncryption(true);
			connections.setDirectBuffersForDecryption(true);
		}
		if (this.engine.prefersCipherSuiteOrderOfClients()) {
			contextFactory.setUseCipherSuitesOrder(false);
		}
		contextFactory.addEventListener(new JettyTlsServer(contextFactory));
	}

	/**
	 * Registers an {@link SslContextProvider} in the JVM while a connector runs, because
	 * Jetty looks up security providers by name.
	 */
	private final class JettyTlsServer implements TlsServer, LifeCycle.Listener {

		private final SslContextFactory.Server contextFactory;

		private @Nullable Provider provider;

		/** Whether the application has set an SSL context. */
		private volatile boolean ownContext;

		private volatile @Nullable RenewableSslContext latest;

		/** Connections accepted before a reload use an earlier context. */
		private final Set<RenewableSslContext> all = Collections
			.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

		JettyTlsServer(SslContextFactory.Server contextFactory) {
			this.contextFactory = contextFactory;
		}

		@Override
		public void lifeCycleStarting(LifeCycle event) {
			if (this.contextFactory.getProvider() == null && this.contextFactory.getSslContext() == null) {
				this.provider = register();
				this.contextFactory.setProvider(this.provider.getName());
			}
			else {
				logger.log(Level.INFO,
						"TLS handshakes of {0} are not recorded: the application has set a security provider or an SSL context",
						this.contextFactory);
			}
			this.ownContext = this.provider == null && this.contextFactory.getSslContext() != null;
			if (this.ownContext) {
				logger.log(Level.WARNING,
						"TLS sessions of {0} do not end with all others: the application has set its SSL context",
						this.contextFactory);
			}
			JettyTlsAdapter.this.servers.add(this);
		}

		@Override
		public void lifeCycleStarted(LifeCycle event) {
			if (this.provider != null) {
				RenewableSslContext.verify(this.contextFactory.newSSLEngine());
			}
		}

		@Override
		public void lifeCycleFailure(LifeCycle event, Throwable cause) {
			lifeCycleStopped(event);
		}

		@Override
		public void lifeCycleStopped(LifeCycle event) {
			JettyTlsAdapter.this.servers.remove(this);
			Provider provider = this.provider;
			if (provider != null) {
				Security.removeProvider(provider.getName());
				this.contextFactory.setProvider(null);
				this.provider = null;
				this.latest = null;
				this.all.clear();
			}
		}

		private Provider register() {
			for (int number = 1;; number++) {
				Provider provider = new SslContextProvider("UncontendedJetty" + number, this::createContext);
				if (Security.addProvider(provider) != -1) {
					return provider;
				}
			}
		}

		private RenewableSslContext createContext(String protocol) {
			RenewableSslContext context = JettyTlsAdapter.this.servers.createContext(JettyTlsAdapter.this.engine,
					protocol, JettyTlsAdapter.this.server);
			this.latest = context;
			this.all.add(context);
			return context;
		}

		@Override
		public Stream<RenewableSslContext> contexts() {
			return Stream.ofNullable(this.latest);
		}

		@Override
		public Stream<String> reached() {
			return (this.provider != null || this.ownContext) ? TlsServer.super.reached()
					: Stream.of(JettyTlsAdapter.this.server + " by the application's security provider");
		}

		@Override
		public Stream<String> unreached() {
			return this.ownContext ? Stream.of(JettyTlsAdapter.this.server + " by the application's SSL context")
					: Stream.empty();
		}

		@Override
		public void endAll() {
			if (this.provider != null) {
				Failures failures = new Failures();
				List.copyOf(this.all).forEach((context) -> failures.collect(context::endSessions));
				failures.rethrow();
			}
			else if (this.contextFactory.isStarted()) {
				reload();
			}
		}

		private void reload() {
			try {
				this.contextFactory.reload((factory) -> {
				});
			}
			catch (Exception ex) {
				throw new IllegalStateException("Failed to replace the SSL context of Jetty", ex);
			}
		}

	}

}
