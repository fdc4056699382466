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

package dev.uncontended.tls;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the TLS handshakes that one server completes with one protocol and one cipher
 * suite. Safe for use by many threads; a count never decreases.
 *
 * @see TlsHandshakes#addListener
 */
public final class HandshakeCounter {

	private final Kind kind;

	private final LongAdder full = new LongAdder();

	private final LongAdder resumed = new LongAdder();

	HandshakeCounter(Kind kind) {
		this.kind = kind;
	}

	/**
	 * Return the server that completes these handshakes.
	 * @return the name of the server, such as {@code tomcat}
	 */
	public String server() {
		return this.kind.server();
	}

	/**
	 * Return the protocol that these handshakes agreed on.
	 * @return the standard name of the protocol, such as {@code TLSv1.3}
	 */
	public String protocol() {
		return this.kind.protocol();
	}

	/**
	 * Return the cipher suite that these handshakes agreed on.
	 * @return the standard name of the cipher suite
	 */
	public String cipherSuite() {
		return this.kind.cipherSuite();
	}

	/**
	 * Return how many of these handshakes made a new session.
	 * @return the number so far
	 */
	public long full() {
		return this.full.sum();
	}

	/**
	 * Return how many of these handshakes took up an earlier session.
	 * @return the number so far
	 */
	public long resumed() {
		return this.resumed.sum();
	}

	LongAdder of(boolean resumption) {
		return resumption ? this.resumed : this.full;
	}

	HandshakeCount snapshot() {
		return new HandshakeCount(server(), protocol(), cipherSuite(), full(), resumed());
	}

	/**
	 * What tells the handshakes of one counter from those of another.
	 */
	record Kind(String server, String protocol, String cipherSuite) {

	}

}
