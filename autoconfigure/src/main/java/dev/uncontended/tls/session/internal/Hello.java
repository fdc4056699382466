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

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

/**
 * A ClientHello or a ServerHello (RFC 5246, and RFC 9846 section 4.1).
 *
 * @param extensions the contents of the extensions by their types
 */
public record Hello(ByteBuffer random, ByteBuffer sessionId, Map<Integer, ByteBuffer> extensions) {

	private static final int CLIENT_HELLO = 1;

	private static final int SERVER_HELLO = 2;

	private static final int PRE_SHARED_KEY = 41;

	private static final int HEADER_LENGTH = 5;

	private static final int HANDSHAKE = 22;

	/**
	 * Reads the first record, if it is complete and begins with a ClientHello.
	 * @param records the records, whose position does not change
	 * @return the message, or {@code null} if there is none
	 * @throws RuntimeException if the record contains a part of the message only, or is
	 * malformed
	 */
	static @Nullable Hello ofClient(ByteBuffer records) {
		return read(records, CLIENT_HELLO);
	}

	/**
	 * Reads the first record like {@link #ofClient}, for a ServerHello.
	 */
	public static @Nullable Hello ofServer(ByteBuffer records) {
		return read(records, SERVER_HELLO);
	}

	private static @Nullable Hello read(ByteBuffer records, int type) {
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
		if (source.get() != type) {
			return null;
		}
		source.get();
		return read(takeShort(source), type == CLIENT_HELLO);
	}

	private static Hello read(ByteBuffer message, boolean client) {
		message.getShort();
		ByteBuffer random = take(message, 32);
		ByteBuffer sessionId = takeByte(message);
		if (client) {
			takeShort(message);
			takeByte(message);
		}
		else {
			take(message, 3);
		}
		Map<Integer, ByteBuffer> extensions = new HashMap<>();
		// TLS 1.2 peers may omit the extensions and their length.
		ByteBuffer remaining = message.hasRemaining() ? takeShort(message) : message;
		while (remaining.hasRemaining()) {
			if (extensions.put(remaining.getShort() & 0xffff, takeShort(remaining)) != null) {
				throw new IllegalArgumentException("Two extensions have the same type");
			}
		}
		return new Hello(random, sessionId, extensions);
	}

	/**
	 * Returns what a ClientHello presents to resume a session: the session id of TLS 1.2,
	 * and the identities of pre-shared keys of TLS 1.3 (RFC 9846 section 4.3.11).
	 */
	List<byte[]> presented() {
		List<byte[]> presented = new ArrayList<>();
		presented.add(bytes(this.sessionId));
		ByteBuffer keys = this.extensions.get(PRE_SHARED_KEY);
		if (keys != null) {
			ByteBuffer identities = takeShort(keys.duplicate());
			while (identities.hasRemaining()) {
				presented.add(bytes(takeShort(identities)));
				identities.getInt();
			}
		}
		return presented;
	}

	private static byte[] bytes(ByteBuffer source) {
		byte[] bytes = new byte[source.remaining()];
		source.duplicate().get(bytes);
		return bytes;
	}

	private static ByteBuffer takeByte(ByteBuffer source) {
		return take(source, source.get() & 0xff);
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
