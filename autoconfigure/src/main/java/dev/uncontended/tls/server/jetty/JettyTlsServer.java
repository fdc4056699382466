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

import java.security.Provider;
import java.security.Security;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.SslContextProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.component.LifeCycle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.jspecify.annotations.Nullable;

/**
 * A TLS connector of Jetty. Registers itself with {@link TlsServers} when its TLS starts,
 * and removes itself when its TLS stops.
 * <p>
 * If the application has set a security provider or an SSL context on the connector, the
 * connector's TLS is not managed.
 * <p>
 * Registers an {@link SslContextProvider} in the JVM while the connector runs, because
 * Jetty looks up security providers by name.
 */
public final class JettyTlsServer implements TlsServer, LifeCycle.Listener {

	private final TlsEngine engine;

	private final TlsServers servers;

	private final TlsServerId id;

	private final SslContextFactory.Server contextFactory;

	private volatile @Nullable Provider provider;

	private volatile @Nullable RenewableSslContext latest;

	/**
	 * Creates an instance for one connector, which uses direct buffers and the client's
	 * order of cipher suites if the TLS engine is {@linkplain TlsEngine#isNative()
	 * native}.
	 * @param connections the TLS of the connector, which must not be started yet
	 */
	public JettyTlsServer(TlsEngine engine, TlsServers servers, TlsServerId.Context context,
			SslConnectionFactory connections) {
		this.engine = engine;
		this.servers = servers;
		this.id = new TlsServerId("jetty", context);
		this.contextFactory = connections.getSslContextFactory();
		if (engine.isNative()) {
			connections.setDirectBuffersForEncryption(true);
			connections.setDirectBuffersForDecryption(true);
			this.contextFactory.setUseCipherSuitesOrder(false);
		}
		this.contextFactory.addEventListener(this);
	}

	@Override
	public void lifeCycleStarting(LifeCycle event) {
		if (this.contextFactory.getProvider() == null && this.contextFactory.getSslContext() == null) {
			Provider provider = register();
			this.provider = provider;
			this.contextFactory.setProvider(provider.getName());
		}
		this.servers.add(this);
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
		this.servers.remove(this);
		Provider provider = this.provider;
		if (provider != null) {
			Security.removeProvider(provider.getName());
			this.contextFactory.setProvider(null);
			this.provider = null;
			this.latest = null;
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
		RenewableSslContext context = this.servers.createContext(this.engine, protocol, this.id);
		this.latest = context;
		return context;
	}

	@Override
	public Stream<RenewableSslContext> contexts() {
		return Stream.ofNullable(this.latest);
	}

	@Override
	public Stream<String> unreached() {
		return (this.provider != null) ? Stream.empty()
				: Stream.of(this.id + " by the application's security provider or SSL context");
	}

}
