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

import javax.net.ssl.SSLSession;

/**
 * The sessions that descend from one full handshake. With TLS 1.2, this is one session.
 * With TLS 1.3, the JDK stores a child of the connection's session for each ticket, and
 * the child becomes the session of the connection that resumes it.
 */
final class Lineage {

	final Host host;

	/** Whether no connection may be served any more, rather than only not resume. */
	volatile boolean ended;

	// Guarded by this object's monitor.
	SSLSession newest;

	int tickets;

	boolean removed;

	Lineage(SSLSession session) {
		this.host = Host.of(session);
		this.newest = session;
	}

	synchronized SSLSession newest() {
		return this.newest;
	}

	/**
	 * The reference to a peer's host. Each engine creates a String, whose reference the
	 * session of a full handshake and its descendants inherit.
	 */
	record Host(Object value) {

		static Host of(SSLSession session) {
			// Sessions of engines without a host, which are unknown, have null.
			Object host = session.getPeerHost();
			return new Host((host != null) ? host : Host.class);
		}

		@Override
		public boolean equals(Object other) {
			return other instanceof Host that && this.value == that.value;
		}

		@Override
		public int hashCode() {
			return System.identityHashCode(this.value);
		}

	}

}
