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
import java.security.SecureRandom;
import java.util.Enumeration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionCache;
import org.jspecify.annotations.Nullable;

/**
 * A server's SSL context that can end its sessions. Its SSL engines report their
 * handshakes. Thread-safe after initialization.
 * <p>
 * This class delegates to a {@linkplain TlsEngine.Context context} of a
 * {@link TlsEngine}, and replaces this delegate in two cases:
 * <ul>
 * <li>{@link #endSessions()} is called. This ends the sessions that the delegate owns.
 * With the JDK's TLS engine, these are all sessions.</li>
 * <li>The TLS engine has {@linkplain TlsEngine.Context#isEnded() ended} the sessions that
 * it shares between its contexts. The next handshake then replaces the delegate.</li>
 * </ul>
 * <p>
 * A handshake under way continues with the old delegate, and its session cannot be
 * resumed.
 */
public final class RenewableSslContext extends SSLContextSpi {

	private final TlsEngine engine;

	private final String protocol;

	private final TlsServerId server;

	private final TlsHandshakes handshakes;

	private final SslSessionCache cache;

	private final Sessions sessions = new Sessions();

	// Held while the delegate is replaced or its limits are changed.
	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Managers managers;

	// The delegate; null before initialization and after a failed endSessions().
	private volatile TlsEngine.@Nullable Context context;

	// Run by each successful initialization.
	private volatile @Nullable Runnable initialized;

	// Run by the first completed handshake.
	private volatile @Nullable Runnable firstHandshake;

	// The application protocols of SSL engines whose parameters have none.
	private volatile List<String> applicationProtocols = List.of();

