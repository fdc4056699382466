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
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.net.ssl.SNIHostName;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * The fields of a TLS ClientHello (RFC 9846 section 4.2.2) that the server needs before
 * it creates Netty's engine.
 *
 * @param offersTls13 whether the client offers TLS 1.3
 * @param cipherSuites the numbers of the offered cipher suites, in the client's order
 * @param extensions the contents of the extensions, by type
 */
record ClientHello(boolean offersTls13, List<Integer> cipherSuites, Map<Integer, ByteBuffer> extensions) {

	private static final int HEADER = 4;

	/** The type of the handshake message. */
	static final int TYPE = 1;

	private static final int SERVER_NAME = 0;

	private static final int GROUPS = 10;

	private static final int APPLICATION_PROTOCOLS = 16;

	private static final int EXTENDED_MASTER_SECRET = 23;

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int TLS_1_3 = 0x304;

	/**
	 * BoringSSL's maximum length of a ClientHello, in bytes without the header, if the
	 * server does not ask for client certificates.
	 */
	static final int BORINGSSL_MAXIMUM = 16_384;

	/**
	 * Parses a complete ClientHello.
	 * @return the ClientHello, or {@code null} if it is malformed
	 */
	static @Nullable ClientHello parse(ByteBuffer message) {
		try {
			// The header, the version and the random bytes.
			skip(message, HEADER + 2 + 32);
			skip(message, uint8(message));
			List<Integer> cipherSuites = numbers(slice(message, uint16(message)), 0);
			skip(message, uint8(message));
			// TLS 1.2 clients may omit the extensions and their length.
			ByteBuffer rest = message.hasRemaining() ? slice(message, uint16(message)) : message;
			Map<Integer, ByteBuffer> extensions = new HashMap<>();
			while (rest.hasRemaining()) {
				extensions.put(uint16(rest), slice(rest, uint16(rest)));
			}
			boolean offersTls13 = numbers(extensions.get(SUPPORTED_VERSIONS), 1).contains(TLS_1_3);
			return new ClientHello(offersTls13, cipherSuites, extensions);
		}
		catch (BufferUnderflowException | IllegalArgumentException | IndexOutOfBoundsException ex) {
			return null;
		}
	}

	/**
	 * Returns the numbers of the groups that the client offers, in the client's order.
	 * The list is empty if the extension is malformed. BoringSSL then rejects the client.
	 */
	List<Integer> groups() {
		ByteBuffer groups = this.extensions.get(GROUPS);
		boolean wellFormed = groups != null && groups.remaining() >= 2 && groups.remaining() % 2 == 0;
		return wellFormed ? numbers(groups, 2) : List.of();
	}

	boolean offersExtendedMasterSecret() {
		return this.extensions.containsKey(EXTENDED_MASTER_SECRET);
	}

	/**
	 * Returns whether the server name (RFC 6066 section 3) is absent, or is a host name
	 * as the JDK defines it. BoringSSL rejects malformed extensions.
	 */
	boolean hasLegalServerName() {
		ByteBuffer extension = this.extensions.get(SERVER_NAME);
		// The length of the list, the type, and the length of the name.
		if (extension == null || extension.remaining() <= 5) {
			return true;
		}
		byte[] name = new byte[extension.remaining() - 5];
		extension.get(extension.position() + 5, name);
		try {
			new SNIHostName(name);
			return true;
		}
		catch (IllegalArgumentException ex) {
			return false;
		}
	}

	/**
	 * Returns the application protocols that the client offers (RFC 7301 section 3.1), in
	 * the client's order.
	 * @return the protocols; empty if the client has not sent the ALPN extension;
	 * {@code null} if this extension is malformed
	 */
	@Nullable List<String> applicationProtocols() {
		ByteBuffer alpn = this.extensions.get(APPLICATION_PROTOCOLS);
		if (alpn == null) {
			return List.of();
		}
		ByteBuffer extension = alpn.duplicate();
		List<String> names = new ArrayList<>();
		boolean wellFormed = extension.remaining() > 2 && uint16(extension) == extension.remaining();
		while (wellFormed && extension.hasRemaining()) {
			byte[] name = new byte[uint8(extension)];
			wellFormed = name.length > 0 && name.length <= extension.remaining();
			if (wellFormed) {
				extension.get(name);
				names.add(new String(name, StandardCharsets.ISO_8859_1));
			}
		}
		return wellFormed ? names : null;
	}

	/**
	 * Reads a list of 16-bit numbers.
	 * @param prefix the number of bytes before the first number
	 */
	static List<Integer> numbers(@Nullable ByteBuffer list, int prefix) {
		List<Integer> numbers = new ArrayList<>();
		if (list != null) {
			ByteBuffer values = list.duplicate();
			skip(values, prefix);
			while (values.hasRemaining()) {
				numbers.add(uint16(values));
			}
		}
		return numbers;
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

	/**
	 * Collects a ClientHello, and returns it in new records.
	 */
	static final class Buffer {

		private final ByteBuf message = Unpooled.buffer(0);

		void add(ByteBuffer source) {
			int length = Records.length(source);
			this.message.writeBytes(source.slice(source.position() + Records.HEADER, length - Records.HEADER));
			source.position(source.position() + length);
		}

		boolean isEmpty() {
			return !this.message.isReadable();
		}

		boolean isOtherMessage() {
			return !isEmpty() && this.message.getByte(0) != TYPE;
		}

		boolean isLongerThan(int limit) {
			return hasHeader() && length() > limit;
		}

		boolean isComplete() {
			return hasHeader() && this.message.readableBytes() >= HEADER + length();
		}

		private boolean hasHeader() {
			return this.message.readableBytes() >= HEADER;
		}

		private int length() {
			return this.message.getUnsignedMedium(1);
		}

		ByteBuffer bytes() {
			return this.message.nioBuffer();
		}

		/**
		 * Removes the next part of the message.
		 * @return a record with this part, or {@code null} if no part is left
		 */
		@Nullable ByteBuffer nextRecord() {
			int length = Math.min(this.message.readableBytes(), Records.MAXIMUM_FRAGMENT);
			if (length == 0) {
				this.message.clear().capacity(0);
				return null;
			}
			ByteBuffer record = Records.handshake(length);
			this.message.readBytes(record);
			return record.flip();
		}

	}

}
