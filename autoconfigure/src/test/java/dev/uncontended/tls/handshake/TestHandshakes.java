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

package dev.uncontended.tls.handshake;

import java.time.Duration;

/**
 * Creates handshakes. A new component of {@link HandshakeKind} changes only this class.
 */
public final class TestHandshakes {

	private TestHandshakes() {
	}

	/**
	 * Returns the kind of a TLS 1.3 handshake.
	 */
	public static HandshakeKind kind(TlsServerId server) {
		return kind(server, "TLSv1.3", "TLS_AES_128_GCM_SHA256");
	}

	/**
	 * Returns the kind of a handshake with the group x25519.
	 */
	public static HandshakeKind kind(TlsServerId server, String protocol, String cipherSuite) {
		return new HandshakeKind(server, protocol, cipherSuite, "x25519");
	}

	/**
	 * Returns a handshake of one millisecond.
	 */
	public static TlsHandshake completed(HandshakeKind kind, boolean resumed) {
		return new TlsHandshake(kind, resumed, Duration.ofMillis(1));
	}

}
