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

/**
 * Decides which TLS sessions of the embedded servers resume. With the JDK's engine, the
 * sessions themselves stay in the tickets of the clients. This cache has a token for each
 * session, and a server resumes a ticket only while its token is in the cache. Otherwise,
 * the client makes a full handshake. With BoringSSL, the cache is empty, and only
 * {@link #endAll()} and the timeout apply.
 * <p>
 * A session begins with a full handshake. All connections that resume it, and all their
 * tickets, belong to the same session. Two full handshakes of one client are two
 * sessions.
 * <p>
 * The auto-configured bean is the only implementation. It is thread-safe.
 */
public interface SslSessionCache {

	/**
	 * Ends the session of an open connection. No ticket of the session resumes any more,
	 * and open connections stay open. Takes time proportional to the number of open
	 * connections.
	 * @param sessionId the id of the connection's session, as the servers report it
	 * @return whether the session was in the cache
	 * @throws NullPointerException if the id is {@code null}
	 */
	boolean remove(byte[] sessionId);

	/**
	 * Ends a session like {@link #remove(byte[])}.
	 * @param session the session of any connection, open or closed
	 * @return whether the session was in the cache
	 * @throws NullPointerException if the session is {@code null}
	 */
	boolean remove(SSLSession session);

	/**
	 * Ends all sessions. If nodes share ticket keys through Redis, also ends the sessions
	 * of the other nodes, and waits until the known nodes have confirmed it, for at most
	 * the poll interval and three seconds, and at most 15 seconds. Open connections stay
	 * open.
	 * @return how far the end has reached so far; {@link Reach#THIS_NODE} without shared
	 * ticket keys
	 */
	Reach endAll();

	/**
	 * Returns the number of sessions that can resume.
	 * @return the number of sessions, exact while no write is under way; includes expired
	 * sessions if the servers have different timeouts
	 */
	long estimatedSize();

	/**
	 * Returns statistics of this cache.
	 * @return the current counts
	 */
	SslSessionStats stats();

}
