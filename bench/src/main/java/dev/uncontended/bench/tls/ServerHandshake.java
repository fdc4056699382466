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
package dev.uncontended.bench.tls;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Optional;
import java.util.Set;

/**
 * What the server's records reveal about a TLS handshake to anyone on the network.
 *
 * @param full whether the handshake is full, rather than resumed
 * @param retried whether the server sent a HelloRetryRequest
 */
record ServerHandshake(boolean full, boolean retried) {

	private static final int CHANGE_CIPHER_SPEC = 20;

	private static final int HANDSHAKE = 22;

	private static final int SERVER_HELLO = 2;

	private static final int CERTIFICATE = 11;

	private static final int PRE_SHARED_KEY = 41;

	private static final int SUPPORTED_VERSIONS = 43;

	private static final byte[] EMPTY_MESSAGE = new byte[4];

	/** The random that marks a ServerHello as HelloRetryRequest (RFC 8446, 4.1.3). */
	private static final ByteBuffer HELLO_RETRY_REQUEST = ByteBuffer
		.wrap(HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c"));

	/**
	 * Reads the handshake. With TLS 1.3, the extension {@code pre_shared_key} of the
	 * ServerHello shows that it resumes. With TLS 1.2, a Certificate after the
	 * ServerHello shows that it is full.
	 * @param sent the first bytes that the server has sent on the connection
	 * @return the handshake, or empty if the bytes do not reveal it yet
	 */
	static Optional<ServerHandshake> read(byte[] sent) {
		ByteBuffer messages = messages(sent);
		boolean retried = false;
		boolean afterHello = false;
		while (messages.remaining() >= 4) {
			int header = messages.getInt();
			int type = header >>> 24;
			int length = header & 0xffffff;
			if (afterHello) {
				return Optional.of(new ServerHandshake(type == CERTIFICATE, retried));
			}
			if (messages.remaining() < length) {
				break;
			}
			ByteBuffer body = take(messages, length);
			if (type != SERVER_HELLO) {
				continue;
			}
			if (body.slice(2, 32).equals(HELLO_RETRY_REQUEST)) {
				retried = true;
				continue;
			}
			Set<Integer> extensions = extensions(body);
			if (extensions.contains(SUPPORTED_VERSIONS)) {
				return Optional.of(new ServerHandshake(!extensions.contains(PRE_SHARED_KEY), retried));
			}
			afterHello = true;
		}
		return Optional.empty();
	}

	/*
	 * The content of the handshake records. A ChangeCipherSpec counts as an empty
	 * message, because with TLS 1.2 it can follow the ServerHello. Alerts end the
	 * content.
	 */
	private static ByteBuffer messages(byte[] sent) {
		ByteArrayOutputStream messages = new ByteArrayOutputStream();
		ByteBuffer records = ByteBuffer.wrap(sent);
		while (records.remaining() >= 5) {
			int type = records.get();
			records.getShort();
			int length = Short.toUnsignedInt(records.getShort());
			if (records.remaining() < length || (type != HANDSHAKE && type != CHANGE_CIPHER_SPEC)) {
				break;
			}
			byte[] content = new byte[length];
			records.get(content);
			messages.writeBytes((type == HANDSHAKE) ? content : EMPTY_MESSAGE);
		}
		return ByteBuffer.wrap(messages.toByteArray());
	}

	private static Set<Integer> extensions(ByteBuffer hello) {
		hello.position(34);
		take(hello, hello.get());
		hello.position(hello.position() + 3);
		Set<Integer> extensions = new HashSet<>();
		if (hello.hasRemaining()) {
			hello.getShort();
		}
		while (hello.hasRemaining()) {
			extensions.add((int) hello.getShort());
			take(hello, Short.toUnsignedInt(hello.getShort()));
		}
		return extensions;
	}

	private static ByteBuffer take(ByteBuffer buffer, int length) {
		ByteBuffer taken = buffer.slice(buffer.position(), length);
		buffer.position(buffer.position() + length);
		return taken;
	}

}
