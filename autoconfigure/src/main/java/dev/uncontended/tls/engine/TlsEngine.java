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
public interface TlsEngine extends AutoCloseable {

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
	 * Returns whether the implementation is native, and the application has asked for it.
	 * If so, servers give SSL engines direct buffers, because other buffers are copied,
	 * and use the client's order of cipher suites, as BoringSSL does. They must not start
	 * with another TLS implementation.
	 */
	default boolean isNative() {
		return false;
	}

	/**
	 * Returns the IANA names of the groups that the engine may use for key exchanges;
	 * empty if unknown.
	 */
	default List<String> groups() {
		return List.of();
	}

	/**
	 * Creates a context. The parameters are those of
	 * {@link SSLContext#getInstance(String)} and {@link SSLContext#init}.
	 */
	Context createContext(String protocol, KeyManager @Nullable [] keyManagers, TrustManager @Nullable [] trustManagers,
			@Nullable SecureRandom random) throws GeneralSecurityException;

	/**
	 * Releases what the engine has registered elsewhere. Open connections stay open.
	 */
	@Override
	default void close() {
	}

	/**
	 * A {@link TlsEngine}'s equivalent of an {@link SSLContext}. Implementations must be
	 * thread-safe. By default, the methods use {@link #sslContext()}. An implementation
	 * without an SSL context overrides all other methods.
	 */
	interface Context {

		/**
		 * Returns whether all sessions have ended since this context was created. If so,
		 * the next connection needs a new context.
		 */
		boolean isEnded();

		/**
		 * Returns where the sessions of new connections are, for operators.
		 */
		default String sessions() {
			return "in the clients' tickets";
		}

		/**
		 * Returns the settings of the sessions, or {@code null} if servers cannot change
		 * them.
		 */
		default @Nullable SSLSessionContext serverSessions() {
			return null;
		}

		/**
		 * Creates an SSL engine. If all sessions end before its handshake starts, the SSL
		 * engine must not resume any of them.
		 * @param owner the SSL context that receives the SSL engine's reports
		 */
		ReportingSslEngine createEngine(RenewableSslContext owner, @Nullable String peerHost, int peerPort);

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
