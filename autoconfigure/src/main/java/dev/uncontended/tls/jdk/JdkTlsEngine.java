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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509KeyManager;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import org.jspecify.annotations.Nullable;

/**
 * A {@link TlsEngine} that uses the JDK's TLS.
 * <p>
 * The JDK's {@link SSLEngine} does not report whether a handshake resumed a session. This
 * class therefore observes the key managers, which select the server's certificate for
 * each full handshake.
 */
public final class JdkTlsEngine implements TlsEngine {

	private static final Logger logger = System.getLogger(JdkTlsEngine.class.getName());

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	/**
	 * The SSL engines with a full handshake under way. The references are weak, because
	 * engines of failed handshakes are not removed.
	 */
	private final Set<SSLEngine> fullHandshakes = Collections
		.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

	private final JdkGroups groups;

	/**
	 * Creates a TLS engine that issues stateless tickets, unless the system property
	 * {@code jdk.tls.server.enableSessionTicketExtension} is {@code false}.
	 */
	public JdkTlsEngine() {
		this(false, List.of());
	}

	/**
	 * Creates a TLS engine.
	 * @param stateful whether to keep sessions in memory instead of in stateless tickets.
	 * For this, the constructor sets the system property
	 * {@code jdk.tls.server.enableSessionTicketExtension} to {@code false}, unless it is
	 * already set. The property applies to all new SSL contexts of the JVM
	 * @param groups the IANA names of the groups for key exchanges; empty for the JDK's
	 * own choice. Handshakes follow the client's order
	 * @throws IllegalArgumentException if this JDK does not support a group or cannot
	 * limit groups, or if its properties do not permit the group
	 */
	public JdkTlsEngine(boolean stateful, List<String> groups) {
		this.groups = JdkGroups.of(groups);
		if (stateful && System.getProperty(TICKETS) == null) {
			System.setProperty(TICKETS, "false");
		}
		if (stateful && !isStateful()) {
			logger.log(Level.WARNING, "Failed to keep TLS sessions in memory: the system property ''{0}'' is ''{1}''."
					+ " Remove the system property.", TICKETS, System.getProperty(TICKETS));
		}
	}

	@Override
	public boolean isStateful() {
		return "false".equalsIgnoreCase(System.getProperty(TICKETS));
	}

	@Override
	public List<String> groups() {
		return this.groups.names();
	}

	@Override
	public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
			TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random) throws GeneralSecurityException {
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(observed(keyManagers), trustManagers, random);
		return new JdkContext(context, this.fullHandshakes, this.groups);
	}

	@Override
	public String toString() {
		return "the JDK";
	}

	private KeyManager @Nullable [] observed(KeyManager @Nullable [] keyManagers) {
		if (keyManagers == null) {
			return null;
		}
		return Arrays.stream(keyManagers)
			.map((manager) -> (manager instanceof X509KeyManager x509)
					? new ObservedKeyManager(x509, this.fullHandshakes) : manager)
			.toArray(KeyManager[]::new);
	}

	private record JdkContext(SSLContext sslContext, Set<SSLEngine> fullHandshakes,
			JdkGroups groups) implements Context {

		@Override
		public ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
			return new JdkSslEngine(owner, this, this.fullHandshakes, this.groups, peerHost, peerPort);
		}

	}

}
