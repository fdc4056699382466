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
import java.util.HashMap;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * An unencrypted ServerHello or HelloRetryRequest (RFC 9846 section 4.2.3).
 *
 * @param random 32 bytes
 * @param extensions the extensions by type
 */
record ServerHello(ByteBuffer random, Map<Integer, ByteBuffer> extensions) {

	private static final int SERVER_HELLO = 2;

	private static final int HEADER_LENGTH = 5;

	private static final int HANDSHAKE = 22;

	/**
	 * Reads the first record, if it is complete and begins with the message.
	 * @param records the records, whose position does not change
	 * @return the message, or {@code null} if there is none
	 * @throws RuntimeException if the record contains a part of the message only, or is
	 * malformed
	 */
	static @Nullable ServerHello read(ByteBuffer records) {
		ByteBuffer source = records.duplicate();
		if (source.remaining() < HEADER_LENGTH || source.get() != HANDSHAKE) {
			return null;
		}
		source.getShort();
		int length = source.getShort() & 0xffff;
		if (source.remaining() < length) {
			return null;
		}
		source.limit(source.position() + length);
		if (source.get() != SERVER_HELLO) {
			return null;
		}
		source.get();
		return readMessage(takeShort(source));
	}

	private static ServerHello readMessage(ByteBuffer message) {
		message.getShort();
		ByteBuffer random = take(message, 32);
		int sessionIdLength = message.get() & 0xff;
		int suiteAndCompressionLength = 3;
		take(message, sessionIdLength + suiteAndCompressionLength);
		Map<Integer, ByteBuffer> extensions = new HashMap<>();
		// TLS 1.2 peers may omit the extensions and their length.
		ByteBuffer remaining = message.hasRemaining() ? takeShort(message) : message;
		while (remaining.hasRemaining()) {
			if (extensions.put(remaining.getShort() & 0xffff, takeShort(remaining)) != null) {
				throw new IllegalArgumentException("Two extensions have the same type");
			}
		}
		return new ServerHello(random, extensions);
	}

	private static ByteBuffer takeShort(ByteBuffer source) {
		return take(source, source.getShort() & 0xffff);
	}

	private static ByteBuffer take(ByteBuffer source, int length) {
		ByteBuffer taken = source.slice(source.position(), length);
		source.position(source.position() + length);
		return taken;
	}

}
