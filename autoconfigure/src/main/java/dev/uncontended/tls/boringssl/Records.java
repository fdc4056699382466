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

package dev.uncontended.tls.boringssl;

import java.nio.ByteBuffer;

/**
 * Reads and creates TLS records (RFC 9846 section 5.1).
 */
final class Records {

	static final int HEADER = 5;

	static final int MAXIMUM_FRAGMENT = 16_384;

	/** The maximum length of a record's content that BoringSSL accepts, in bytes. */
	static final int MAXIMUM_ENCRYPTED_FRAGMENT = MAXIMUM_FRAGMENT + 320;

	static final int FATAL = 2;

	private static final int CHANGE_CIPHER_SPEC = 20;

	private static final int ALERT = 21;

	private static final int HANDSHAKE = 22;

	private static final int APPLICATION_DATA = 23;

	private static final int MAJOR_VERSION = 3;

	private Records() {
	}

	static boolean hasHeader(ByteBuffer buffer) {
		return buffer.remaining() >= HEADER;
	}

	/**
	 * Returns the length of the next record in bytes, including its header. The buffer
	 * must contain the whole header.
	 */
	static int length(ByteBuffer buffer) {
		return HEADER + (buffer.getShort(buffer.position() + HEADER - 2) & 0xffff);
	}

	static boolean isHandshake(ByteBuffer buffer) {
		return buffer.get(buffer.position()) == HANDSHAKE;
	}

	static boolean isFatalAlert(ByteBuffer buffer) {
		return buffer.get(buffer.position()) == ALERT && length(buffer) == HEADER + 2
				&& buffer.get(buffer.position() + HEADER) == FATAL;
	}

	/**
	 * Returns whether the buffer starts with the ClientHello of a newer version in the
	 * format of SSLv2 (RFC 5246 appendix E.2).
	 */
	static boolean isSslv2Hello(ByteBuffer buffer) {
		int start = buffer.position();
		return (buffer.get(start) & 0x80) != 0 && buffer.get(start + 2) == ClientHello.TYPE
				&& buffer.get(start + 3) == MAJOR_VERSION;
	}

	/**
	 * Returns whether the next record's length exceeds BoringSSL's maximum.
	 */
	static boolean isOversized(ByteBuffer buffer) {
		return length(buffer) > HEADER + MAXIMUM_ENCRYPTED_FRAGMENT;
	}

	/**
	 * Returns whether the next record's content type or major version is unknown, or the
	 * record is empty. Netty would reject such a record without an alert.
	 */
	static boolean isUnexpected(ByteBuffer buffer) {
		int type = buffer.get(buffer.position());
		return type < CHANGE_CIPHER_SPEC || type > APPLICATION_DATA
				|| buffer.get(buffer.position() + 1) != MAJOR_VERSION || length(buffer) == HEADER;
	}

	/**
	 * Returns a record that BoringSSL rejects with the alert {@code unexpected_message},
	 * or with {@code bad_record_mac} if it expects an encrypted record.
	 */
	static ByteBuffer unexpected() {
		return ByteBuffer.wrap(new byte[] { 24, MAJOR_VERSION, 3, 0, 1, 0 });
	}

	/**
	 * Returns a record that BoringSSL rejects with the alert {@code record_overflow}.
	 */
	static ByteBuffer oversized() {
		int length = MAXIMUM_ENCRYPTED_FRAGMENT + 1;
		return ByteBuffer.allocate(HEADER + length)
			.put(0, new byte[] { APPLICATION_DATA, MAJOR_VERSION, 3, (byte) (length >> 8), (byte) length });
	}

	/**
	 * Returns a buffer with the header of a handshake record and space for {@code length}
	 * bytes of content.
	 */
	static ByteBuffer handshake(int length) {
		return ByteBuffer.allocate(HEADER + length)
			.put((byte) HANDSHAKE)
			.putShort((short) 0x301)
			.putShort((short) length);
	}

	static byte[] alert(int level, int description) {
		return new byte[] { ALERT, 3, 3, 0, 2, (byte) level, (byte) description };
	}

}
