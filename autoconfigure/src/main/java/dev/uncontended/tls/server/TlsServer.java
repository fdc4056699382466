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

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;

/**
 * A TLS server that can be registered with {@link TlsServers}. Implementations must be
 * thread-safe.
 */
public interface TlsServer {

	/**
	 * Returns the renewable SSL contexts that this server currently uses for new
	 * connections. By default, none.
	 */
	default Stream<RenewableSslContext> contexts() {
		return Stream.empty();
	}

	/**
	 * Returns for operators where the sessions of this server are, by the names of its
	 * parts. These sessions end with all others.
	 */
	default Map<String, String> reached() {
		return contexts().collect(
				Collectors.toMap(RenewableSslContext::toString, RenewableSslContext::sessions, (first, same) -> first));
	}

	/**
	 * Returns names for operators: the parts of this server whose sessions do not end
	 * with all others.
	 */
	Stream<String> unreached();

}
