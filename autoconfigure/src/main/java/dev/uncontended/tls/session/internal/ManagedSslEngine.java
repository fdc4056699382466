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
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import org.jspecify.annotations.Nullable;

/**
 * Delegates to an SSL engine of the JDK. In server mode, lets {@link Lineages} decide
 * which sessions resume.
 */
public final class ManagedSslEngine extends DelegatingSslEngine {

	private static final Logger logger = System.getLogger(ManagedSslEngine.class.getName());

	private final SSLEngine engine;

	private final ManagedSslContext.Spi context;

	private final Lineages lineages;

	private final SSLSessionContext store;

	/** Identifies the session of a full handshake, and its descendants. */
	private final String host;

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

	ManagedSslEngine(SSLEngine engine, ManagedSslContext.Spi context, String host, @Nullable String peerHost,
			int peerPort) {
		super(peerHost, peerPort);
		this.engine = engine;
		this.context = context;
		this.lineages = context.lineages;
		this.store = context.engineGetServerSessionContext();
		this.host = host;
	}

	@Override
	protected SSLEngine delegate() {
		return this.engine;
	}

	/**
	 * Returns whether the last handshake resumed a session.
	 */
	public boolean isResumed() {
		return this.resumed;
	}

	@Override
	public SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination)
			throws SSLException {
		try {
			return check(this.engine.wrap(sources, offset, length, destination));
		}
		catch (SSLException ex) {
			closing();
			throw ex;
		}
	}

	@Override
	public SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length)
			throws SSLException {
		try {
			if (this.finished == null && source.hasRemaining() && !getUseClientMode()) {
				begin(source);
			}
			return check(this.engine.unwrap(source, destinations, offset, length));
		}
		catch (SSLException ex) {
			closing();
			throw ex;
		}
	}

	/*
	 * Called with each record before the end of the handshake, because a second
	 * ClientHello can follow after a HelloRetryRequest.
	 */
	private void begin(ByteBuffer record) {
		if (!this.begun) {
			this.ends = this.lineages.ends();
			this.lineages.cache().cleanUp();
			this.begun = true;
		}
		if (this.lineages.decides() && !ClientHello.forEachId(record, this::present)) {
			this.unread = true;
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

	private SSLEngineResult check(SSLEngineResult result) throws SSLException {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !getUseClientMode()) {
			SSLSession session = this.engine.getSession();
			if (!accepts(session, result.bytesProduced() > 0)) {
				session.invalidate();
				this.engine.closeOutbound();
				throw new SSLHandshakeException("The resumed TLS session has ended");
			}
		}
		return result;
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
			// Not in the cache any more. If it was evicted, it may resume once more.
			this.lineages.cache().cleanUp();
			session.invalidate();
			return !presented.ended;
		}
		if (!this.unread) {
			// Not resumed: the JDK has copied the host.
			this.lineages.countUnknown();
		}
		return !this.unread;
	}

	private void put(SSLSession session) {
		try {
			Lineage lineage = this.lineages.put(session, this.context);
			this.lineage = lineage;
			if (this.context.ended || this.ends != this.lineages.ends()) {
				this.lineages.end(lineage);
			}
		}
		catch (RuntimeException | Error ex) {
			session.invalidate();
			logger.log(Level.WARNING, "Failed to store a TLS session. Its client makes a full handshake again", ex);
		}
	}

	@Override
	public void closeInbound() throws SSLException {
		closing();
		this.engine.closeInbound();
	}

	@Override
	public void closeOutbound() {
		closing();
		this.engine.closeOutbound();
	}

	/*
	 * The JDK stores a TLS 1.2 session before the server's last message is wrapped. If
	 * the client disappears then, the session has no lineage. A fatal alert, the
	 * application or a failed resumption can also have invalidated the session.
	 */
	private void closing() {
		if (this.begun) {
			SSLSession session = this.engine.getSession();
			if (session != this.finished) {
				session.invalidate();
			}
			if (!session.isValid()) {
				this.lineages.end(session);
			}
		}
	}

}
