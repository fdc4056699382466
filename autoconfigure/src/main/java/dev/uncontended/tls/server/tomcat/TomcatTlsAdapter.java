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
 * Registers the TLS connectors of Tomcat with {@link TlsServers}: their handshakes are
 * reported, their session caches follow its limits unless a host has its own, and their
 * sessions end with all others.
 * <p>
 * A connector without TLS is left as it is, and so is one that does not use Tomcat's
 * default JSSE implementation, such as one that uses OpenSSL.
 */
public final class TomcatTlsAdapter {

	private static final Logger logger = System.getLogger(TomcatTlsAdapter.class.getName());

	/*
	 * Tomcat makes the SSL implementation by the name of its class, so the adapter has to
	 * be found from what Tomcat hands to it, the configuration of a host. All is held
	 * weakly: an adapter leads to its connectors and on to the keys of this map.
	 */
	private static final Map<SSLHostConfig, WeakReference<TomcatTlsAdapter>> adapters = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId server;

	/**
	 * Creates an adapter.
	 * @param engine the TLS implementation
	 * @param servers the registry of the running servers
	 * @param context the application context that the connectors belong to
	 */
	public TomcatTlsAdapter(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {
		this.engine = Objects.requireNonNull(engine, "engine must not be null");
		this.servers = Objects.requireNonNull(servers, "servers must not be null");
		this.server = new TlsServerId("tomcat", context);
	}

	/**
	 * Connects the given connector, which has not been initialized yet, for as long as it
	 * runs.
	 * @param connector the connector, with or without TLS
	 */
	public void connect(Connector connector) {
		if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol && protocol.isSSLEnabled()) {
			connector.addLifecycleListener((event) -> onEvent(event, protocol));
		}
	}

	/*
	 * Tomcat binds a connector, and makes its SSL contexts, as it initializes or as it
	 * starts it. The hosts and the choice of the SSL implementation are final no earlier
	 * than that.
	 */
	private void onEvent(LifecycleEvent event, AbstractHttp11Protocol<?> protocol) {
		switch (event.getType()) {
			case Lifecycle.BEFORE_INIT_EVENT -> prepare(protocol);
			case Lifecycle.BEFORE_START_EVENT -> {
				prepare(protocol);
				this.servers.add(new TomcatTlsServer(protocol));
			}
			case Lifecycle.AFTER_STOP_EVENT, Lifecycle.AFTER_DESTROY_EVENT ->
				this.servers.remove(new TomcatTlsServer(protocol));
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
		else {
			logger.log(Level.INFO, "TLS handshakes of connector {0} are not recorded: it does not use the default SSL"
					+ " implementation", protocol.getName());
		}
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
		 * For an SSL implementation of the application's choice: to reload the
		 * configuration of a host makes a new SSL context of it, whether or not it has
		 * changed.
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
