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
import java.time.Duration;
import java.util.List;
import java.util.function.BiFunction;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import org.jspecify.annotations.Nullable;

/**
 * Creates the JDK's SSL engines, whose sessions the session cache limits. If a session
 * has no token, an end of all sessions replaces this context instead, and only the SSL
 * engines that exist already can resume the session.
 */
final class JdkContext implements TlsEngine.Context {

	private static final Logger logger = System.getLogger(JdkContext.class.getName());

	/** With a longer timeout, or without one, the JDK issues no usable TLS 1.3 ticket. */
	private static final Duration LONGEST_TICKET = Duration.ofDays(7);

	private final SSLContext sslContext;

	private final JdkGroups groups;

	private final SessionTokens tokens;

	/** The number of ends of all sessions when this context was created. */
	private final long ends;

	/** Whether the JDK keeps the token in the session and its tickets. */
	private final boolean usesTokens;

	/** Whether the session cache has decided about all sessions so far. */
	private volatile boolean decides;

	/** Whether full handshakes have replaced all resumptions that were to be refused. */
	private volatile boolean refuses = true;

	JdkContext(SSLContext sslContext, JdkGroups groups, SessionTokens tokens) {
		this.sslContext = sslContext;
		this.groups = groups;
		this.tokens = tokens;
		this.ends = tokens.ends();
		this.usesTokens = JdkTlsEngine.SUN_JSSE.equals(sslContext.getProvider().getName());
		this.decides = this.usesTokens;
	}

	@Override
	public SSLContext sslContext() {
		return this.sslContext;
	}

	JdkGroups groups() {
		return this.groups;
	}

	SessionTokens tokens() {
		return this.tokens;
	}

	boolean usesTokens() {
		return this.usesTokens;
	}

	/**
	 * Returns whether the JDK's resumptions can be refused.
	 */
	boolean refuses() {
		return this.refuses;
	}

	/**
	 * Must be called when a session without a token is found.
	 */
	void foundSessionWithoutToken() {
		doesNotDecide();
	}

	/**
	 * Must be called when the JDK has resumed a session that was to be refused. From then
	 * on, none is refused.
	 */
	void failedToRefuse() {
		this.refuses = false;
		doesNotDecide();
	}

	private void doesNotDecide() {
		if (this.decides) {
			this.decides = false;
			try {
				logger.log(Level.WARNING,
						"The session cache cannot decide whether all TLS sessions of Java {0} resume. For the others,"
								+ " the JDK decides. An end of all sessions replaces the SSL context.",
						Runtime.version());
			}
			catch (RuntimeException ex) {
				// The handshake continues without the message.
			}
		}
	}

	@Override
	public boolean isEnded() {
		return !this.decides && this.tokens.ends() != this.ends;
	}

	@Override
	public String sessions() {
		return this.decides ? "limited by the session cache" : "outside the session cache";
	}

	@Override
	public ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
		Duration timeout = this.tokens.timeout();
		if (timeout != null) {
			boolean issuesTickets = !timeout.isZero() && timeout.compareTo(LONGEST_TICKET) <= 0;
			serverSessions().setSessionTimeout((int) (issuesTickets ? timeout : LONGEST_TICKET).toSeconds());
		}
		return new JdkSslEngine(owner, this, peerHost, peerPort);
	}

	/**
	 * Returns the timeout of new sessions in seconds; 0 means no limit.
	 */
	int sessionTimeout() {
		return serverSessions().getSessionTimeout();
	}

	@Override
	public SSLSessionContext serverSessions() {
		return this.sslContext.getServerSessionContext();
	}

	/**
	 * Creates an SSL engine with the settings of another one.
	 * @param engine an SSL engine of this context
	 */
	SSLEngine copy(SSLEngine engine, @Nullable String peerHost, int peerPort) {
		SSLEngine copy = this.sslContext.createSSLEngine(peerHost, peerPort);
		copy.setUseClientMode(engine.getUseClientMode());
		copy.setEnableSessionCreation(engine.getEnableSessionCreation());
		copy.setSSLParameters(engine.getSSLParameters());
		BiFunction<SSLEngine, List<String>, String> selector = engine.getHandshakeApplicationProtocolSelector();
		if (selector != null) {
			copy.setHandshakeApplicationProtocolSelector(selector);
		}
		return copy;
	}

}
