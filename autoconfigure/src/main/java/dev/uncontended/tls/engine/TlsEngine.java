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

import dev.uncontended.tls.session.SslSessionCache;
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
	 */
	default TlsEngine forHost(String host) {
		return this;
	}

	/**
	 * Returns whether servers should by default prefer the client's order of cipher
	 * suites. With the client's order, all servers select the same cipher suite for a
	 * client. A TLS 1.2 session resumes only on servers that select its cipher suite.
	 */
	default boolean prefersCipherSuiteOrderOfClients() {
		return false;
	}

	/**
	 * Returns whether servers should give SSL engines direct buffers, because the
	 * implementation is native and would copy the data of other buffers.
	 */
	default boolean prefersDirectBuffers() {
		return false;
	}

	/**
	 * Returns whether sessions are kept in memory instead of in stateless tickets.
	 */
	default boolean isStateful() {
		return false;
	}

	/**
	 * Returns whether the session cache decides which of the stored sessions resume.
	 */
	default boolean usesSessionCache() {
		return true;
	}

	/**
	 * Returns the IANA names of the groups that the engine may use for key exchanges;
	 * empty if unknown.
	 */
	default List<String> groups() {
		return List.of();
	}

	/**
	 * Returns whether a server may use another TLS implementation that the application
	 * has configured for it. If not, the server must not start without this engine.
	 */
	default boolean isReplaceable() {
		return true;
	}

	/**
	 * Creates a context. If the engine shares a session cache or ticket keys between its
	 * contexts, it must end the shared sessions itself. The parameters are those of
	 * {@link SSLContext#getInstance(String)} and {@link SSLContext#init}.
	 */
	Context createContext(String protocol, KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws GeneralSecurityException;

	/**
	 * A {@link TlsEngine}'s equivalent of an {@link SSLContext}. Implementations must be
	 * thread-safe. By default, the methods use {@link #sslContext()}. An implementation
	 * without an SSL context overrides all other methods.
	 */
	interface Context {

		/**
		 * Lets a session cache decide which of this context's stored sessions resume.
		 * Called once, before {@link #createEngine}.
		 */
		default void useCache(SslSessionCache cache) {
		}

		/**
		 * Ends the sessions that this context stores in the session cache, because no new
		 * connection uses this context.
		 */
		default void endSessions() {
		}

		/**
		 * Returns whether the TLS engine has ended all sessions since it created this
		 * context. If so, the next handshake needs a new context.
		 */
		default boolean isEnded() {
			return false;
		}

		/**
		 * Creates an SSL engine. If the owner replaces this context before the handshake
		 * starts, the SSL engine must use the new context.
		 * @param owner the SSL context that receives the SSL engine's reports
		 */
		ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort);

		/**
		 * Returns the session context of SSL engines in server mode, excluding sessions
		 * shared between contexts.
		 */
		default SSLSessionContext sessions() {
			return sslContext().getServerSessionContext();
		}

		/**
		 * Returns whether SSL engines store TLS 1.3 sessions in {@link #sessions()},
		 * instead of issuing stateless tickets.
		 */
		default boolean isStateful() {
			return false;
		}

		/**
		 * Returns the size of the {@linkplain #sessions() session context} if a session
		 * cache limits the number of sessions.
		 * @param maximumSize the maximum size of the session cache; 0 means no limit
		 */
		default int sizeFor(int maximumSize) {
			return maximumSize;
		}

		/**
		 * Returns new parameters with the default protocols and cipher suites.
		 */
		default SSLParameters defaultParameters() {
			return sslContext().getDefaultSSLParameters();
		}

		/**
		 * Returns new parameters with all supported protocols and cipher suites.
		 */
		default SSLParameters supportedParameters() {
			return sslContext().getSupportedSSLParameters();
		}

		/**
		 * Returns the SSL context for sockets and for client-side sessions.
		 * @throws UnsupportedOperationException if the TLS engine supports only SSL
		 * engines in server mode
		 */
		default SSLContext sslContext() {
			throw new UnsupportedOperationException("This TLS engine supports server engines only");
		}

	}

}
