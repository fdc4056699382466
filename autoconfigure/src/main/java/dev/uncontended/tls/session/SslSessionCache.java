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

package dev.uncontended.tls.session;

import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;

import org.jspecify.annotations.Nullable;

/**
 * A cache of the TLS sessions that an application's servers store with the JDK's engine.
 * It decides which of these sessions resume: a session that this cache evicts, expires or
 * ends requires a full handshake. Thread-safe.
 * <p>
 * A session times out when the time since its full handshake reaches the timeout. A
 * resumption does not extend the timeout. After 64 resumptions, the next handshake is
 * full.
 * <p>
 * Sessions in stateless tickets, which clients store, are not in this cache. Only
 * {@link #endAll()} ends these sessions as well.
 * <p>
 * With TLS 1.3, the id of a session changes with each resumption. {@link #getSession},
 * {@link #getIds} and {@link #remove(byte[])} know a session by its newest id, and
 * {@link #remove(SSLSession)} by each. {@code getIds} returns a snapshot. All other
 * operations take constant time. Inspecting sessions does not affect statistics.
 * <p>
 * The only implementation is the auto-configured bean.
 */
public interface SslSessionCache extends SSLSessionContext {

	/**
	 * Returns the session with the given id.
	 * @param sessionId the newest id of the session
	 * @return the session, or {@code null} if it does not exist, has timed out or is
	 * invalid
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Override
	@Nullable SSLSession getSession(byte[] sessionId);

	/**
	 * Ends the session with the given id. Its client makes a full handshake next time. A
	 * handshake that resumes the session at the same time fails.
	 * @param sessionId the newest id of the session
	 * @return the session, or {@code null} if it did not exist or had timed out
	 * @throws NullPointerException if the id is {@code null}
	 */
	@Nullable SSLSession remove(byte[] sessionId);

	/**
	 * Ends a session like {@link #remove(byte[])}. If a client has several connections
	 * with sessions of one full handshake, each of these sessions ends all of them.
	 * @param session the session of any connection
	 * @return whether the session existed and had not timed out
	 */
	boolean remove(SSLSession session);

	/**
	 * Ends all sessions, including those in stateless tickets. If nodes share ticket keys
	 * through Redis, also ends the sessions of the other nodes. Open connections stay
	 * open.
	 * @return how far the end has reached so far; {@link Reach#THIS_NODE} without shared
	 * ticket keys
	 */
	Reach endAll();

	/**
	 * Returns the number of sessions, including sessions still in memory that cannot
	 * resume any more, because they have timed out, or a reload of certificates has
	 * replaced their SSL context.
	 * @return the number of sessions, exact while no write is under way
	 */
	long estimatedSize();

	/**
	 * Returns statistics of this cache.
	 * @return the current counts
	 */
	SslSessionStats stats();

}
