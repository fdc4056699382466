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
import java.util.List;
import java.util.function.Supplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.engine.NamedGroups;
import dev.uncontended.tls.engine.TlsEngine;
import org.jspecify.annotations.Nullable;

/**
 * A TLS engine that uses Netty's BoringSSL. It supports TLS 1.2 and 1.3 without
 * renegotiation, and requires a key manager.
 */
public final class BoringSslTlsEngine implements TlsEngine {

	private final BoringSslSessions sessions;

	private final List<String> groups;

	private final boolean orderedGroups;

	private final String host;

	/**
	 * Creates an engine.
	 * @param sessions determines how sessions resume
	 * @param groups the IANA names of the groups, in order of preference; empty for the
	 * default, in the client's order. TLS 1.2 handshakes always follow the client's order
	 * @throws IllegalArgumentException if BoringSSL does not support a group or the JDK's
	 * properties do not permit it
	 * @throws IllegalStateException if the JDK's properties permit no group
	 */
	public BoringSslTlsEngine(BoringSslSessions sessions, List<String> groups) {
		this(sessions, select(groups), !groups.isEmpty(), DEFAULT_HOST);
	}

	private BoringSslTlsEngine(BoringSslSessions sessions, List<String> groups, boolean orderedGroups, String host) {
		this.sessions = sessions;
		this.groups = groups;
		this.orderedGroups = orderedGroups;
		this.host = host;
	}

	private static List<String> select(List<String> names) {
		List<String> groups = names.isEmpty() ? JdkPolicy.ALLOWED_GROUPS
				: NamedGroups.select(names, JdkPolicy.availableGroups(), "BoringSSL");
		if (groups.isEmpty()) {
			throw new IllegalStateException("The JDK's properties permit none of the groups that BoringSSL supports."
					+ " Add a group such as 'x25519' to 'jdk.tls.namedGroups', or remove it from"
					+ " 'jdk.tls.disabledAlgorithms'.");
		}
		return groups;
	}

	@Override
	public TlsEngine forHost(String host) {
		return new BoringSslTlsEngine(this.sessions, this.groups, this.orderedGroups, host);
	}

	@Override
	public boolean isNative() {
		return true;
	}

	@Override
	public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) throws GeneralSecurityException {
		X509KeyManager keyManager = find(X509KeyManager.class, keyManagers);
		ServerKeyManager.verify(keyManager);
		X509ExtendedTrustManager given = (trustManagers != null) ? find(X509ExtendedTrustManager.class, trustManagers)
				: null;
		// Reading the JDK's trusted certificates takes long.
		Supplier<X509ExtendedTrustManager> trustManager = (given != null) ? () -> given
				: BoringSslTlsEngine::defaultTrustManager;
		return new BoringSslContext(keyManager, trustManager, new SessionBinding(this.host, keyManager, trustManager),
				this.sessions, new EngineParameters(this.groups, this.orderedGroups));
	}

	private static <T> T find(Class<T> type, Object @Nullable [] managers) throws KeyManagementException {
		return Arrays.stream((managers != null) ? managers : new Object[0])
			.filter(type::isInstance)
			.findFirst()
			.map(type::cast)
			.orElseThrow(() -> new KeyManagementException("BoringSSL requires a " + type.getSimpleName()));
	}

	private static X509ExtendedTrustManager defaultTrustManager() {
		try {
			TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
			factory.init((KeyStore) null);
			return find(X509ExtendedTrustManager.class, factory.getTrustManagers());
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to read the JDK's trusted certificates", ex);
		}
	}

	@Override
	public List<String> groups() {
		return this.groups;
	}

	@Override
	public void close() {
		this.sessions.close();
	}

	@Override
	public String toString() {
		return "BoringSSL";
	}

}
