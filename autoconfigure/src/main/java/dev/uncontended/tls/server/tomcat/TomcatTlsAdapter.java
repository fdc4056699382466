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
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.openssl.OpenSSLStatus;
import org.jspecify.annotations.Nullable;

/**
 * Registers Tomcat's TLS connectors with {@link TlsServers}. A session cache size or
 * timeout set on a virtual host takes precedence over the limits of {@code TlsServers}.
 * <p>
 * Handshakes are not counted and session caches are not limited in these cases:
 * <ul>
 * <li>Tomcat uses OpenSSL by default.</li>
 * <li>The application has set a connector's SSL implementation.</li>
 * <li>The application has set an SSL context for a certificate. Only this SSL context is
 * affected. Its sessions cannot be ended.</li>
 * </ul>
 */
public final class TomcatTlsAdapter {

	private static final Logger logger = System.getLogger(TomcatTlsAdapter.class.getName());

	/*
	 * The SSL implementation, which Tomcat creates by class name, looks up its adapter
	 * here. The values are weak references, because an adapter indirectly references the
	 * keys.
	 */
	private static final Map<SSLHostConfig, WeakReference<TomcatTlsAdapter>> adapters = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId server;

	public TomcatTlsAdapter(TlsEngine engine, TlsServers servers, TlsServerId.Context context) {
		this.engine = engine;
		this.servers = servers;
		this.server = new TlsServerId("tomcat", context);
	}

	/**
	 * Registers a connector when it starts, and removes it when it stops. The connector
	 * uses direct buffers if the TLS engine {@linkplain TlsEngine#prefersDirectBuffers()
	 * prefers} them.
	 * @param connector the connector, which must not be initialized yet
	 * @param protocol the connector's protocol, with TLS
	 */
	public void connect(Connector connector, AbstractHttp11Protocol<?> protocol) {
		if (this.engine.prefersDirectBuffers()) {
			protocol.setProperty("socket.directBuffer", "true");
			protocol.setProperty("socket.directSslBuffer", "true");
		}
		TomcatTlsServer server = new TomcatTlsServer(protocol, this.server);
		connector.addLifecycleListener((event) -> onEvent(event, server));
	}

	/*
	 * Tomcat can create the SSL contexts during initialization or during the start.
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
		if (!isRenewable(protocol) && !this.engine.isReplaceable()) {
			throw new IllegalStateException("Failed to use %s for the connector %s: %s".formatted(this.engine,
					protocol.getName(),
					(protocol.getSslImplementationName() != null)
							? "the application has set the connector's SSL implementation "
									+ protocol.getSslImplementationName() + "; do not set it"
							: "Tomcat uses OpenSSL; remove the OpenSSLLifecycleListener or AprLifecycleListener"));
		}
		if (isRenewable(protocol)) {
			for (SSLHostConfig host : protocol.findSslHostConfigs()) {
				adapters.put(host, new WeakReference<>(this));
			}
		}
	}

	private static void reportExceptions(AbstractHttp11Protocol<?> protocol) {
		if (!isRenewable(protocol)) {
			logger.log(Level.INFO,
					"TLS handshakes of connector {0} are not recorded: it uses OpenSSL, or the application"
							+ " has set its SSL implementation",
					protocol.getName());
		}
		if (hasOwnContext(protocol)) {
			logger.log(Level.WARNING,
					"TLS sessions of {0} do not end with all others: the application has set its SSL context",
					protocol.getName());
		}
	}

	private static boolean hasOwnContext(AbstractHttp11Protocol<?> protocol) {
		return certificates(protocol)
			.anyMatch((certificate) -> certificate.getSslContext() != certificate.getSslContextGenerated());
	}

	private static Stream<SSLHostConfigCertificate> certificates(AbstractHttp11Protocol<?> protocol) {
		return Stream.of(protocol.findSslHostConfigs()).flatMap((host) -> host.getCertificates().stream());
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

	private record TomcatTlsServer(AbstractHttp11Protocol<?> protocol, TlsServerId id) implements TlsServer {

		@Override
		public Stream<String> unreached() {
			if (!isRenewable(this.protocol)) {
				return Stream.of(this.id + " by OpenSSL or the application's SSL implementation");
			}
			return hasOwnContext(this.protocol) ? Stream.of(this.id + " by the application's SSL context")
					: Stream.empty();
		}

		@Override
		public Stream<RenewableSslContext> contexts() {
			return certificates(this.protocol).map(SSLHostConfigCertificate::getSslContext)
				.filter(TomcatSslContext.class::isInstance)
				.map((context) -> ((TomcatSslContext) context).renewable());
		}

		/*
		 * Reloading replaces the SSL contexts of the virtual hosts, even if no
		 * configuration has changed.
		 */
		@Override
		public void endAll() {
			if (isRenewable(this.protocol)) {
				TlsServer.super.endAll();
			}
			else {
				this.protocol.reloadSslHostConfigs();
			}
		}

	}

}
