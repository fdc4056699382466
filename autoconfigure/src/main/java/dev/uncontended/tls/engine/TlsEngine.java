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
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
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
	 * The name of the virtual host for clients that send no server name (SNI) or an
	 * unknown server name. Tomcat uses the same name.
	 */
	String DEFAULT_HOST = "_default_";

	/**
	 * Returns an engine for one virtual host of a server. Sessions that the returned
	 * engine shares between its {@linkplain Context contexts} resume only for this
	 * virtual host. A newly constructed engine is for {@link #DEFAULT_HOST}.
	 * @param host the configured name of the virtual host
	 * @return an engine for this virtual host
	 */
	default TlsEngine forHost(String host) {
		return this;
	}

	/**
	 * Returns whether servers should by default prefer the client's order of cipher
	 * suites. With the client's order, all servers select the same cipher suite for a
	 * client. A TLS 1.2 session resumes only on servers that select its cipher suite.
	 * @return {@code true} if servers should prefer the client's order
	 */
	default boolean prefersCipherSuiteOrderOfClients() {
		return false;
	}

	/**
	 * Returns whether sessions are kept in memory instead of in tickets.
	 * @return {@code true} if new contexts issue no stateless tickets
	 */
	default boolean isStateful() {
		return false;
	}

	/**
	 * Returns the groups that the engine may use for key exchanges.
	 * @return the IANA names, in order of preference; empty if unknown. The default
	 * implementation returns an empty list
	 */
	default List<String> groups() {
		return List.of();
	}

	/**
	 * Returns whether a server may use another TLS implementation that the application
	 * has configured for it.
	 * @return {@code false} if the server must not start without this engine
	 */
	default boolean isReplaceable() {
		return true;
	}

	/**
	 * Creates a context. If the engine shares a session cache or ticket keys between its
	 * contexts, it must end the shared sessions itself.
	 * @param protocol the protocol of the {@link SSLContext}, such as {@code TLS}
	 * @param keyManagers the key managers, as for {@link SSLContext#init}
	 * @param trustManagers the trust managers, as for {@link SSLContext#init}
	 * @param random the source of random bytes, or {@code null} for the default
	 * @return a new, initialized context
	 * @throws GeneralSecurityException if creating the context fails
	 */
	Context createContext(String protocol, KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws GeneralSecurityException;

	/**
	 * A {@link TlsEngine}'s equivalent of an {@link SSLContext}. Implementations must be
	 * thread-safe.
	 */
	interface Context {

		/**
		 * Returns whether the TLS engine has ended all sessions since it created this
		 * context.
		 * @return {@code true} if the next handshake needs a new context. The default
		 * implementation returns {@code false}
		 */
		default boolean isEnded() {
			return false;
		}

		/**
		 * Creates an SSL engine. If the owner replaces this context before the handshake
		 * starts, the SSL engine must use the new context.
		 * @param owner the SSL context that receives the SSL engine's reports
		 * @param peerHost the name of the peer, or {@code null}
		 * @param peerPort the port of the peer, or -1
		 * @return a new SSL engine
		 */
		ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort);

		/**
		 * Returns the session context of SSL engines in server mode, excluding sessions
		 * shared between contexts.
		 * @return the session context
		 */
		SSLSessionContext sessions();

		/**
		 * Returns the default parameters of SSL engines.
		 * @return new parameters
		 */
		SSLParameters defaultParameters();

		/**
		 * Returns parameters with all supported protocols and cipher suites.
		 * @return new parameters
		 */
		SSLParameters supportedParameters();

		/**
		 * Returns the SSL context for sockets and for client-side sessions.
		 * @return the SSL context
		 * @throws UnsupportedOperationException if the TLS engine supports only SSL
		 * engines in server mode. The default implementation throws this exception
		 */
		default SSLContext sslContext() {
			throw new UnsupportedOperationException("This TLS engine supports server engines only");
		}

	}

}
