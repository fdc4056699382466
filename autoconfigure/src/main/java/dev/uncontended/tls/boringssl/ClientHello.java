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

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The first message of a client, as far as it concerns the choice of an application
 * protocol: BoringSSL takes the choice from its context, so it has to be made before the
 * engine is.
 *
 * @param offersTls13 whether the client offers TLS 1.3
 * @param cipherSuites the numbers of the cipher suites that the client offers
 * @param applicationProtocols the application protocols that the client offers, in its
 * order; none if it offers none
 * @see <a href="https://www.rfc-editor.org/rfc/rfc8446#section-4.1.2">RFC 8446, section
 * 4.1.2</a>
 * @see <a href="https://www.rfc-editor.org/rfc/rfc7301#section-3.1">RFC 7301, section
 * 3.1</a>
 */
record ClientHello(boolean offersTls13, Set<Integer> cipherSuites, List<String> applicationProtocols) {

	private static final ClientHello MALFORMED = new ClientHello(false, Set.of(), List.of());

	private static final int RECORD_HEADER = 5;

	private static final int HANDSHAKE_RECORD = 22;

	private static final int CLIENT_HELLO = 1;

	private static final int APPLICATION_PROTOCOLS = 16;

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int TLS_1_3 = 0x304;

	/**
	 * More than any client needs, and less than servers buffer.
	 */
	private static final int LIMIT = 16_384;

	/**
	 * Returns whether more bytes are needed to tell the application protocols. Bytes that
	 * are no such message need no more: BoringSSL will reject them.
	 */
	static boolean isIncomplete(ByteBuffer source) {
		ByteBuffer message = message(source);
		int needed = (message.remaining() < 4) ? 4 : 4 + uint24(message, message.position() + 1);
		return message.remaining() < needed && isHandshake(source) && source.remaining() < LIMIT
				&& (message.remaining() == 0 || message.get(message.position()) == CLIENT_HELLO);
	}

	/**
	 * Returns the message at the start of the source; one that offers nothing if it is
	 * malformed, which BoringSSL will reject.
	 */
	static ClientHello parse(ByteBuffer source) {
		ByteBuffer message = message(source);
		boolean offersTls13 = false;
		List<String> applicationProtocols = List.of();
		try {
			if (message.get() != CLIENT_HELLO) {
				return MALFORMED;
			}
			// The length, the version and the random bytes.
			skip(message, 3 + 2 + 32);
			skip(message, uint8(message));
			Set<Integer> cipherSuites = numbers(slice(message, uint16(message)));
			skip(message, uint8(message));
			for (int left = uint16(message); left > 0;) {
				int type = uint16(message);
				int length = uint16(message);
				ByteBuffer extension = slice(message, length);
				if (type == APPLICATION_PROTOCOLS) {
					applicationProtocols = names(extension);
				}
				else if (type == SUPPORTED_VERSIONS) {
					skip(extension, 1);
					offersTls13 = numbers(extension).contains(TLS_1_3);
				}
				left -= 4 + length;
			}
			return new ClientHello(offersTls13, cipherSuites, applicationProtocols);
		}
		catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			return MALFORMED;
		}
	}

	private static Set<Integer> numbers(ByteBuffer values) {
		Set<Integer> numbers = new HashSet<>();
		while (values.hasRemaining()) {
			numbers.add(uint16(values));
		}
		return numbers;
	}

	private static List<String> names(ByteBuffer extension) {
		List<String> names = new ArrayList<>();
		skip(extension, 2);
		while (extension.hasRemaining()) {
			byte[] name = new byte[uint8(extension)];
			extension.get(name);
			names.add(new String(name, StandardCharsets.ISO_8859_1));
		}
		return names;
	}

	/*
	 * What the complete handshake records at the start of the source carry.
	 */
	private static ByteBuffer message(ByteBuffer source) {
		ByteBuffer records = source.duplicate();
		ByteBuffer message = ByteBuffer.allocate(records.remaining());
		while (records.remaining() >= RECORD_HEADER && isHandshake(records)) {
			int length = records.getShort(records.position() + 3) & 0xffff;
			if (records.remaining() < RECORD_HEADER + length) {
				break;
			}
			message.put(records.slice(records.position() + RECORD_HEADER, length));
			skip(records, RECORD_HEADER + length);
		}
		return message.flip();
	}

	private static boolean isHandshake(ByteBuffer source) {
		return !source.hasRemaining() || source.get(source.position()) == HANDSHAKE_RECORD;
	}

	private static ByteBuffer slice(ByteBuffer buffer, int length) {
		ByteBuffer slice = buffer.slice(buffer.position(), length);
		skip(buffer, length);
		return slice;
	}

	private static void skip(ByteBuffer buffer, int bytes) {
		buffer.position(buffer.position() + bytes);
	}

	private static int uint8(ByteBuffer buffer) {
		return buffer.get() & 0xff;
	}

	private static int uint16(ByteBuffer buffer) {
		return buffer.getShort() & 0xffff;
	}

	private static int uint24(ByteBuffer buffer, int index) {
		return (buffer.get(index) & 0xff) << 16 | buffer.getShort(index + 1) & 0xffff;
	}

}
