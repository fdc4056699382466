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

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionAccess;
import dev.uncontended.tls.session.internal.StoredSession;

/**
 * An entry of the {@link SslSessionCache} for a session that the JDK stores.
 */
final class JdkStoredSession implements StoredSession {

	/*
	 * The JDK stores sessions itself and has no interface to replace its store. This
	 * class makes the cache decide all the same, because invalidating a session removes
	 * it from the JDK's store.
	 *
	 * Lineage. With TLS 1.2, a resumption uses the stored session itself. With TLS 1.3,
	 * each ticket is a child of the connection's session, is stored, and becomes the
	 * session of the connection that resumes it. Children inherit the reference to the
	 * peer's host, a String that JdkSslEngine creates for each connection. This reference
	 * identifies the full handshake that a session descends from. (A bound value would
	 * also be inherited, but the JDK issues a second ticket for it, which invalidating a
	 * later session does not reach.)
	 *
	 * Invalidation reaches the session's descendants, so invalidating the newest session
	 * of a lineage removes its unused tickets. "newest" is written by the thread that
	 * completes a handshake and read by the thread that removes the entry. If the removal
	 * reads the session before, the newest session is its child, and thus also invalid.
	 *
	 * Concurrency. A ticket is used once: of two connections with one ticket, one makes a
	 * full handshake and has its own entry. If a lineage has several tickets, as with
	 * Jetty, "newest" may be any of its last sessions. After the removal of the entry,
	 * each other ticket can resume once: finished() then finds no entry and invalidates
	 * the session. The same applies to a session that has expired here but not yet by the
	 * JDK's clock.
	 *
	 * A put can race with an end of all sessions or a reload, which make the context
	 * obsolete and then remove its entries. The thread that puts therefore checks the
	 * context afterwards. The JDK's timeout and size remain as the last guards.
	 */

	private final RenewableSslContext owner;

	private final TlsEngine.Context context;

	private volatile SSLSession newest;

	private JdkStoredSession(RenewableSslContext owner, TlsEngine.Context context, SSLSession session) {
		this.owner = owner;
		this.context = context;
		this.newest = session;
	}

	/**
	 * Puts the session of a full handshake into the cache if the JDK has stored it, or
	 * updates the entry of a resumed session.
	 * @param full whether the handshake was a full one
	 * @param result the result of the SSL engine that completed the handshake
	 */
	static void finished(RenewableSslContext owner, TlsEngine.Context context, SSLSession session, boolean full,
			SSLEngineResult result) {
		boolean tickets = session.getProtocol().equals("TLSv1.3");
		if (!(tickets ? context.isStateful() : context.sessions().getSession(session.getId()) != null)) {
			return;
		}
		SslSessionCache cache = owner.cache();
		Object key = new Lineage(session.getPeerHost());
		if (!full) {
			if (SessionAccess.get().getResumed(cache, key) instanceof JdkStoredSession stored) {
				stored.newest = session;
			}
			else {
				session.invalidate();
			}
		}
		else if (!tickets || result.bytesProduced() > 0) {
			// The JDK's TLS 1.3 handshake ends with the ticket, if any.
			try {
				JdkStoredSession stored = new JdkStoredSession(owner, context, session);
				SessionAccess.get().put(cache, key, stored);
				if (stored.isObsolete()) {
					SessionAccess.get().remove(cache, key);
				}
			}
			catch (Throwable ex) {
				session.invalidate();
				throw ex;
			}
		}
	}

	/**
	 * Removes the entry of an invalid session.
	 */
	static void invalidated(RenewableSslContext owner, SSLSession session) {
		SessionAccess.get().remove(owner.cache(), new Lineage(session.getPeerHost()));
	}

	@Override
	public SSLSession session() {
		return this.newest;
	}

	@Override
	public boolean isObsolete() {
		return !this.owner.uses(this.context);
	}

	@Override
	public void released() {
		this.newest.invalidate();
	}

	/**
	 * A key that compares the reference to the peer's host, not the text.
	 */
	private static final class Lineage {

		private final Object host;

		Lineage(Object host) {
			this.host = host;
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Lineage that && this.host == that.host;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.host);
		}

	}

}
