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
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ServerHandshake}.
 */
class ServerHandshakeTests {

	private static final int CHANGE_CIPHER_SPEC = 20;

	private static final int ALERT = 21;

	private static final int HANDSHAKE = 22;

	private static final int APPLICATION_DATA = 23;

	private static final byte[] RANDOM = new byte[32];

	private static final byte[] RETRY = HexFormat.of()
		.parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c");

	private static final byte[] VERSIONS = extension(43, 3, 4);

	private static final byte[] KEY_SHARE = extension(51, 0, 29, 0, 1, 9);

	private static final byte[] PRE_SHARED_KEY = extension(41, 0, 0);

	private static final byte[] CHANGE = rec(CHANGE_CIPHER_SPEC, new byte[] { 1 });

	private static final byte[] ENCRYPTED = rec(APPLICATION_DATA, new byte[100]);

	private static final byte[] CERTIFICATE = message(11, new byte[50]);

	private static final byte[] NEW_SESSION_TICKET = message(4, new byte[50]);

	/** An encrypted Finished that looks like a Certificate. */
	private static final byte[] FINISHED = rec(HANDSHAKE, message(11, new byte[36]));

	@Test
	void tls13HandshakeWithoutPreSharedKeyIsFull() {
		assertThat(read(rec(HANDSHAKE, hello(RANDOM, VERSIONS, KEY_SHARE)), CHANGE, ENCRYPTED)).contains(full());
	}

	@Test
	void tls13HandshakeWithPreSharedKeyIsResumed() {
		assertThat(read(rec(HANDSHAKE, hello(RANDOM, VERSIONS, KEY_SHARE, PRE_SHARED_KEY)), CHANGE, ENCRYPTED))
			.contains(resumed());
	}

	@Test
	void helloRetryRequestIsNoHandshakeByItself() {
		assertThat(read(rec(HANDSHAKE, hello(RETRY, VERSIONS, extension(51, 0, 23))), CHANGE)).isEmpty();
	}

	@Test
	void handshakeFollowsHelloRetryRequest() {
		byte[] retry = rec(HANDSHAKE, hello(RETRY, VERSIONS, extension(51, 0, 23)));
		assertThat(read(retry, CHANGE, rec(HANDSHAKE, hello(RANDOM, VERSIONS, KEY_SHARE)), ENCRYPTED))
			.contains(new ServerHandshake(true, true));
		assertThat(read(retry, rec(HANDSHAKE, hello(RANDOM, VERSIONS, KEY_SHARE, PRE_SHARED_KEY)), CHANGE))
			.contains(new ServerHandshake(false, true));
	}

	@Test
	void tls12HandshakeWithCertificateIsFull() {
		assertThat(read(rec(HANDSHAKE, hello(RANDOM)), rec(HANDSHAKE, CERTIFICATE))).contains(full());
		assertThat(read(rec(HANDSHAKE, join(hello(RANDOM, extension(35)), CERTIFICATE)))).contains(full());
	}

	@Test
	void tls12HandshakeWithoutCertificateIsResumed() {
		assertThat(read(rec(HANDSHAKE, hello(RANDOM)), CHANGE, FINISHED)).contains(resumed());
		assertThat(read(rec(HANDSHAKE, join(hello(RANDOM, extension(35)), NEW_SESSION_TICKET)), CHANGE, FINISHED))
			.contains(resumed());
	}

	@Test
	void helloWithoutExtensionsIsRead() {
		byte[] body = Arrays.copyOfRange(hello(RANDOM), 4, hello(RANDOM).length - 2);
		assertThat(read(rec(HANDSHAKE, message(2, body)), rec(HANDSHAKE, CERTIFICATE))).contains(full());
	}

	@Test
	void messageCanSpanRecords() {
		byte[] hello = hello(RANDOM, VERSIONS, KEY_SHARE, PRE_SHARED_KEY);
		assertThat(read(rec(HANDSHAKE, Arrays.copyOf(hello, 20)),
				rec(HANDSHAKE, Arrays.copyOfRange(hello, 20, hello.length))))
			.contains(resumed());
	}

	@Test
	void incompleteBytesRevealNothing() {
		byte[] sent = rec(HANDSHAKE, hello(RANDOM, VERSIONS, KEY_SHARE));
		for (int length = 0; length < sent.length; length++) {
			assertThat(read(Arrays.copyOf(sent, length))).isEmpty();
		}
	}

	@Test
	void refusedConnectionHasNoHandshake() {
		assertThat(read(rec(ALERT, new byte[] { 2, 40 }))).isEmpty();
		assertThat(read(rec(HANDSHAKE, hello(RANDOM)), rec(ALERT, new byte[] { 2, 40 }))).isEmpty();
	}

	private static ServerHandshake full() {
		return new ServerHandshake(true, false);
	}

	private static ServerHandshake resumed() {
		return new ServerHandshake(false, false);
	}

	private static Optional<ServerHandshake> read(byte[]... sent) {
		return ServerHandshake.read(join(sent));
	}

	private static byte[] rec(int type, byte[] content) {
		return ByteBuffer.allocate(5 + content.length)
			.put((byte) type)
			.putShort((short) 0x0303)
			.putShort((short) content.length)
			.put(content)
			.array();
	}

	private static byte[] message(int type, byte[] body) {
		return ByteBuffer.allocate(4 + body.length).putInt(type << 24 | body.length).put(body).array();
	}

	private static byte[] hello(byte[] random, byte[]... extensions) {
		byte[] all = join(extensions);
		return message(2,
				ByteBuffer.allocate(72 + all.length)
					.putShort((short) 0x0303)
					.put(random)
					.put((byte) 32)
					.put(new byte[32])
					.putShort((short) 0x1301)
					.put((byte) 0)
					.putShort((short) all.length)
					.put(all)
					.array());
	}

	private static byte[] extension(int type, int... content) {
		ByteBuffer extension = ByteBuffer.allocate(4 + content.length)
			.putShort((short) type)
			.putShort((short) content.length);
		Arrays.stream(content).forEach((each) -> extension.put((byte) each));
		return extension.array();
	}

	private static byte[] join(byte[]... parts) {
		ByteArrayOutputStream joined = new ByteArrayOutputStream();
		Arrays.stream(parts).forEach(joined::writeBytes);
		return joined.toByteArray();
	}

}
