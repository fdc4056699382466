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
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
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
import org.jspecify.annotations.Nullable;

/**
 * An SSL context of a server. It can end its sessions, and its engines report their
 * handshakes.
 * <p>
 * What makes a session resumable, a cache or the keys of tickets, is in the
 * {@linkplain TlsEngine.Context context} of a {@link TlsEngine}. To end all sessions,
 * this class {@linkplain #renew() drops} that one for another, made from the key and
 * trust managers in memory; no file is read. A handshake that has read its client's first
 * bytes goes on in the context that it began with, and its session ends with that; any
 * other, even on a connection that was accepted before, takes place in the new one.
 * <p>
 * The session cache of this context follows the limits of another one, except for a limit
 * that the server sets by itself on {@link #engineGetServerSessionContext()}: that is a
 * choice of the application and stays.
 * <p>
 * Safe for use by several threads once initialized.
 */
public final class RenewableSslContext extends SSLContextSpi {

	private final TlsEngine engine;

	private final String protocol;

	private final TlsServerId server;

	private final TlsHandshakes handshakes;

	private final SSLSessionContext limits;

	private final Sessions sessions = new Sessions();

	// Held while the context is replaced or its limits are changed.
	private final ReentrantLock lock = new ReentrantLock();

	private @Nullable Managers managers;

	// None if it could not be made, which the next handshake tries again.
	private volatile TlsEngine.@Nullable Context context;

	/**
	 * Creates a context, which its server is to initialize.
	 * @param engine the TLS implementation
	 * @param protocol the protocol, such as {@code TLS}
	 * @param server the server
	 * @param handshakes receives the reports of handshakes
	 * @param limits has the size and the timeout that apply to the sessions
	 */
	public RenewableSslContext(TlsEngine engine, String protocol, TlsServerId server, TlsHandshakes handshakes,
			SSLSessionContext limits) {
		this.engine = Objects.requireNonNull(engine, "engine must not be null");
		this.protocol = Objects.requireNonNull(protocol, "protocol must not be null");
		this.server = Objects.requireNonNull(server, "server must not be null");
		this.handshakes = Objects.requireNonNull(handshakes, "handshakes must not be null");
		this.limits = Objects.requireNonNull(limits, "limits must not be null");
	}

	/**
	 * Returns whether an engine was made by a context of this class.
	 * @param engine the engine
	 * @return whether it reports its handshake
	 */
	public static boolean hasMade(SSLEngine engine) {
		return engine instanceof ReportingSslEngine;
	}

	/**
	 * Verifies that a server can serve anybody with its settings.
	 * @param engine an engine with the settings of the server, which nothing else uses
	 * @throws IllegalStateException if no enabled protocol has an enabled cipher suite
	 */
	public static void verify(SSLEngine engine) {
		try {
			engine.setUseClientMode(false);
			engine.beginHandshake();
		}
		catch (SSLException ex) {
			throw new IllegalStateException("Failed to configure TLS of a server: " + ex.getMessage()
					+ ". Configure a cipher suite for at least one of the enabled protocols.", ex);
		}
	}

