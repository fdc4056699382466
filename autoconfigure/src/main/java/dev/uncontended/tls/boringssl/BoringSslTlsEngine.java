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

import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.KeyManagementException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.List;

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

	private final EnabledGroups groups;

	private final String host;

	/**
	 * Creates an engine that uses the groups that the JDK permits, and prefers
	 * X25519MLKEM768.
	 * @param sessions determines how sessions resume
	 * @throws BoringSslUnavailableException if BoringSSL is not available
	 */
	public BoringSslTlsEngine(BoringSslSessions sessions) {
		this(sessions, List.of());
	}

	/**
	 * Creates an engine that uses the given groups.
	 * @param sessions determines how sessions resume
	 * @param groups the IANA names of the groups, in order of preference; empty for the
	 * default. TLS 1.2 handshakes follow the client's order
	 * @throws BoringSslUnavailableException if BoringSSL is not available
	 * @throws IllegalArgumentException if BoringSSL does not support a group or the JDK's
	 * properties do not permit it
	 */
	public BoringSslTlsEngine(BoringSslSessions sessions, List<String> groups) {
		this(sessions, requireAvailable(groups), DEFAULT_HOST);
	}

	private BoringSslTlsEngine(BoringSslSessions sessions, EnabledGroups groups, String host) {
		this.sessions = sessions;
		this.groups = groups;
		this.host = host;
	}

	private static EnabledGroups requireAvailable(List<String> groups) {
		BoringSslAvailability.require();
		String warning = NativeVersion.warning(NativeVersion.find());
		if (warning != null) {
			System.getLogger(BoringSslTlsEngine.class.getName()).log(Level.WARNING, warning);
		}
		EnabledGroups enabled = EnabledGroups.of(groups);
		if (enabled.names().isEmpty()) {
			throw new BoringSslUnavailableException(
					"The JDK's properties permit none of the groups that BoringSSL supports",
					"Add a group such as 'x25519' to 'jdk.tls.namedGroups', or remove it from"
							+ " 'jdk.tls.disabledAlgorithms'.",
					null);
		}
		return enabled;
	}

	/**
	 * Returns an engine whose sessions resume only for the given virtual host.
	 */
	@Override
	public TlsEngine forHost(String host) {
		return new BoringSslTlsEngine(this.sessions, this.groups, host);
	}

	@Override
	public boolean prefersCipherSuiteOrderOfClients() {
		return true;
	}

	@Override
	public boolean prefersDirectBuffers() {
		return true;
	}

	@Override
	public boolean isReplaceable() {
		return false;
	}

	/**
	 * Creates a context. {@code SessionBinding} determines which contexts resume each
	 * other's sessions.
	 */
	@Override
	public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) throws GeneralSecurityException {
		X509KeyManager keyManager = find(X509KeyManager.class, keyManagers);
		ServerKeyManager.verify(keyManager);
		X509TrustManager trustManager = find(X509TrustManager.class,
				(trustManagers != null) ? trustManagers : defaultTrustManagers());
		return new BoringSslContext(keyManager, new ClientTrustManager(trustManager),
				new SessionBinding(this.host, keyManager, trustManager), this.sessions, this.groups);
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
	public List<String> groups() {
		return this.groups.names();
	}

	@Override
	public String toString() {
		return "BoringSSL";
	}

}
