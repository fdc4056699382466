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

package dev.uncontended.tls.engine;

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import org.jspecify.annotations.Nullable;

/**
 * A server's SSL context, whose SSL engines report their handshakes. Thread-safe after
 * initialization.
 * <p>
 * This class delegates to a {@linkplain TlsEngine.Context context} of a
 * {@link TlsEngine}. After an {@linkplain TlsEngine.Context#isEnded() end} of all
 * sessions, the next connection replaces this delegate, which ends the sessions in the
 * delegate's tickets. A handshake under way continues with the old delegate, and its
 * session cannot be resumed.
 */
public final class RenewableSslContext extends SSLContextSpi {

	private final TlsEngine engine;

	private final String protocol;

	private final TlsServerId server;

	private final TlsHandshakes handshakes;

	private volatile @Nullable Managers managers;

	/** The delegate; {@code null} before initialization. */
	private final AtomicReference<TlsEngine.@Nullable Context> context = new AtomicReference<>();

	// The application protocols of SSL engines whose parameters have none.
	private volatile List<String> applicationProtocols = List.of();

	/**
	 * Creates a context, which the server must initialize.
	 */
	public RenewableSslContext(TlsEngine engine, String protocol, TlsServerId server, TlsHandshakes handshakes) {
		this.engine = engine;
		this.protocol = protocol;
		this.server = server;
		this.handshakes = handshakes;
	}

	/**
	 * Verifies that handshakes are possible with a server's settings. For example, at
	 * least one enabled protocol must have an enabled cipher suite.
	 * @param engine an unused SSL engine with the server's settings
	 * @throws IllegalStateException if no handshake is possible
	 */
	public static void verify(SSLEngine engine) {
		try {
			engine.setUseClientMode(false);
			engine.beginHandshake();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("Failed to configure TLS of a server: " + ex.getMessage()
					+ ". Check 'server.ssl.enabled-protocols' and 'server.ssl.ciphers', or the bundle's"
					+ " 'options.enabled-protocols' and 'options.ciphers', and 'server.ssl.client-auth'.", ex);
		}
	}

	@Override
	public void engineInit(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws KeyManagementException {
		try {
			KeyMaterial.verify(keyManagers);
			Managers managers = new Managers(keyManagers, trustManagers, random);
			TlsEngine.Context context = createContext(managers);
			this.managers = managers;
			this.context.set(context);
		}
		catch (GeneralSecurityException | IllegalStateException ex) {
			throw new KeyManagementException(ex);
		}
	}

	@Override
	public SSLEngine engineCreateSSLEngine() {
		return engineCreateSSLEngine(null, -1);
	}

	@Override
	public SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
		return current().createEngine(this, host, port);
	}

	/**
	 * Returns the settings of server sessions, or {@code null} if servers cannot change
	 * them. Before initialization, returns settings without effect.
	 */
	@Override
	public @Nullable SSLSessionContext engineGetServerSessionContext() {
		return isInitialized() ? current().serverSessions() : unused().getServerSessionContext();
	}

	/**
	 * Returns the sessions of client engines. Before initialization, returns settings
	 * without effect.
	 */
	@Override
	public SSLSessionContext engineGetClientSessionContext() {
		return (isInitialized() ? current().sslContext() : unused()).getClientSessionContext();
	}

	private boolean isInitialized() {
		return this.context.get() != null;
	}

	private SSLContext unused() {
		try {
			return SSLContext.getInstance(this.protocol);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public SSLSocketFactory engineGetSocketFactory() {
		return current().sslContext().getSocketFactory();
	}

	/**
	 * Returns a factory whose sockets do not report their handshakes. The factory keeps
	 * using the current {@link TlsEngine.Context} even after an end of all sessions.
	 */
	@Override
	public SSLServerSocketFactory engineGetServerSocketFactory() {
		return current().sslContext().getServerSocketFactory();
	}

	@Override
	public SSLParameters engineGetDefaultSSLParameters() {
		return current().defaultParameters();
	}

	@Override
	public SSLParameters engineGetSupportedSSLParameters() {
		return current().supportedParameters();
	}

	/**
	 * Returns the server and the TLS engine, such as {@code tomcat (application) by
	 * BoringSSL}.
	 */
	@Override
	public String toString() {
		return this.server + " by " + this.engine;
	}

	/**
	 * Returns where the sessions of new connections are, for operators.
	 */
	public String sessions() {
		return current().sessions();
	}

	/**
	 * Returns the IANA names of the groups that the TLS engine may use; empty if unknown.
	 */
	public List<String> groups() {
		return this.engine.groups();
	}

	/**
	 * Sets the application protocols of SSL engines whose parameters have none, in order
	 * of preference.
	 */
	public void setApplicationProtocols(List<String> applicationProtocols) {
		this.applicationProtocols = List.copyOf(applicationProtocols);
	}

	public List<String> applicationProtocols() {
		return this.applicationProtocols;
	}

	TlsServerId server() {
		return this.server;
	}

	TlsHandshakes handshakes() {
		return this.handshakes;
	}

	/**
	 * Returns the current delegate. Creates another if all sessions have ended.
	 * @throws IllegalStateException if creating a context fails, in which case the next
	 * call retries the creation, or before initialization
	 */
	public TlsEngine.Context current() {
		TlsEngine.Context context = this.context.get();
		return (context != null && !context.isEnded()) ? context : renew(context);
	}

	/*
	 * Threads may create several delegates, of which all use one: event loops must not
	 * wait for each other.
	 */
	private TlsEngine.Context renew(TlsEngine.@Nullable Context ended) {
		Managers managers = this.managers;
		if (ended == null || managers == null) {
			throw new IllegalStateException("The SSL context of " + this.server.name() + " has not been initialized");
		}
		try {
			TlsEngine.Context created = createContext(managers);
			return this.context.compareAndSet(ended, created) ? created : current();
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create an SSL context for " + this.server.name(), ex);
		}
	}

	private TlsEngine.Context createContext(Managers managers) throws GeneralSecurityException {
		return this.engine.createContext(this.protocol, managers.key(), managers.trust(), managers.random());
	}

	private record Managers(KeyManager @Nullable [] key, TrustManager @Nullable [] trust,
			@Nullable SecureRandom random) {

	}

}
