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

package dev.uncontended.tls.session.internal;

import java.security.KeyManagementException;
import java.security.SecureRandom;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * An SSL context of the JDK whose SSL engines put their sessions into {@link Lineages}.
 */
public final class ManagedSslContext extends SSLContext {

	private final Spi spi;

	/**
	 * Creates a context.
	 * @param delegate an initialized context, which stores sessions instead of issuing
	 * stateless tickets
	 */
	public ManagedSslContext(SSLContext delegate, Lineages lineages) {
		this(new Spi(delegate, lineages));
	}

	private ManagedSslContext(Spi spi) {
		super(spi, spi.delegate.getProvider(), spi.delegate.getProtocol());
		this.spi = spi;
	}

	/**
	 * Ends the sessions of this context, and stores no more.
	 */
	public void endSessions() {
		if (!this.spi.ended) {
			this.spi.ended = true;
			this.spi.lineages.endAll(this.spi);
		}
	}

	/**
	 * The implementation.
	 */
	static final class Spi extends SSLContextSpi {

		private final SSLContext delegate;

		final Lineages lineages;

		volatile boolean ended;

		Spi(SSLContext delegate, Lineages lineages) {
			this.delegate = delegate;
			this.lineages = lineages;
		}

		@Override
		protected void engineInit(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
				@Nullable SecureRandom random) throws KeyManagementException {
			throw new KeyManagementException("This SSL context is already initialized");
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			return engineCreateSSLEngine(null, -1);
		}

		/*
		 * With a port, the JDK would also put the session into a cache by host and port,
		 * which only clients read.
		 */
		@Override
		protected SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
			String reference = (host != null) ? new String(host) : new String();
			return new ManagedSslEngine(this.delegate.createSSLEngine(reference, -1), this, reference, host, port);
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			return this.delegate.getSocketFactory();
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			return this.delegate.getServerSocketFactory();
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			return this.delegate.getServerSessionContext();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			return this.delegate.getClientSessionContext();
		}

		@Override
		protected SSLParameters engineGetDefaultSSLParameters() {
			return this.delegate.getDefaultSSLParameters();
		}

		@Override
		protected SSLParameters engineGetSupportedSSLParameters() {
			return this.delegate.getSupportedSSLParameters();
		}

	}

}
