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

package dev.uncontended.tls.boringssl;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionAccess;
import io.netty.internal.tcnative.SSLSessionCache;

/**
 * Stores BoringSSL's sessions in a {@link SslSessionCache} and looks them up by id. The
 * methods do not throw exceptions, because BoringSSL calls them during handshakes.
 *
 * @param cache the cache
 * @param current returns {@code true} until the next end of all sessions
 */
record SessionStore(SslSessionCache cache, BooleanSupplier current) implements SSLSessionCache {

	private static final Logger logger = System.getLogger(SessionStore.class.getName());

	private static final AtomicBoolean failed = new AtomicBoolean();

	/**
	 * Stores a session in the cache.
	 * @return {@code true} if this method has taken over the reference to the session;
	 * {@code false} if BoringSSL must free the reference
	 */
	@Override
	public boolean sessionCreated(long ssl, long pointer) {
		NativeSession session = null;
		try {
			session = new NativeSession(this, ssl, pointer);
			SessionAccess.get().put(this.cache, session);
			// An end of all sessions makes current return false, and then clears
			// the cache. If current returns true after the put, the next end
			// removes the session. If not, the session must be removed here.
			if (session.isObsolete()) {
				session.invalidate();
			}
			return true;
		}
		catch (Throwable ex) {
			failed(ex);
			if (session != null) {
				// The session owns the reference, so BoringSSL must not free it.
				session.released();
			}
			return session != null;
		}
	}

	@Override
	public long getSession(long ssl, byte[] sessionId) {
		try {
			return (this.current.getAsBoolean()
					&& SessionAccess.get().getSessionToResume(this.cache, sessionId) instanceof NativeSession session)
							? session.share() : NativeSession.NONE;
		}
		catch (Throwable ex) {
			failed(ex);
			return NativeSession.NONE;
		}
	}

	private static void failed(Throwable ex) {
		if (failed.compareAndSet(false, true)) {
			logger.log(Level.WARNING, "Failed to store or look up a TLS session; further failures are not logged", ex);
		}
	}

}
