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
import java.nio.ByteBuffer;
import java.util.concurrent.locks.ReentrantLock;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.session.internal.SessionTokens;
import org.jspecify.annotations.Nullable;

/**
 * A connection of a server, whose session resumes only if its token is in the session
 * cache.
 */
final class TokenHandshake {

	/*
	 * The decision is made after the JDK has read the ClientHello and before the
	 * ServerHello leaves. The handshake session then is the session that the JDK is going
	 * to use. Its token is this connection's own for a full handshake, and an older one
	 * for a resumption. If the older token is not in the cache, a second SSL engine of
	 * the same context reads the same bytes. Meanwhile, its endpoint identification
	 * algorithm is this connection's token. The JDK resumes a session only under the
	 * algorithm of its full handshake, and no other session has this one, so the second
	 * SSL engine makes a full handshake. The first one is dropped, and the client does
	 * not notice.
	 *
	 * Until the decision, the lock guards the SSL engine, because wrap() replaces it. It
	 * is always acquired before the lock of the JDK's SSL engine. Under that lock, the
	 * JDK calls key managers, trust managers and protocol selectors, which therefore must
	 * call neither wrap() nor unwrap(). All other methods use the current SSL engine
	 * without the lock. Afterwards, the JDK's own lock suffices.
	 *
	 * A session without a token comes from an SSL engine or a socket that has none, or
	 * from a JDK that does not keep the host. The JDK decides about it.
	 */

	private static final Logger logger = System.getLogger(TokenHandshake.class.getName());

	/** Unlike null, removes the algorithm of an SSL engine. */
	private static final String NO_ALGORITHM = "";

	/**
	 * With a port, the JDK would also put the session into a cache by host and port,
	 * which only clients read.
	 */
	private static final int NO_PORT = -1;

	private final JdkContext context;

	private final SessionTokens tokens;

	private final Long token;

	private volatile SSLEngine engine;

	/** {@code null} after the decision. */
	private volatile @Nullable Undecided undecided = new Undecided();

	/** The number of ends of all sessions at the decision. */
	private volatile long ends;

	/** The session of the last handshake. */
	private volatile @Nullable SSLSession session;

	private volatile boolean resumed;

	/** Whether the invalidation of the session ends it. */
	private volatile boolean endsIfInvalidated;

	private volatile boolean closed;

	private volatile Runnable close = () -> {
	};

	private TokenHandshake(JdkContext context, Long token, SSLEngine engine) {
		this.context = context;
		this.tokens = context.tokens();
		this.token = token;
		this.engine = engine;
		this.ends = this.tokens.ends();
	}

	static TokenHandshake of(JdkContext context) {
		Long token = context.tokens().create();
		return new TokenHandshake(context, token,
				context.sslContext().createSSLEngine(SessionTokens.toHost(token), NO_PORT));
	}

	/**
	 * Returns a connection with the settings of an SSL engine whose handshake has not
	 * begun.
	 */
	static TokenHandshake of(JdkContext context, SSLEngine settings) {
		Long token = context.tokens().create();
		return new TokenHandshake(context, token, context.copy(settings, SessionTokens.toHost(token), NO_PORT));
	}

	/**
	 * Returns the current SSL engine of the JDK.
	 */
	SSLEngine engine() {
		return this.engine;
	}

	/**
	 * Returns whether the JDK has begun the handshake.
	 */
	boolean isBegun() {
		return this.undecided == null || this.engine.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING;
	}

	/**
	 * Returns whether the completed handshake has resumed a session with a token.
	 */
	boolean isResumed() {
		return this.resumed;
	}

	SSLEngineResult wrap(ByteBuffer[] sources, int offset, int length, ByteBuffer destination) throws SSLException {
		Undecided undecided = this.undecided;
		if (undecided == null) {
			endIfInvalidated();
			return completed(this.engine.wrap(sources, offset, length, destination));
		}
		undecided.lock();
		try {
			if (this.undecided != null && decide(undecided)) {
				return new SSLEngineResult(Status.OK, this.engine.getHandshakeStatus(), 0, 0);
			}
			int start = destination.position();
			SSLEngineResult result = completed(this.engine.wrap(sources, offset, length, destination));
			if (this.undecided != null) {
				undecided.recording.sent(destination, start);
			}
			return result;
		}
		finally {
			undecided.unlock();
		}
	}

	SSLEngineResult unwrap(ByteBuffer source, ByteBuffer[] destinations, int offset, int length) throws SSLException {
		Undecided undecided = this.undecided;
		if (undecided == null) {
			return completed(this.engine.unwrap(source, destinations, offset, length));
		}
		undecided.lock();
		try {
			int start = source.position();
			SSLEngineResult result = completed(this.engine.unwrap(source, destinations, offset, length));
			if (this.undecided != null) {
				undecided.recording.received(source, start);
			}
			return result;
		}
		finally {
			undecided.unlock();
		}
	}

