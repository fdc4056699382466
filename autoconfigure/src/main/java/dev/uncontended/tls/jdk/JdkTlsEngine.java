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

package dev.uncontended.tls.jdk;

import java.security.GeneralSecurityException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TlsEngine} that uses the JDK's TLS.
 */
public final class JdkTlsEngine implements TlsEngine {

	static final String SUN_JSSE = "SunJSSE";

	private final SessionTokens tokens;

	private final JdkGroups groups;

	/**
	 * Creates a TLS engine.
	 * @param tokens decides which sessions resume
	 * @param groups the IANA names of the groups for key exchanges; empty for the JDK's
	 * own choice. Handshakes follow the client's order
	 * @throws IllegalArgumentException if this JDK does not support a group or cannot
	 * limit groups, or if its properties do not permit the group
	 */
	public JdkTlsEngine(SessionTokens tokens, List<String> groups) {
		this.tokens = tokens;
		this.groups = JdkGroups.of(groups);
	}

	/**
	 * Returns whether the session cache limits sessions. If not, another JSSE provider
	 * than the JDK's decides which sessions resume.
	 */
	boolean hasTokens() {
		return provider().equals(SUN_JSSE);
	}

	private static String provider() {
		Provider[] providers = Security.getProviders("SSLContext.TLS");
		return (providers != null) ? providers[0].getName() : "none";
	}

	@Override
	public List<String> groups() {
		return this.groups.names();
	}

	@Override
	public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) throws GeneralSecurityException {
		SSLContext sslContext = SSLContext.getInstance(protocol);
		sslContext.init(keyManagers, trustManagers, random);
		return new JdkContext(sslContext, this.groups, this.tokens);
	}

	@Override
	public String toString() {
		return hasTokens() ? "the JDK" : "the JSSE provider " + provider();
	}

}
