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
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.internal.Lineages;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TlsEngine} that uses the JDK's TLS.
 */
public final class JdkTlsEngine implements TlsEngine {

	static final String SUN_JSSE = "SunJSSE";

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	private final Lineages cache;

	private final boolean stateful;

	private final JdkGroups groups;

	/**
	 * Creates a TLS engine.
	 * @param cache decides which of the sessions in memory resume, and limits the JDK's
	 * own cache
	 * @param stateful whether to keep sessions in memory instead of in stateless tickets,
	 * unless the system property {@code jdk.tls.server.enableSessionTicketExtension}
	 * decides
	 * @param groups the IANA names of the groups for key exchanges; empty for the JDK's
	 * own choice. Handshakes follow the client's order
	 * @throws IllegalArgumentException if this JDK does not support a group or cannot
	 * limit groups, or if its properties do not permit the group
	 */
	public JdkTlsEngine(Lineages cache, boolean stateful, List<String> groups) {
		this.cache = cache;
		this.stateful = stateful;
		this.groups = JdkGroups.of(groups);
	}

	/**
	 * Returns whether sessions are kept in memory instead of in stateless tickets;
	 * {@code false} if another JSSE provider decides that.
	 */
	public boolean isStateful() {
		synchronized (JdkTlsEngine.class) {
			String tickets = System.getProperty(TICKETS);
			return isFirstProvider() && ((tickets != null) ? tickets.equalsIgnoreCase("false") : this.stateful);
		}
	}

	/*
	 * Other providers may copy the peer's host, by which this package recognizes
	 * sessions.
	 */
	private static boolean isFirstProvider() {
		return provider().equals(SUN_JSSE);
	}

	@Override
	public String sessions() {
		if (!isFirstProvider()) {
			return "outside the session cache";
		}
		return isStateful() ? "in the server" : TlsEngine.super.sessions();
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
		boolean stateful = isStateful();
		SSLContext sslContext = stateful ? createStateful(protocol) : SSLContext.getInstance(protocol);
		sslContext.init(keyManagers, trustManagers, random);
		return new JdkContext(sslContext, this.groups, this.cache, stateful);
	}

	/*
	 * The JDK reads the system property when it creates a context. The property is set
	 * only meanwhile, because it applies to all SSL contexts of the JVM.
	 */
	private static synchronized SSLContext createStateful(String protocol) throws NoSuchAlgorithmException {
		if (System.getProperty(TICKETS) != null) {
			return SSLContext.getInstance(protocol);
		}
		System.setProperty(TICKETS, "false");
		try {
			return SSLContext.getInstance(protocol);
		}
		finally {
			System.clearProperty(TICKETS);
		}
	}

	@Override
	public String toString() {
		return isFirstProvider() ? "the JDK" : "the JSSE provider " + provider();
	}

}
