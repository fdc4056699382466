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

package dev.uncontended.tls.boringssl;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.function.BooleanSupplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;

import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import org.jspecify.annotations.Nullable;

/**
 * Creates server engines of BoringSSL from the parameters of an
 * {@link javax.net.ssl.SSLContext}. Native memory is released when neither this object
 * nor any of its engines is reachable, because a server may still create engines from a
 * replaced context.
 */
final class BoringSslContextSpi extends SSLContextSpi {

	private static final Cleaner cleaner = Cleaner.create();

	private final String host;

	private final BoringSslSessions sessions;

	private final BooleanSupplier current;

	private @Nullable NativeContexts contexts;

	BoringSslContextSpi(String host, BoringSslSessions sessions, BooleanSupplier current) {
		this.host = host;
		this.sessions = sessions;
		this.current = current;
	}

	@Override
	protected void engineInit(KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws KeyManagementException {
		if (this.contexts != null) {
			throw new KeyManagementException("The SSL context has already been initialized");
		}
		X509KeyManager keyManager = find(X509KeyManager.class, keyManagers);
		ServerKeyManager.verify(keyManager);
		X509TrustManager trustManager = find(X509TrustManager.class,
				(trustManagers != null) ? trustManagers : defaultTrustManagers());
		NativeContexts contexts = new NativeContexts(keyManager, new ClientTrustManager(trustManager),
				new SessionBinding(this.host, keyManager, trustManager), this.sessions, this.current);
		cleaner.register(this, contexts::release);
		this.contexts = contexts;
	}

	private static <T> T find(Class<T> type, Object @Nullable [] managers) throws KeyManagementException {
		return Arrays.stream((managers != null) ? managers : new Object[0])
			.filter(type::isInstance)
			.findFirst()
			.map(type::cast)
			.orElseThrow(() -> new KeyManagementException("BoringSSL requires a " + type.getSimpleName()));
	}

	private static TrustManager[] defaultTrustManagers() throws KeyManagementException {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init((KeyStore) null);
			return factory.getTrustManagers();
		}
		catch (GeneralSecurityException ex) {
			throw new KeyManagementException(ex);
		}
	}

	ReferenceCountedOpenSslEngine createEngine(EngineSettings settings, @Nullable String peerHost, int peerPort) {
		try {
			return contexts().createEngine(settings, peerHost, peerPort);
		}
		finally {
			Reference.reachabilityFence(this);
		}
	}

	void limitSession(long ssl) {
		contexts().limitSession(ssl);
	}

	boolean canAuthenticate(String cipherSuite) {
		return contexts().canAuthenticate(cipherSuite);
	}

	private NativeContexts contexts() {
		if (this.contexts == null) {
			throw new IllegalStateException("The SSL context has not been initialized");
		}
		return this.contexts;
	}

	@Override
	protected SSLEngine engineCreateSSLEngine() {
		return engineCreateSSLEngine(null, -1);
	}

	@Override
	protected SSLEngine engineCreateSSLEngine(@Nullable String host, int port) {
		return new BoringSslEngine(this, engineGetServerSessionContext(), host, port);
	}

	@Override
	protected SessionContext engineGetServerSessionContext() {
		return new SessionContext(this.sessions.cache(), contexts());
	}

	@Override
	protected SSLSessionContext engineGetClientSessionContext() {
		throw serversOnly();
	}

	@Override
	protected SSLSocketFactory engineGetSocketFactory() {
		throw serversOnly();
	}

	@Override
	protected SSLServerSocketFactory engineGetServerSocketFactory() {
		throw serversOnly();
	}

	private static UnsupportedOperationException serversOnly() {
		return new UnsupportedOperationException("This SSL context supports server engines only");
	}

	@Override
	protected SSLParameters engineGetDefaultSSLParameters() {
		return new SSLParameters(Suites.cipherSuites().enabled(), Suites.protocols().enabled());
	}

	@Override
	protected SSLParameters engineGetSupportedSSLParameters() {
		return new SSLParameters(Suites.cipherSuites().supported(), Suites.protocols().supported());
	}

}