	/**
	 * Ends all sessions: nothing that a client holds resumes any longer. Open connections
	 * stay open. The old sessions end even if this method throws; then the next handshake
	 * tries to make a new context.
	 * @throws IllegalStateException if a new context cannot be made
	 */
	public void renew() {
		this.lock.lock();
		try {
			if (this.managers != null) {
				this.context = null;
				createContext();
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	@Override
	public void engineInit(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws KeyManagementException {
		this.lock.lock();
		try {
			this.managers = new Managers(keyManagers, trustManagers, random);
			this.context = null;
			createContext();
		}
		catch (IllegalStateException ex) {
			throw new KeyManagementException(ex.getCause());
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * Returns an engine that reports its handshake if it is one of a server.
	 */
	@Override
	public SSLEngine engineCreateSSLEngine() {
		return new ReportingSslEngine(this, SSLContext::createSSLEngine);
	}

	/**
	 * Returns an engine that reports its handshake if it is one of a server.
	 */
	@Override
	public SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
		return new ReportingSslEngine(this, (context) -> context.createSSLEngine(host, port));
	}

	/**
	 * Returns the sessions that this context resumes now.
	 * @return the same object for the lifetime of this context
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
	 * Returns a factory of sockets that do not report their handshakes, and do not follow
	 * {@link #renew()}: a server that asks for sockets is to ask again.
	 */
	@Override
	public SSLServerSocketFactory engineGetServerSocketFactory() {
		return current().sslContext().getServerSocketFactory();
	}

	@Override
	public SSLParameters engineGetDefaultSSLParameters() {
		return current().sslContext().getDefaultSSLParameters();
	}

	@Override
	public SSLParameters engineGetSupportedSSLParameters() {
		return current().sslContext().getSupportedSSLParameters();
	}

	/**
	 * Returns the server and the TLS implementation, such as
	 * {@code tomcat (application) by BoringSSL}.
	 */
	@Override
	public String toString() {
		return this.server.name() + " (" + this.server.context() + ") by " + this.engine;
	}

	TlsServerId server() {
		return this.server;
	}

	TlsHandshakes handshakes() {
		return this.handshakes;
	}

	TlsEngine.Context current() {
		TlsEngine.Context context = this.context;
		return (context != null && !context.isEnded()) ? context : currentOrNew();
	}

	private TlsEngine.Context currentOrNew() {
		this.lock.lock();
		try {
			TlsEngine.Context context = this.context;
			return (context != null && !context.isEnded()) ? context : createContext();
		}
		finally {
			this.lock.unlock();
		}
	}

	private TlsEngine.Context createContext() {
		Managers managers = this.managers;
		if (managers == null) {
			throw new IllegalStateException("The SSL context of " + this.server.name() + " has not been initialized");
		}
		try {
			TlsEngine.Context context = this.engine.createContext(this.protocol, managers.key(), managers.trust(),
					managers.random());
			this.sessions.limit(context.sslContext().getServerSessionContext());
			this.context = context;
			return context;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create an SSL context for " + this.server.name(), ex);
		}
	}

	/**
	 * Applies the current limits to the sessions.
	 */
	public void followLimits() {
		this.lock.lock();
		try {
			TlsEngine.Context context = this.context;
			if (context != null) {
				this.sessions.limit(context.sslContext().getServerSessionContext());
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private record Managers(KeyManager @Nullable [] key, TrustManager @Nullable [] trust,
			@Nullable SecureRandom random) {

	}

	/**
	 * The sessions of the current context, and the limits that outlive it.
	 */
	private final class Sessions implements SSLSessionContext {

		private @Nullable Integer ownSize;

		private @Nullable Integer ownTimeout;

		void limit(SSLSessionContext context) {
			SSLSessionContext limits = RenewableSslContext.this.limits;
			context.setSessionCacheSize((this.ownSize != null) ? this.ownSize : limits.getSessionCacheSize());
			context.setSessionTimeout((this.ownTimeout != null) ? this.ownTimeout : limits.getSessionTimeout());
		}

		private SSLSessionContext delegate() {
			return current().sslContext().getServerSessionContext();
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
			RenewableSslContext.this.lock.lock();
			try {
				delegate().setSessionTimeout(seconds);
				this.ownTimeout = seconds;
			}
			finally {
				RenewableSslContext.this.lock.unlock();
			}
		}

		@Override
		public int getSessionTimeout() {
			return delegate().getSessionTimeout();
		}

		@Override
		public void setSessionCacheSize(int size) {
			RenewableSslContext.this.lock.lock();
			try {
				delegate().setSessionCacheSize(size);
				this.ownSize = size;
			}
			finally {
				RenewableSslContext.this.lock.unlock();
			}
		}

		@Override
		public int getSessionCacheSize() {
			return delegate().getSessionCacheSize();
		}

	}

}
