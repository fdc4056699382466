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

package dev.uncontended.tls.server;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.session.internal.Failures;

/**
 * A TLS server that can be registered with {@link TlsServers}. Implementations must be
 * thread-safe.
 */
public interface TlsServer {

	/**
	 * Returns the renewable SSL contexts that this server currently uses for new
	 * connections.
	 */
	Stream<RenewableSslContext> contexts();

	/**
	 * Returns names for operators: the parts of this server whose sessions
	 * {@link #endAll()} ends.
	 */
	default Stream<String> reached() {
		return contexts().map(RenewableSslContext::toString);
	}

	/**
	 * Returns names for operators: the parts of this server whose sessions
	 * {@link #endAll()} does not end.
	 */
	default Stream<String> unreached() {
		return Stream.empty();
	}

	/**
	 * Returns for operators where the sessions of this server are, by the names of its
	 * parts.
	 */
	default Map<String, String> sessions() {
		Map<String, String> sessions = new HashMap<>();
		Stream.concat(reached(), unreached()).forEach((name) -> sessions.put(name, "outside the session cache"));
		contexts().forEach((context) -> sessions.put(context.toString(), context.sessions()));
		return sessions;
	}

	/**
	 * Ends the sessions of this server, including sessions in stateless tickets. Sessions
	 * that the TLS engine shares between its contexts stay valid.
	 * @throws IllegalStateException if creating a new SSL context fails
	 */
	default void endAll() {
		Failures failures = new Failures();
		contexts().forEach((context) -> failures.collect(context::endSessions));
		failures.rethrow();
	}

}
