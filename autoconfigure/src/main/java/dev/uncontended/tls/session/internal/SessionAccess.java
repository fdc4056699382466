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

import java.util.Objects;

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.SslSessionCache;
import org.jspecify.annotations.Nullable;

/**
 * What servers and TLS engines do with an {@link SslSessionCache}, and applications do
 * not. The class {@code SslSessionCache} provides the only instance.
 */
public abstract class SessionAccess {

	private static volatile @Nullable SessionAccess instance;

	public static SessionAccess get() {
		return Objects.requireNonNull(instance, "instance must not be null");
	}

	public static void set(SessionAccess access) {
		instance = access;
	}

	/**
	 * Stores a session under its id. Replaces a stored session with the same id. Refuses
	 * a session that is invalid or has no id.
	 */
	public abstract void put(SslSessionCache cache, SSLSession session);

	/**
	 * Stores the session of a full handshake. Replaces an entry with the same key.
	 */
	public abstract void put(SslSessionCache cache, Object key, StoredSession session);

	/**
	 * Returns the entry of a resumed session, and counts a hit.
	 * @return the entry, or {@code null} if it does not exist, has timed out or is
	 * invalid
	 */
	public abstract @Nullable StoredSession getResumed(SslSessionCache cache, Object key);

	/**
	 * Removes an entry.
	 */
	public abstract void remove(SslSessionCache cache, Object key);

	/**
	 * Removes the {@linkplain StoredSession#isObsolete() obsolete} entries. Visits all
	 * entries.
	 */
	public abstract void removeObsolete(SslSessionCache cache);

	/**
	 * Connects servers, so that the cache limits and ends their sessions.
	 */
	public abstract Registration connect(SslSessionCache cache, ServerSessions servers);

	/**
	 * Ends the sessions of connected servers, and removes and invalidates all stored
	 * sessions. Open connections stay open. Does not replace ticket keys.
	 * @throws RuntimeException the first failure of a server or a session, with the other
	 * failures as suppressed exceptions
	 */
	public abstract void endAllHere(SslSessionCache cache);

}
