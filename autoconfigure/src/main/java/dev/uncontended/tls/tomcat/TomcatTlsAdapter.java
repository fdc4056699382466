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

package dev.uncontended.tls.tomcat;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.WeakHashMap;
import java.util.stream.Stream;

import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.TlsServer;
import org.apache.catalina.Lifecycle;
import org.apache.catalina.LifecycleEvent;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.jni.AprStatus;
import org.apache.tomcat.util.net.SSLContext;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.openssl.OpenSSLStatus;
import org.jspecify.annotations.Nullable;

/**
 * Connects the TLS connectors of Tomcat to a {@link SslSessionCache}: their handshakes
 * are reported, the limits of the cache are those of their own session caches too, and
 * when all sessions are invalidated, they start afresh.
 * <p>
 * A connector without TLS is left as it is, and so is one that does not use Tomcat's
 * default JSSE implementation, such as one that uses OpenSSL.
 */
public final class TomcatTlsAdapter {

	static final String SERVER = "tomcat";

	private static final Logger logger = System.getLogger(TomcatTlsAdapter.class.getName());

	/*
	 * Tomcat makes the SSL implementation by the name of its class, so the adapter has to
	 * be found from what Tomcat hands to it, the configuration of a host. All is held
	 * weakly: an adapter leads to its connectors and on to the keys of this map.
	 */
	private static final Map<SSLHostConfig, WeakReference<TomcatTlsAdapter>> adapters = Collections
		.synchronizedMap(new WeakHashMap<>());

	private final SslSessionCache sessions;

	private final TlsHandshakes handshakes;

	/**
	 * Create an adapter.
	 * @param sessions the cache whose limits to apply and whose invalidation to follow
	 * @param handshakes where to report the handshakes
	 */
	public TomcatTlsAdapter(SslSessionCache sessions, TlsHandshakes handshakes) {
		this.sessions = Objects.requireNonNull(sessions, "sessions must not be null");
		this.handshakes = Objects.requireNonNull(handshakes, "handshakes must not be null");
	}

	/**
	 * Connect the given connector, which has not been initialized yet.
	 * @param connector the connector, with or without TLS
	 */
	public void connect(Connector connector) {
		if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> protocol && protocol.isSSLEnabled()) {
			connector.addLifecycleListener((event) -> onEvent(event, protocol));
			this.handshakes.addServer(new TomcatTlsServer(protocol));
		}
	}

	/*
	 * Tomcat binds a connector, and makes its SSL contexts, as it initializes or as it
	 * starts it. The hosts and the choice of the SSL implementation are final no earlier
	 * than that.
	 */
	private void onEvent(LifecycleEvent event, AbstractHttp11Protocol<?> protocol) {
		if (event.getType().equals(Lifecycle.BEFORE_INIT_EVENT)
				|| event.getType().equals(Lifecycle.BEFORE_START_EVENT)) {
			prepare(protocol);
		}
	}

	private void prepare(AbstractHttp11Protocol<?> protocol) {
		if (protocol.getSslImplementationName() == null && !isOpenSslTheDefault()) {
			protocol.setSslImplementationName(HandshakeReportingImplementation.class.getName());
		}
		if (HandshakeReportingImplementation.class.getName().equals(protocol.getSslImplementationName())) {
			for (SSLHostConfig host : protocol.findSslHostConfigs()) {
				adapters.put(host, new WeakReference<>(this));
			}
		}
		else {
			logger.log(Level.INFO, "TLS handshakes of connector {0} are not recorded: it does not use the default SSL"
					+ " implementation", protocol.getName());
		}
	}

	private static boolean isOpenSslTheDefault() {
		return (OpenSSLStatus.getUseOpenSSL() && OpenSSLStatus.isAvailable())
				|| (AprStatus.getUseOpenSSL() && AprStatus.isAprAvailable());
	}

	static @Nullable TomcatTlsAdapter of(SSLHostConfig host) {
		WeakReference<TomcatTlsAdapter> adapter = adapters.get(host);
		return (adapter != null) ? adapter.get() : null;
	}

	private record TomcatTlsServer(AbstractHttp11Protocol<?> protocol) implements TlsServer {

		@Override
		public Stream<SSLSessionContext> sessionContexts() {
			return Stream.of(this.protocol.findSslHostConfigs())
				.flatMap((host) -> host.getCertificates().stream())
				.map(SSLHostConfigCertificate::getSslContext)
				.filter(Objects::nonNull)
				.map(SSLContext::getServerSessionContext);
		}

		/*
		 * To reload the configuration of a host makes a new SSL context of it, with a new
		 * session cache and new keys for tickets, whether or not it has changed.
		 */
		@Override
		public void invalidateAll() {
			this.protocol.reloadSslHostConfigs();
		}

	}

	SslSessionCache sessions() {
		return this.sessions;
	}

	TlsHandshakes handshakes() {
		return this.handshakes;
	}

}
