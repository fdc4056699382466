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

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import javax.net.ssl.SSLEngine;

import org.jspecify.annotations.Nullable;

/**
 * The session ids and tokens of the open connections. With TLS 1.3, each connection has
 * an id of its own. With TLS 1.2, several can share one.
 */
final class OpenConnections {

	private final Set<Connection> connections = ConcurrentHashMap.newKeySet();

	/** Servers do not close the SSL engines of all connections that vanish. */
	private final ReferenceQueue<SSLEngine> collected = new ReferenceQueue<>();

	/**
	 * Adds a connection until it is closed or its SSL engine is garbage-collected.
	 * @return closes the connection
	 */
	Runnable add(SSLEngine engine, byte[] sessionId, Long token) {
		for (Reference<?> old; (old = this.collected.poll()) != null;) {
			this.connections.remove(old);
		}
		Connection connection = new Connection(engine, this.collected, sessionId, token);
		this.connections.add(connection);
		return connection;
	}

	@Nullable Long find(byte[] sessionId) {
		for (Connection connection : this.connections) {
			if (Arrays.equals(connection.sessionId, sessionId)) {
				return connection.token;
			}
		}
		return null;
	}

	/*
	 * Compares by identity. Has no reference to the session, whose values may refer to
	 * the engine.
	 */
	private final class Connection extends WeakReference<SSLEngine> implements Runnable {

		final byte[] sessionId;

		final Long token;

		Connection(SSLEngine engine, ReferenceQueue<SSLEngine> collected, byte[] sessionId, Long token) {
			super(engine, collected);
			this.sessionId = sessionId;
			this.token = token;
		}

		@Override
		public void run() {
			OpenConnections.this.connections.remove(this);
		}

	}

}
