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
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.ReportingSslEngine;
import dev.uncontended.tls.engine.TlsEngine;
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

	private final SSLContext sslContext;

	private final JdkGroups groups;

	private final Lineages cache;

	private final boolean stateful;

	/** The number of ends of all sessions when this context was created. */
	private final long ends;

	/**
	 * Creates an instance.
	 * @param stateful whether the SSL context stores sessions
	 */
	JdkContext(SSLContext sslContext, JdkGroups groups, Lineages cache, boolean stateful) {
		this.sslContext = sslContext;
		this.groups = groups;
		this.cache = cache;
		this.stateful = stateful;
		this.ends = cache.ends();
	}

	@Override
	public SSLContext sslContext() {
		return this.sslContext;
	}

	JdkGroups groups() {
		return this.groups;
	}

	@Override
	public boolean isEnded() {
		return this.cache.ends() != this.ends;
	}

	/**
	 * Returns whether an SSL engine of this context could resume a session that has
	 * ended.
	 */
	boolean canResumeEnded() {
		return isEnded() && !(this.stateful && this.cache.decides());
	}

	@Override
	public ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort) {
		int size = this.cache.getSessionCacheSize();
		store().setSessionCacheSize(
				this.stateful ? (int) Math.min(Integer.MAX_VALUE, (long) size * TICKETS_PER_SESSION) : size);
		store().setSessionTimeout(this.cache.getSessionTimeout());
		return new JdkSslEngine(owner, this, peerHost, peerPort);
	}

	/**
	 * Returns the session of a new SSL engine of this context, or {@code null} with
	 * stateless tickets.
	 * @param host the object that the SSL engine got as the host
	 */
	@Nullable StoredSession storedSession(SSLEngine engine, String host) {
		return this.stateful ? new StoredSession(engine, host, store(), this.cache) : null;
	}

	private SSLSessionContext store() {
		return this.sslContext.getServerSessionContext();
	}

}
