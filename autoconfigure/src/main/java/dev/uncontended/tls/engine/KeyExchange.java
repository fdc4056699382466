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

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;

/**
 * Reads the group of a TLS 1.3 key exchange from the server's unencrypted messages (RFC
 * 9846). At most one thread at a time may read.
 */
final class KeyExchange {

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int KEY_SHARE = 51;

	/** RFC 9846 section 4.2.3. */
	private static final ByteBuffer RANDOM_OF_RETRY = ByteBuffer
		.wrap(HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c"));

	private static final Map<Integer, String> GROUPS = Map.ofEntries(Map.entry(0x0017, "secp256r1"),
			Map.entry(0x0018, "secp384r1"), Map.entry(0x0019, "secp521r1"), Map.entry(0x001d, "x25519"),
			Map.entry(0x001e, "x448"), Map.entry(0x0100, "ffdhe2048"), Map.entry(0x0101, "ffdhe3072"),
			Map.entry(0x0102, "ffdhe4096"), Map.entry(0x0103, "ffdhe6144"), Map.entry(0x0104, "ffdhe8192"),
			Map.entry(0x0200, "MLKEM512"), Map.entry(0x0201, "MLKEM768"), Map.entry(0x0202, "MLKEM1024"),
			Map.entry(0x11eb, "SecP256r1MLKEM768"), Map.entry(0x11ec, "X25519MLKEM768"),
			Map.entry(0x11ed, "SecP384r1MLKEM1024"));

	private volatile String group = "unknown";

	/**
	 * Reads the complete TLS records that a buffer contains before its position. Ignores
	 * malformed records.
	 * @param start the position of the first record
	 * @return whether the first record contains a HelloRetryRequest
	 */
	boolean read(ByteBuffer buffer, int start) {
		try {
			ServerHello hello = ServerHello.read(buffer, start);
			if (hello == null || hello.extension(SUPPORTED_VERSIONS) == null) {
				return false;
			}
			ByteBuffer share = hello.extension(KEY_SHARE);
			this.group = (share != null) ? GROUPS.getOrDefault(share.getShort() & 0xffff, "other") : "none";
			return hello.random().equals(RANDOM_OF_RETRY);
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Returns the IANA name of the group, or {@code none} without a key exchange,
	 * {@code other} for a group without a name here, and {@code unknown} before the
	 * ServerHello and with TLS 1.2.
	 */
	String group() {
		return this.group;
	}

}
