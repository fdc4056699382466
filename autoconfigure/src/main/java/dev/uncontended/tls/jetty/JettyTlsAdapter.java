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

package dev.uncontended.tls.jetty;

import java.util.Objects;
import java.util.stream.Stream;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.TlsServer;
import org.eclipse.jetty.io.ssl.SslHandshakeListener;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Connects the TLS connectors of Jetty to a {@link SslSessionCache}: their handshakes are
 * reported, the limits of the cache are those of their own session caches too, and when
 * all sessions are invalidated, they start afresh.
 * <p>
 * A connector without TLS is left as it is. The handshakes of one that uses Conscrypt are
 * not reported: its sessions tell when they were created only to the second, which does
 * not tell whether a handshake resumed one.
 */
public final class JettyTlsAdapter {

	private static final String SERVER = "jetty";

	private final SslSessionCache sessions;

	private final TlsHandshakes handshakes;

	/**
	 * Create an adapter.
	 * @param sessions the cache whose limits to apply and whose invalidation to follow
	 * @param handshakes where to report the handshakes
	 */
	public JettyTlsAdapter(SslSessionCache sessions, TlsHandshakes handshakes) {
		this.sessions = Objects.requireNonNull(sessions, "sessions must not be null");
		this.handshakes = Objects.requireNonNull(handshakes, "handshakes must not be null");
	}

	/**
	 * Connect the connectors of the given server, which has not been started yet.
	 * @param server the server, with or without TLS
	 */
	public void connect(Server server) {
		for (Connector connector : server.getConnectors()) {
			SslConnectionFactory connectionFactory = connector.getConnectionFactory(SslConnectionFactory.class);
			if (connectionFactory != null) {
				connect(connectionFactory);
			}
		}
	}

	private void connect(SslConnectionFactory connectionFactory) {
		SslContextFactory.Server contextFactory = connectionFactory.getSslContextFactory();
		contextFactory.setSslSessionCacheSize(this.sessions.getSessionCacheSize());
		contextFactory.setSslSessionTimeout(this.sessions.getSessionTimeout());
		this.handshakes.addServer(new JettyTlsServer(contextFactory));
		if (!"Conscrypt".equals(contextFactory.getProvider())) {
			connectionFactory.addBean(new HandshakeReporter(this.handshakes));
		}
	}

	private record HandshakeReporter(TlsHandshakes handshakes) implements SslHandshakeListener {

		@Override
		public void handshakeSucceeded(Event event) {
			this.handshakes.completed(SERVER, event.getSSLEngine().getSession(),
					event.getEndPoint().getCreatedTimeStamp());
		}

	}

	private record JettyTlsServer(SslContextFactory.Server contextFactory) implements TlsServer {

		@Override
		public Stream<SSLSessionContext> sessionContexts() {
			return Stream.ofNullable(this.contextFactory.getSslContext()).map(SSLContext::getServerSessionContext);
		}

		@Override
		public void invalidateAll() {
			if (this.contextFactory.isStarted()) {
				try {
					this.contextFactory.reload((factory) -> {
					});
				}
				catch (Exception ex) {
					throw new IllegalStateException("Failed to replace the SSL context of Jetty", ex);
				}
			}
		}

		/*
		 * For the context there is, and for those that come with a reload.
		 */
		@Override
		public void maximumSizeChanged(int maximumSize) {
			this.contextFactory.setSslSessionCacheSize(maximumSize);
			TlsServer.super.maximumSizeChanged(maximumSize);
		}

		@Override
		public void timeoutChanged(int seconds) {
			this.contextFactory.setSslSessionTimeout(seconds);
			TlsServer.super.timeoutChanged(seconds);
		}

	}

}
