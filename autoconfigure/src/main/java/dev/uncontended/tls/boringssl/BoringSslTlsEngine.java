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

import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Objects;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509KeyManager;
import javax.net.ssl.X509TrustManager;

import dev.uncontended.tls.engine.TlsEngine;
import org.jspecify.annotations.Nullable;

/**
 * A TLS engine that uses Netty's BoringSSL. It supports TLS 1.2 and 1.3 without
 * renegotiation, and requires a key manager.
 */
public final class BoringSslTlsEngine implements TlsEngine {

	private final BoringSslSessions sessions;

	private final String host;

	/**
	 * Creates an engine.
	 * @param sessions determines how sessions resume
	 * @throws BoringSslUnavailableException if BoringSSL is not available
	 */
	public BoringSslTlsEngine(BoringSslSessions sessions) {
		this(sessions, DEFAULT_HOST);
		BoringSslAvailability.require();
	}

	private BoringSslTlsEngine(BoringSslSessions sessions, String host) {
		this.sessions = Objects.requireNonNull(sessions, "sessions must not be null");
		this.host = Objects.requireNonNull(host, "host must not be null");
	}

	/**
	 * Returns an engine whose sessions resume only for the given virtual host.
	 */
	@Override
	public TlsEngine forHost(String host) {
		return new BoringSslTlsEngine(this.sessions, host);
	}

	@Override
	public boolean prefersCipherSuiteOrderOfClients() {
		return true;
	}

	@Override
	public boolean isReplaceable() {
		return false;
	}

	@Override
	public boolean isStateful() {
		return !this.sessions.areInTickets();
	}

	/**
	 * Creates a context. Two contexts resume each other's sessions only if they have the
	 * same virtual host, the same names in their server certificates, and the same mode
	 * of client authentication. If clients authenticate, both contexts must also use the
	 * JDK's trust managers with the same trusted certificates.
	 */
	@Override
	public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) throws GeneralSecurityException {
		X509KeyManager keyManager = find(X509KeyManager.class, keyManagers);
		ServerKeyManager.verify(keyManager);
		X509TrustManager trustManager = find(X509TrustManager.class,
				(trustManagers != null) ? trustManagers : defaultTrustManagers());
		return new BoringSslContext(keyManager, new ClientTrustManager(trustManager),
				new SessionBinding(this.host, keyManager, trustManager), this.sessions,
				this.sessions.createValidityCheck());
	}

	private static <T> T find(Class<T> type, Object @Nullable [] managers) throws KeyManagementException {
		return Arrays.stream((managers != null) ? managers : new Object[0])
			.filter(type::isInstance)
			.findFirst()
			.map(type::cast)
			.orElseThrow(() -> new KeyManagementException("BoringSSL requires a " + type.getSimpleName()));
	}

	private static TrustManager[] defaultTrustManagers() throws GeneralSecurityException {
		TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		factory.init((KeyStore) null);
		return factory.getTrustManagers();
	}

	@Override
	public String toString() {
		return "BoringSSL";
	}

}
