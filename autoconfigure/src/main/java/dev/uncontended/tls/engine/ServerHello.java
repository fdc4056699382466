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

import org.jspecify.annotations.Nullable;

/**
 * An unencrypted ServerHello or HelloRetryRequest (RFC 9846 section 4.2.3).
 *
 * @param random 32 bytes
 * @param extensions the extensions, each with its type and length
 */
record ServerHello(ByteBuffer random, ByteBuffer extensions) {

	private static final int SERVER_HELLO = 2;

	private static final int HEADER_LENGTH = 5;

	private static final int HANDSHAKE = 22;

	/**
	 * Reads the first record that a buffer contains before its position, if the record is
	 * complete and begins with the message.
	 * @param start the position of the record
	 * @return the message, or {@code null} if there is none
	 * @throws RuntimeException if the record contains a part of the message only, or is
	 * malformed
	 */
	static @Nullable ServerHello read(ByteBuffer buffer, int start) {
		// First without an object, because most records are other ones.
		if (buffer.position() - start <= HEADER_LENGTH || buffer.get(start) != HANDSHAKE
				|| buffer.get(start + HEADER_LENGTH) != SERVER_HELLO) {
			return null;
		}
		ByteBuffer source = buffer.duplicate().flip().position(start + 3);
		int length = source.getShort() & 0xffff;
		if (source.remaining() < length) {
			return null;
		}
		source.limit(source.position() + length);
		int typeAndLongLength = 2;
		skip(source, typeAndLongLength);
		return readMessage(takeShort(source));
	}

	private static ServerHello readMessage(ByteBuffer message) {
		message.getShort();
		ByteBuffer random = take(message, 32);
		int sessionIdLength = message.get() & 0xff;
		int suiteAndCompressionLength = 3;
		skip(message, sessionIdLength + suiteAndCompressionLength);
		// TLS 1.2 peers may omit the extensions and their length.
		return new ServerHello(random, message.hasRemaining() ? takeShort(message) : message);
	}

	/**
	 * Returns the content of the first extension of a type, or {@code null} if there is
	 * none.
	 * @throws RuntimeException if the extensions are malformed
	 */
	@Nullable ByteBuffer extension(int type) {
		ByteBuffer source = this.extensions.duplicate();
		while (source.hasRemaining()) {
			int found = source.getShort() & 0xffff;
			int length = source.getShort() & 0xffff;
			if (found == type) {
				return take(source, length);
			}
			skip(source, length);
		}
		return null;
	}

	private static ByteBuffer takeShort(ByteBuffer source) {
		return take(source, source.getShort() & 0xffff);
	}

	private static ByteBuffer take(ByteBuffer source, int length) {
		ByteBuffer taken = source.slice(source.position(), length);
		skip(source, length);
		return taken;
	}

	private static void skip(ByteBuffer source, int length) {
		source.position(source.position() + length);
	}

}