	/*
	 * Returns whether a task must run first, for example of another SSL engine that has
	 * taken over.
	 */
	private boolean decide(Undecided undecided) throws SSLException {
		SSLEngine engine = this.engine;
		// First the status: a task of another thread may be about to set the session.
		HandshakeStatus status = engine.getHandshakeStatus();
		if (status == HandshakeStatus.NEED_TASK) {
			return true;
		}
		SSLSession session = (status == HandshakeStatus.NEED_WRAP) ? engine.getHandshakeSession() : null;
		if (session == null) {
			return false;
		}
		this.ends = this.tokens.ends();
		Long presented = SessionTokens.tokenOf(session);
		if (undecided.replaying) {
			if (!this.token.equals(presented)) {
				this.context.failedToRefuse();
				throw new SSLHandshakeException("The JDK has resumed a TLS session that has ended");
			}
			setIdentification(engine, NO_ALGORITHM);
		}
		else if (presented == null) {
			this.context.foundSessionWithoutToken();
		}
		else if (!presented.equals(this.token) && !this.tokens.contains(presented) && this.context.refuses()) {
			String host = SessionTokens.toHost(this.token);
			SSLEngine replacement = this.context.copy(engine, host, NO_PORT);
			setIdentification(replacement, host);
			String protocol = engine.getHandshakeApplicationProtocol();
			if (protocol != null && engine.getHandshakeApplicationProtocolSelector() != null) {
				// Selectors expect one call.
				replacement.setHandshakeApplicationProtocolSelector((any, protocols) -> protocol);
			}
			undecided.recording.replay(replacement);
			this.tokens.countMiss();
			undecided.replaying = true;
			this.engine = replacement;
			if (this.closed) {
				// Another thread may have closed the SSL engine that is replaced.
				replacement.closeOutbound();
				return false;
			}
			return true;
		}
		this.undecided = null;
		return false;
	}

	private static void setIdentification(SSLEngine engine, String algorithm) {
		SSLParameters parameters = engine.getSSLParameters();
		parameters.setEndpointIdentificationAlgorithm(algorithm);
		engine.setSSLParameters(parameters);
	}

	/*
	 * FINISHED statuses after the first one come from tickets and key updates, with the
	 * same session, and from renegotiations.
	 */
	private SSLEngineResult completed(SSLEngineResult result) throws SSLHandshakeException {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
			SSLSession session = this.engine.getSession();
			SSLSession previous = this.session;
			if (session != previous) {
				this.session = session;
				completed(session, previous);
			}
		}
		return result;
	}

	private void completed(SSLSession session, @Nullable SSLSession previous) throws SSLHandshakeException {
		this.undecided = null;
		Long token = SessionTokens.tokenOf(session);
		if (token == null) {
			this.context.foundSessionWithoutToken();
			return;
		}
		if (previous != null) {
			requireRenegotiable(token, previous);
		}
		this.resumed = !token.equals(this.token);
		try {
			if (this.resumed) {
				this.tokens.countHit();
			}
			else if (previous == null) {
				this.tokens.put(token, this.context.sessionTimeout(), this.ends);
			}
			this.close.run();
			this.close = this.closed ? this.close : this.tokens.opened(this.engine, session, token);
			this.endsIfInvalidated = session.isValid();
		}
		catch (RuntimeException | Error ex) {
			this.tokens.remove(this.token);
			report(ex);
		}
	}

	/*
	 * Renegotiations (TLS 1.2) are not decided in advance.
	 */
	private void requireRenegotiable(Long token, SSLSession previous) throws SSLHandshakeException {
		boolean same = token.equals(this.token) || token.equals(SessionTokens.tokenOf(previous));
		if (!same && !this.tokens.contains(token)) {
			this.engine.closeOutbound();
			throw new SSLHandshakeException("The client has renegotiated a TLS session that has ended");
		}
	}

	private static void report(Throwable ex) {
		try {
			logger.log(Level.WARNING, "Failed to store a TLS session. Its client makes a full handshake again", ex);
		}
		catch (RuntimeException failure) {
			// The handshake continues without the message.
		}
	}

	/*
	 * Only for invalidation by the application. After a failure, the JDK invalidates the
	 * session, too, and clients that do not send close_notify still resume.
	 */
	private void endIfInvalidated() {
		SSLSession session = this.session;
		if (this.endsIfInvalidated && session != null && !session.isValid()) {
			this.endsIfInvalidated = false;
			this.tokens.remove(session);
		}
	}

	/**
	 * Must be called before the SSL engine is closed.
	 */
	void closing() {
		endIfInvalidated();
		failed();
	}

	/**
	 * Must be called after the SSL engine has failed.
	 */
	void failed() {
		this.endsIfInvalidated = false;
		this.closed = true;
		this.close.run();
	}

	/** The state until the decision. */
	private static final class Undecided extends ReentrantLock {

		private static final long serialVersionUID = 1L;

		final transient HelloRecording recording = new HelloRecording();

		boolean replaying;

	}

}
