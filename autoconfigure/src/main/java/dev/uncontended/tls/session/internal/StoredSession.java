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

package dev.uncontended.tls.session.internal;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import org.jspecify.annotations.Nullable;

/**
 * The session of one SSL engine. In server mode, lets {@link Lineages} decide whether it
 * resumes.
 */
public final class StoredSession {

	private static final Logger logger = System.getLogger(StoredSession.class.getName());

	private final SSLEngine engine;

	private final String host;

	private final SSLSessionContext store;

	private final Lineages lineages;

	private volatile boolean begun;

	/** The number of ends of all sessions when the handshake began. */
	private volatile long ends;

	/** The lineage of a session that the client has presented. */
	private volatile @Nullable Lineage presented;

	/** The lineage of this connection's session. */
	private volatile @Nullable Lineage lineage;

	/** Whether a ClientHello was not read, for example because it spans records. */
	private volatile boolean unread;

	/** The session of the last handshake. */
	private volatile @Nullable SSLSession finished;

	private volatile boolean resumed;

	/**
	 * Creates an instance for a connection.
	 * @param engine an SSL engine of the JDK
	 * @param host the object that the engine got as the host, which no other engine has
	 * @param store contains the sessions of the engine's SSL context
	 */
	public StoredSession(SSLEngine engine, String host, SSLSessionContext store, Lineages lineages) {
		this.engine = engine;
		this.host = host;
		this.store = store;
		this.lineages = lineages;
	}

	/**
	 * Returns whether the last handshake resumed a session.
	 */
	public boolean isResumed() {
		return this.resumed;
	}

	/**
	 * Must be called before each record of the client, because a second ClientHello can
	 * follow after a HelloRetryRequest.
	 */
	public void begin(ByteBuffer record) {
		if (this.finished != null || this.engine.getUseClientMode()) {
			return;
		}
		if (!this.begun) {
			this.ends = this.lineages.ends();
			this.lineages.cleanUp();
			this.begun = true;
		}
		if (this.lineages.decides()) {
			try {
				Hello hello = Hello.ofClient(record);
				if (hello != null) {
					hello.presented().forEach(this::present);
				}
			}
			catch (RuntimeException ex) {
				this.unread = true;
			}
		}
	}

	private void present(byte[] id) {
		SSLSession session = this.store.getSession(id);
		if (session != null) {
			Lineage lineage = this.lineages.find(session);
			if (lineage != null) {
				this.presented = lineage;
			}
			else {
				// The JDK then makes a full handshake.
				session.invalidate();
				this.lineages.countUnknown();
			}
		}
	}

	/**
	 * Must be called after each call of the engine.
	 * @throws SSLHandshakeException if the handshake has resumed a session that has ended
	 */
	public void check(SSLEngineResult result) throws SSLHandshakeException {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !this.engine.getUseClientMode()) {
			SSLSession session = this.engine.getSession();
			if (!accepts(session, result.bytesProduced() > 0)) {
				session.invalidate();
				this.engine.closeOutbound();
				throw new SSLHandshakeException("The resumed TLS session has ended");
			}
		}
	}

	private boolean accepts(SSLSession session, boolean produced) {
		boolean further = session == this.finished;
		this.finished = session;
		boolean tickets = session.getProtocol().equals("TLSv1.3");
		if (further) {
			Lineage lineage = this.lineage;
			if (tickets && produced && lineage != null) {
				this.lineages.countTickets(lineage);
			}
			return true;
		}
		this.resumed = session.getPeerHost() != this.host;
		if (this.resumed) {
			return acceptsResumed(session);
		}
		// With TLS 1.3, the handshake ends with the ticket, if any.
		if (tickets ? produced : this.store.getSession(session.getId()) != null) {
			put(session);
		}
		return true;
	}

	private boolean acceptsResumed(SSLSession session) {
		Lineage lineage = this.lineages.find(session);
		if (lineage != null && this.lineages.resumed(lineage, session)) {
			this.lineage = lineage;
			return true;
		}
		Lineage presented = this.presented;
		if (presented != null) {
			// Not in the cache any more. Unless it has ended, it resumes for the last
			// time.
			session.invalidate();
			return !presented.ended && this.ends == this.lineages.ends();
		}
		if (!this.unread) {
			// Not resumed: the JDK has copied the host.
			this.lineages.countUnknown();
		}
		return !this.unread;
	}

	private void put(SSLSession session) {
		try {
			Lineage lineage = this.lineages.put(session);
			this.lineage = lineage;
			if (this.ends != this.lineages.ends()) {
				this.lineages.end(lineage);
			}
		}
		catch (RuntimeException | Error ex) {
			session.invalidate();
			logger.log(Level.WARNING, "Failed to store a TLS session. Its client makes a full handshake again", ex);
		}
	}

	/**
	 * Must be called before the engine is closed, and after it has failed.
	 */
	public void closing() {
		// The JDK stores a TLS 1.2 session before the server's last message is wrapped.
		// If the client disappears then, the session has no lineage. A fatal alert, the
		// application or a failed resumption can also have invalidated the session.
		if (this.begun) {
			SSLSession session = this.engine.getSession();
			if (session != this.finished) {
				session.invalidate();
			}
			if (!session.isValid()) {
				this.lineages.remove(session);
			}
		}
	}

}
