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
import org.apache.catalina.LifecycleListener;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.jni.AprStatus;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.openssl.OpenSSLStatus;
import org.jspecify.annotations.Nullable;

/**
 * A TLS connector of Tomcat. Registers itself with {@link TlsServers} when the connector
 * starts, and removes itself when the connector stops.
 * <p>
 * TLS is not managed if Tomcat uses OpenSSL by default, or if the application has set the
 * connector's SSL implementation or an SSL context for a certificate.
 */
public final class TomcatTlsServer implements TlsServer, LifecycleListener {

	/*
	 * The SSL implementation, which Tomcat creates by class name, looks up its connector
	 * here. The values are weak references, because a connector indirectly references the
	 * keys.
	 */
	private static final Map<SSLHostConfig, WeakReference<TomcatTlsServer>> connectors = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId id;

	private final AbstractHttp11Protocol<?> protocol;

	/**
	 * Creates an instance for one connector, which uses direct buffers if the TLS engine
	 * is {@linkplain TlsEngine#isNative() native}.
	 * @param connector the connector, which must not be initialized yet
	 * @param protocol the connector's protocol, with TLS
	 */
	public TomcatTlsServer(TlsEngine engine, TlsServers servers, TlsServerId.Context context, Connector connector,
			AbstractHttp11Protocol<?> protocol) {
		this.engine = engine;
		this.servers = servers;
		this.id = new TlsServerId("tomcat", context);
		this.protocol = protocol;
		if (engine.isNative()) {
			protocol.setProperty("socket.directBuffer", "true");
			protocol.setProperty("socket.directSslBuffer", "true");
		}
		connector.addLifecycleListener(this);
	}

	/*
	 * Tomcat can create the SSL contexts during initialization or during the start.
	 */
	@Override
	public void lifecycleEvent(LifecycleEvent event) {
		switch (event.getType()) {
			case Lifecycle.BEFORE_INIT_EVENT -> prepare();
			case Lifecycle.BEFORE_START_EVENT -> {
				prepare();
				this.servers.add(this);
			}
			case Lifecycle.AFTER_STOP_EVENT, Lifecycle.AFTER_DESTROY_EVENT -> this.servers.remove(this);
			default -> {
			}
		}
	}

	private void prepare() {
		if (this.protocol.getSslImplementationName() == null && !isOpenSslTheDefault()) {
			this.protocol.setSslImplementationName(RenewableSslImplementation.class.getName());
		}
		if (isRenewable()) {
			for (SSLHostConfig host : this.protocol.findSslHostConfigs()) {
				connectors.put(host, new WeakReference<>(this));
			}
		}
		else if (this.engine.isNative()) {
			throw new IllegalStateException("Failed to use %s for the connector %s: %s".formatted(this.engine,
					this.protocol.getName(),
					(this.protocol.getSslImplementationName() != null)
							? "the application has set the connector's SSL implementation "
									+ this.protocol.getSslImplementationName() + "; do not set it"
							: "Tomcat uses OpenSSL; remove the OpenSSLLifecycleListener or AprLifecycleListener"));
		}
	}

	private boolean hasOwnContext() {
		return certificates()
			.anyMatch((certificate) -> certificate.getSslContext() != certificate.getSslContextGenerated());
	}

	private Stream<SSLHostConfigCertificate> certificates() {
		return Stream.of(this.protocol.findSslHostConfigs()).flatMap((host) -> host.getCertificates().stream());
	}

	private boolean isRenewable() {
		return RenewableSslImplementation.class.getName().equals(this.protocol.getSslImplementationName());
	}

	private static boolean isOpenSslTheDefault() {
		return (OpenSSLStatus.getUseOpenSSL() && OpenSSLStatus.isAvailable())
				|| (AprStatus.getUseOpenSSL() && AprStatus.isAprAvailable());
	}

	static @Nullable TomcatTlsServer of(SSLHostConfig host) {
		WeakReference<TomcatTlsServer> connector = connectors.get(host);
		return (connector != null) ? connector.get() : null;
	}

	RenewableSslContext createContext(SSLHostConfig host) {
		return this.servers.createContext(this.engine.forHost(host.getHostName()), host.getSslProtocol(), this.id);
	}

	@Override
	public Stream<RenewableSslContext> contexts() {
		return certificates().map(SSLHostConfigCertificate::getSslContext)
			.filter(TomcatSslContext.class::isInstance)
			.map((context) -> ((TomcatSslContext) context).renewable());
	}

	@Override
	public Stream<String> unreached() {
		if (!isRenewable()) {
			return Stream.of(this.id + " by OpenSSL or the application's SSL implementation");
		}
		return hasOwnContext() ? Stream.of(this.id + " by the application's SSL context") : Stream.empty();
	}

}
