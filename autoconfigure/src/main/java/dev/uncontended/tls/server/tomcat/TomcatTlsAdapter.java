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

package dev.uncontended.tls.server.tomcat;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.jni.AprStatus;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.openssl.OpenSSLStatus;
import org.jspecify.annotations.Nullable;

/**
 * Registers Tomcat's TLS connectors with {@link TlsServers}. Their handshakes are
 * reported. Their session caches have the size and timeout configured for all servers,
 * unless a host configures its own. When the application's session cache invalidates all
 * sessions, it also invalidates the sessions of the connectors.
 * <p>
 * Connectors without TLS are not affected. If a connector uses another implementation
 * than Tomcat's default JSSE implementation, such as OpenSSL, handshakes are not reported
 * and limits do not apply. The sessions can still be invalidated. If the application has
 * set an SSL context itself, the sessions of this context cannot be invalidated.
 */
public final class TomcatTlsAdapter {

	private static final Logger logger = System.getLogger(TomcatTlsAdapter.class.getName());

	/*
	 * The adapters by host. Tomcat creates the SSL implementation by class name, so the
	 * implementation finds its adapter through the configuration of a host. All
	 * references are weak, because an adapter reaches its connectors and thereby the keys
	 * of this map.
	 */
	private static final Map<SSLHostConfig, WeakReference<TomcatTlsAdapter>> adapters = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId server;

	/**
	 * Creates an adapter.
	 * @param engine the TLS engine
	 * @param servers the registry of running servers
	 * @param context the application context of the connectors
	 */
	public TomcatTlsAdapter(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {
		this.engine = Objects.requireNonNull(engine, "engine must not be null");
		this.servers = Objects.requireNonNull(servers, "servers must not be null");
		this.server = new TlsServerId("tomcat", context);
	}

	/**
	 * Registers a connector while it runs.
	 * @param connector the connector, which has not been initialized yet, with or without
	 * TLS
	 */
	public void connect(Connector connector) {
		if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol && protocol.isSSLEnabled()) {
			TomcatTlsServer server = new TomcatTlsServer(protocol);
			connector.addLifecycleListener((event) -> onEvent(event, server));
		}
	}

	/*
	 * Prepares the connector before Tomcat initializes it and before Tomcat starts it,
	 * because either step may create the SSL contexts. Until then, the hosts and the SSL
	 * implementation may change.
	 */
	private void onEvent(LifecycleEvent event, TomcatTlsServer server) {
		switch (event.getType()) {
			case Lifecycle.BEFORE_INIT_EVENT -> prepare(server.protocol());
			case Lifecycle.BEFORE_START_EVENT -> {
				prepare(server.protocol());
				reportExceptions(server.protocol());
				this.servers.add(server);
			}
			case Lifecycle.AFTER_STOP_EVENT, Lifecycle.AFTER_DESTROY_EVENT -> this.servers.remove(server);
			default -> {
			}
		}
	}

	private void prepare(AbstractHttp11Protocol<?> protocol) {
		if (protocol.getSslImplementationName() == null && !isOpenSslTheDefault()) {
			protocol.setSslImplementationName(RenewableSslImplementation.class.getName());
		}
		if (isRenewable(protocol)) {
			for (SSLHostConfig host : protocol.findSslHostConfigs()) {
				adapters.put(host, new WeakReference<>(this));
			}
		}
	}

	private static void reportExceptions(AbstractHttp11Protocol<?> protocol) {
		if (!isRenewable(protocol)) {
			logger.log(Level.INFO, "TLS handshakes of connector {0} are not recorded: it does not use Tomcat's default"
					+ " SSL implementation", protocol.getName());
		}
		if (hasOwnContext(protocol)) {
			logger.log(Level.WARNING, TlsServer.OWN_CONTEXT, protocol.getName());
		}
	}

	private static boolean hasOwnContext(AbstractHttp11Protocol<?> protocol) {
		return Stream.of(protocol.findSslHostConfigs())
			.flatMap((host) -> host.getCertificates().stream())
			.anyMatch((certificate) -> certificate.getSslContext() != certificate.getSslContextGenerated());
	}

	private static boolean isRenewable(AbstractHttp11Protocol<?> protocol) {
		return RenewableSslImplementation.class.getName().equals(protocol.getSslImplementationName());
	}

	private static boolean isOpenSslTheDefault() {
		return (OpenSSLStatus.getUseOpenSSL() && OpenSSLStatus.isAvailable())
				|| (AprStatus.getUseOpenSSL() && AprStatus.isAprAvailable());
	}

	static @Nullable TomcatTlsAdapter of(SSLHostConfig host) {
		WeakReference<TomcatTlsAdapter> adapter = adapters.get(host);
		return (adapter != null) ? adapter.get() : null;
	}

	RenewableSslContext createContext(SSLHostConfig host) {
		return this.servers.createContext(this.engine.forHost(host.getHostName()), host.getSslProtocol(), this.server);
	}

	private record TomcatTlsServer(AbstractHttp11Protocol<?> protocol) implements TlsServer {

		@Override
		public Stream<RenewableSslContext> contexts() {
			return Stream.of(this.protocol.findSslHostConfigs())
				.flatMap((host) -> host.getCertificates().stream())
				.flatMap((certificate) -> (certificate.getSslContext() instanceof TomcatSslContext context)
						? Stream.of(context.renewable()) : Stream.empty());
		}

		/*
		 * Invalidates all sessions. With another SSL implementation, reloading the
		 * configuration of a host replaces its SSL contexts, even if nothing has changed.
		 * Contexts that the application has set stay in use.
		 */
		@Override
		public void invalidateAll() {
			if (isRenewable(this.protocol)) {
				TlsServer.super.invalidateAll();
			}
			else {
				this.protocol.reloadSslHostConfigs();
			}
		}

	}

}
