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

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A TLS 1.3 ServerHello (RFC 8446 section 4.1.3), which is not encrypted.
 *
 * @param isRetry whether it is a HelloRetryRequest
 * @param group the IANA name of the group in the extension key_share; {@code none}
 * without the extension, and {@code other} for a group without a name here
 */
record ServerHello(boolean isRetry, String group) {

	private static final int HANDSHAKE = 22;

	private static final int SERVER_HELLO = 2;

	private static final int HEADERS = 5 + 4;

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int KEY_SHARE = 51;

	private static final int TLS_1_3 = 0x304;

	/** RFC 8446 section 4.1.3. */
	private static final ByteBuffer RANDOM_OF_RETRY = ByteBuffer
		.wrap(HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c"));

	private static final Map<Integer, String> GROUPS = Map.ofEntries(Map.entry(0x0017, "secp256r1"),
			Map.entry(0x0018, "secp384r1"), Map.entry(0x0019, "secp521r1"), Map.entry(0x001d, "x25519"),
			Map.entry(0x001e, "x448"), Map.entry(0x0100, "ffdhe2048"), Map.entry(0x0101, "ffdhe3072"),
			Map.entry(0x0102, "ffdhe4096"), Map.entry(0x0200, "MLKEM512"), Map.entry(0x0201, "MLKEM768"),
			Map.entry(0x0202, "MLKEM1024"), Map.entry(0x11eb, "SecP256r1MLKEM768"), Map.entry(0x11ec, "X25519MLKEM768"),
			Map.entry(0x11ed, "SecP384r1MLKEM1024"));

	/**
	 * Parses the first TLS record of the given bytes.
	 * @return the message, or {@code null} if the record does not start with a complete
	 * ServerHello of TLS 1.3
	 */
	static @Nullable ServerHello parse(ByteBuffer records) {
		if (records.remaining() < HEADERS || records.get(records.position()) != HANDSHAKE
				|| records.get(records.position() + 5) != SERVER_HELLO) {
			return null;
		}
		try {
			ByteBuffer message = records.slice(records.position() + HEADERS,
					records.getShort(records.position() + 7) & 0xffff);
			message.position(2);
			boolean retry = take(message, 32).equals(RANDOM_OF_RETRY);
			take(message, message.get() & 0xff);
			message.position(message.position() + 3);
			return parseExtensions(retry, take(message, message.getShort() & 0xffff));
		}
		catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			return null;
		}
	}

	private static @Nullable ServerHello parseExtensions(boolean retry, ByteBuffer extensions) {
		int version = 0;
		String group = "none";
		while (extensions.hasRemaining()) {
			int type = extensions.getShort();
			ByteBuffer content = take(extensions, extensions.getShort() & 0xffff);
			if (type == SUPPORTED_VERSIONS) {
				version = content.getShort();
			}
			else if (type == KEY_SHARE) {
				group = GROUPS.getOrDefault(content.getShort() & 0xffff, "other");
			}
		}
		return (version == TLS_1_3) ? new ServerHello(retry, group) : null;
	}

	private static ByteBuffer take(ByteBuffer source, int length) {
		ByteBuffer taken = source.slice(source.position(), length);
		source.position(source.position() + length);
		return taken;
	}

}
