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

package dev.uncontended.tls.engine;

import java.security.GeneralSecurityException;
import java.security.SecureRandom;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

import org.jspecify.annotations.Nullable;

/**
 * A TLS implementation for servers, such as the JDK's.
 *
 * @see RenewableSslContext
 */
@FunctionalInterface
public interface TlsEngine {

	/**
	 * The name of the host that serves clients that name none, or an unknown one, as in
	 * Tomcat's configuration.
	 */
	String DEFAULT_HOST = "_default_";

	/**
	 * Returns an engine for one of the hosts that a server serves. Where sessions are not
	 * kept in a context of their own, they resume for the same host only.
	 * @param host the name of the host, as the server is configured. The engine is for
	 * the {@link #DEFAULT_HOST} otherwise
	 * @return an engine for this host
	 */
	default TlsEngine forHost(String host) {
		return this;
	}

	/**
	 * Returns whether servers should take the client's order of cipher suites rather than
	 * their own, if the application does not choose. A session of TLS 1.2 resumes only
	 * where its cipher suite is chosen again, and servers have different orders.
	 * @return whether sessions of one server resume on another
	 */
	default boolean prefersCipherSuiteOrderOfClients() {
		return false;
	}

	/**
	 * Returns whether sessions stay in the server's memory instead of leaving in tickets.
	 * @return whether new contexts give clients no stateless tickets
	 */
	default boolean isStateful() {
		return false;
	}

	/**
	 * Creates a context that resumes no session that was made before, except for those
	 * that the implementation keeps elsewhere, and ends there.
	 * @param protocol the protocol that the server asks an {@link SSLContext} for, such
	 * as {@code TLS}
	 * @param keyManagers the sources of keys, as {@link SSLContext#init} has them
	 * @param trustManagers the sources of trust, as {@link SSLContext#init} has them
	 * @param random the source of random bytes, or {@code null} for the default
	 * @return a new context, ready for use
	 * @throws GeneralSecurityException if the implementation does not take these
	 * arguments
	 */
	Context createContext(String protocol, KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws GeneralSecurityException;

	/**
	 * A context of this implementation. Safe for use by several threads.
	 */
	interface Context {

		/**
		 * Returns whether all sessions have ended since this context was created without
		 * its server having replaced it. Such a context resumes no session.
		 * @return whether to create another context for the next handshake; by default,
		 * sessions end only as their context is replaced
		 */
		default boolean isEnded() {
			return false;
		}

		/**
		 * Returns what makes the engines and keeps the sessions.
		 * @return the same context at each call, initialized
		 */
		SSLContext sslContext();

		/**
		 * Returns whether the handshake that has just completed took up an earlier
		 * session. Called once for each engine, by the thread that has completed the
		 * handshake, before the engine is used again.
		 * @param engine an engine that {@link #sslContext()} made
		 * @return whether the session was resumed
		 */
		boolean isResumed(SSLEngine engine);

	}

}
