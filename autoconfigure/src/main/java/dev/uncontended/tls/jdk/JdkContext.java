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

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.Lineages;
import dev.uncontended.tls.session.internal.StoredSession;
import org.jspecify.annotations.Nullable;

/**
 * An SSL context of the JDK.
 */
final class JdkContext implements TlsEngine.Context {

	/**
	 * The size of the JDK's store per session of the session cache. The JDK stores one
	 * session for each ticket. It issues a second ticket if the server or the application
	 * binds a value to the session, as Jetty does. Unused tickets of a client that has
	 * resumed remain until the JDK evicts them.
	 */
	private static final int TICKETS_PER_SESSION = 4;

	private final boolean stateful;

	private final JdkGroups groups;

	private final SSLContext sslContext;

	/** Decides which sessions resume; {@code null} if the JDK does. */
	private volatile @Nullable Lineages lineages;

	private volatile boolean retired;

	JdkContext(SSLContext sslContext, JdkGroups groups, boolean stateful) {
		this.sslContext = sslContext;
		this.groups = groups;
		this.stateful = stateful;
	}

	@Override
	public SSLContext sslContext() {
		return this.sslContext;
	}

	@Override
	public void useCache(SslSessionCache cache) {
		if (!this.stateful) {
			return;
		}
		if (!(cache instanceof Lineages decider)) {
			throw new IllegalArgumentException("The session cache must be built by SslSessionCache.builder()");
		}
		this.lineages = decider;
	}

	@Override
	public void endSessions() {
		Lineages lineages = this.lineages;
		if (lineages != null && !this.retired) {
			this.retired = true;
			lineages.endAll(sessions());
		}
	}

	@Override
	public ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
		return new JdkSslEngine(owner, this, this.groups, peerHost, peerPort);
	}

	/**
	 * Returns the session of a new SSL engine of this context, if it is kept in the
	 * session cache.
	 * @param host the object that the SSL engine got as the host
	 */
	@Nullable StoredSession storedSession(SSLEngine engine, String host) {
		Lineages lineages = this.lineages;
		return (lineages != null) ? new StoredSession(engine, host, sessions(), lineages, () -> this.retired) : null;
	}

	@Override
	public boolean isStateful() {
		return this.stateful;
	}

	@Override
	public int sizeFor(int maximumSize) {
		return this.stateful ? (int) Math.min(Integer.MAX_VALUE, (long) maximumSize * TICKETS_PER_SESSION)
				: maximumSize;
	}

}