	/**
	 * Creates a context, which the server must initialize.
	 * @param cache stores the sessions and provides their limits
	 */
	public RenewableSslContext(TlsEngine engine, String protocol, TlsServerId server, TlsHandshakes handshakes,
			SslSessionCache cache) {
		this.engine = engine;
		this.protocol = protocol;
		this.server = server;
		this.handshakes = handshakes;
		this.cache = cache;
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
					+ ". Check the enabled protocols and cipher suites, and the client authentication.", ex);
		}
	}

	/**
	 * Ends the sessions of the current {@link TlsEngine.Context}, including sessions in
	 * tickets, by replacing the context. Sessions that the TLS engine shares between its
	 * contexts stay valid. Open connections stay open. Does nothing before
	 * initialization.
	 * @throws IllegalStateException if creating a context fails; the next handshake
	 * retries the creation
	 */
	public void endSessions() {
		locked(() -> {
			if (this.managers != null) {
				replaceContext();
			}
		});
	}

	@Override
	public void engineInit(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws KeyManagementException {
		try {
			locked(() -> {
				this.managers = new Managers(keyManagers, trustManagers, random);
				replaceContext();
			});
		}
		catch (IllegalStateException ex) {
			throw new KeyManagementException((ex.getCause() != null) ? ex.getCause() : ex);
		}
		Runnable action = this.initialized;
		if (action != null) {
			action.run();
		}
	}

	@Override
	public SSLEngine engineCreateSSLEngine() {
		return engineCreateSSLEngine(null, -1);
	}

	@Override
	public SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
		TlsEngine.Context context = current();
		this.sessions.limit(context);
		return context.createEngine(this, host, port);
	}

	/**
	 * Returns a view of the sessions of the current {@link TlsEngine.Context}; always the
	 * same object.
	 */
	@Override
	public SSLSessionContext engineGetServerSessionContext() {
		return this.sessions;
	}

	@Override
	public SSLSessionContext engineGetClientSessionContext() {
		return current().sslContext().getClientSessionContext();
	}

	@Override
	public SSLSocketFactory engineGetSocketFactory() {
		return current().sslContext().getSocketFactory();
	}

	/**
	 * Returns a factory whose sockets do not report their handshakes. The factory keeps
	 * using the current {@link TlsEngine.Context} even after {@link #endSessions()}.
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
		if (!this.engine.usesSessionCache()) {
			return "outside the session cache";
		}
		TlsEngine.Context context = this.context;
		return (context != null && context.isStateful()) ? "in the server" : "in the clients' tickets";
	}

	/**
	 * Returns the IANA names of the groups that the TLS engine may use; empty if unknown.
	 */
	public List<String> groups() {
		return this.engine.groups();
	}

	/**
	 * Sets an action that runs after the server has initialized this object.
	 */
	public void onInitialized(Runnable action) {
		this.initialized = action;
	}

	/**
	 * Sets an action that the first completed handshake runs.
	 */
	public void onFirstHandshake(Runnable action) {
		this.firstHandshake = action;
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

	void handshakeCompleted() {
		Runnable action = this.firstHandshake;
		if (action != null) {
			this.firstHandshake = null;
			action.run();
		}
	}

	/**
	 * Ends the sessions that the delegate has stored, because the server has replaced
	 * this object, and uses it for no new connections.
	 */
	public void retire() {
		TlsEngine.Context context = this.context;
		if (context != null) {
			context.endSessions();
		}
	}

	TlsServerId server() {
		return this.server;
	}

	TlsHandshakes handshakes() {
		return this.handshakes;
	}

	/**
	 * Returns the current delegate. Creates one if there is none, or if its sessions have
	 * ended.
	 * @throws IllegalStateException if creating a context fails, or before initialization
	 */
	public TlsEngine.Context current() {
		TlsEngine.Context context = this.context;
		if (context != null && !context.isEnded()) {
			return context;
		}
		this.lock.lock();
		try {
			context = this.context;
			return (context != null && !context.isEnded()) ? context : replaceContext();
		}
		finally {
			this.lock.unlock();
		}
	}

	/*
	 * Must be called with the lock. After a failure, there is no delegate.
	 */
	private TlsEngine.Context replaceContext() {
		retire();
		this.context = null;
		Managers managers = this.managers;
		if (managers == null) {
			throw new IllegalStateException("The SSL context of " + this.server.name() + " has not been initialized");
		}
		try {
			TlsEngine.Context context = this.engine.createContext(this.protocol, managers.key(), managers.trust(),
					managers.random());
			context.useCache(this.cache);
			this.sessions.limit(context);
			this.context = context;
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create an SSL context for " + this.server.name(), ex);
		}
	}

	private void locked(Runnable action) {
		this.lock.lock();
		try {
			action.run();
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Managers(KeyManager @Nullable [] key, TrustManager @Nullable [] trust,
			@Nullable SecureRandom random) {

	}

	private final class Sessions implements SSLSessionContext {

		private volatile @Nullable Integer ownSize;

		private volatile @Nullable Integer ownTimeout;

		/** The limit of the number of sessions, without unused tickets. */
		private volatile int size;

		/**
		 * Applies the current limits of the session cache. Limits that the server has set
		 * take precedence.
		 */
		void limit(TlsEngine.Context context) {
			SslSessionCache cache = RenewableSslContext.this.cache;
			SSLSessionContext sessions = context.sessions();
			this.size = (this.ownSize != null) ? this.ownSize : cache.getSessionCacheSize();
			sessions.setSessionCacheSize((this.ownSize != null) ? this.ownSize : context.sizeFor(this.size));
			sessions.setSessionTimeout((this.ownTimeout != null) ? this.ownTimeout : cache.getSessionTimeout());
		}

		private SSLSessionContext delegate() {
			return current().sessions();
		}

		@Override
		public @Nullable SSLSession getSession(byte[] sessionId) {
			return delegate().getSession(sessionId);
		}

		@Override
		public Enumeration<byte[]> getIds() {
			return delegate().getIds();
		}

		@Override
		public void setSessionTimeout(int seconds) {
			locked(() -> {
				delegate().setSessionTimeout(seconds);
				this.ownTimeout = seconds;
			});
		}

		@Override
		public int getSessionTimeout() {
			return delegate().getSessionTimeout();
		}

		@Override
		public void setSessionCacheSize(int size) {
			locked(() -> {
				delegate().setSessionCacheSize(size);
				this.ownSize = size;
				this.size = size;
			});
		}

		@Override
		public int getSessionCacheSize() {
			return this.size;
		}

	}

}
