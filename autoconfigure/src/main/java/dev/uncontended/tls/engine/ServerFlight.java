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
 * Reads the group of the key exchange from the unencrypted messages of a server: the
 * ServerHello of TLS 1.3 (RFC 9846), or the ServerKeyExchange of TLS 1.2 (RFC 5246 and
 * 8422). A record can contain several messages, and a message can span records. Not
 * thread-safe.
 */
final class ServerFlight {

	private static final int HANDSHAKE = 22;

	private static final int SERVER_HELLO = 2;

	private static final int SERVER_KEY_EXCHANGE = 12;

	private static final int SERVER_HELLO_DONE = 14;

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int KEY_SHARE = 51;

	private static final int TLS_1_3 = 0x304;

	private static final int NAMED_CURVE = 3;

	/** RFC 9846 section 4.2.3. */
	private static final ByteBuffer RANDOM_OF_RETRY = ByteBuffer
		.wrap(HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c"));

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	private static final Map<Integer, String> GROUPS = Map.ofEntries(Map.entry(0x0017, "secp256r1"),
			Map.entry(0x0018, "secp384r1"), Map.entry(0x0019, "secp521r1"), Map.entry(0x001d, "x25519"),
			Map.entry(0x001e, "x448"), Map.entry(0x0100, "ffdhe2048"), Map.entry(0x0101, "ffdhe3072"),
			Map.entry(0x0102, "ffdhe4096"), Map.entry(0x0103, "ffdhe6144"), Map.entry(0x0104, "ffdhe8192"),
			Map.entry(0x0200, "MLKEM512"), Map.entry(0x0201, "MLKEM768"), Map.entry(0x0202, "MLKEM1024"),
			Map.entry(0x11eb, "SecP256r1MLKEM768"), Map.entry(0x11ec, "X25519MLKEM768"),
			Map.entry(0x11ed, "SecP384r1MLKEM1024"));

	/** The start of a message that continues in the next record. */
	private ByteBuffer start = NOTHING;

	private boolean awaitsHello = true;

	private boolean complete;

	private int retries;

	private String group = "unknown";

	/**
	 * Reads complete TLS records. Ignores malformed and further records.
	 * @return whether the records contain a HelloRetryRequest
	 */
	boolean read(ByteBuffer records) {
		int retries = this.retries;
		try {
			while (!this.complete && records.hasRemaining()) {
				boolean handshake = records.get() == HANDSHAKE;
				records.getShort();
				ByteBuffer fragment = take(records, records.getShort() & 0xffff);
				if (handshake) {
					readMessages(fragment);
				}
				else {
					// TLS 1.3 servers can send change_cipher_spec after a
					// HelloRetryRequest.
					this.complete = !this.awaitsHello;
				}
			}
		}
		catch (RuntimeException ex) {
			this.complete = true;
		}
		return this.retries > retries;
	}

	private void readMessages(ByteBuffer fragment) {
		ByteBuffer messages = concatenate(this.start, fragment);
		while (!this.complete && messages.remaining() >= 4) {
			int header = messages.getInt(messages.position());
			int length = header & 0xffffff;
			if (messages.remaining() < 4 + length) {
				break;
			}
			messages.getInt();
			readMessage(header >>> 24, take(messages, length));
		}
		this.start = this.complete ? NOTHING : concatenate(messages, NOTHING);
	}

	private void readMessage(int type, ByteBuffer message) {
		if (type == SERVER_HELLO) {
			readHello(message);
			return;
		}
		if (type == SERVER_KEY_EXCHANGE) {
			this.group = (message.get() == NAMED_CURVE) ? groupName(message.getShort()) : "other";
		}
		this.complete = this.awaitsHello || type == SERVER_KEY_EXCHANGE || type == SERVER_HELLO_DONE;
	}

	private void readHello(ByteBuffer hello) {
		hello.position(2);
		boolean retry = take(hello, 32).equals(RANDOM_OF_RETRY);
		take(hello, hello.get() & 0xff);
		hello.position(hello.position() + 3);
		boolean tls13 = false;
		String group = "none";
		// TLS 1.2 servers may omit the extensions and their length.
		ByteBuffer extensions = hello.hasRemaining() ? take(hello, hello.getShort() & 0xffff) : hello;
		while (extensions.hasRemaining()) {
			int type = extensions.getShort();
			ByteBuffer content = take(extensions, extensions.getShort() & 0xffff);
			if (type == SUPPORTED_VERSIONS) {
				tls13 = content.getShort() == TLS_1_3;
			}
			else if (type == KEY_SHARE) {
				group = groupName(content.getShort());
			}
		}
		this.group = group;
		this.awaitsHello = retry && tls13;
		this.complete = tls13 && !retry;
		if (this.awaitsHello) {
			this.retries++;
		}
	}

	/**
	 * Returns the IANA name of the group, or {@code none} without a key exchange,
	 * {@code other} for a group without a name here, and {@code unknown} before the
	 * ServerHello.
	 * @param cipherSuite the standard name of the negotiated cipher suite. With a finite
	 * field, the first bytes of the key exchange can look like a group
	 */
	String group(String cipherSuite) {
		return (cipherSuite.contains("_DHE_") || cipherSuite.contains("DH_")) ? "other" : this.group;
	}

	private static String groupName(short number) {
		return GROUPS.getOrDefault(number & 0xffff, "other");
	}

	private static ByteBuffer take(ByteBuffer source, int length) {
		ByteBuffer taken = source.slice(source.position(), length);
		source.position(source.position() + length);
		return taken;
	}

	private static ByteBuffer concatenate(ByteBuffer first, ByteBuffer second) {
		return ByteBuffer.allocate(first.remaining() + second.remaining()).put(first).put(second).flip();
	}

}
