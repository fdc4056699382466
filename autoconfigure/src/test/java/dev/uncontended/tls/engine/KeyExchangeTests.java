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

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link KeyExchange}.
 */
class KeyExchangeTests {

	private static final String RANDOM = "11".repeat(32);

	private static final String RANDOM_OF_RETRY = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

	private static final String TLS_1_3 = "002b00020304";

	private static final String CHANGE_CIPHER_SPEC = "140303000101";

	private final KeyExchange exchange = new KeyExchange();

	@ParameterizedTest
	@CsvSource({ "001d, x25519", "11ec, X25519MLKEM768", "0104, ffdhe8192", "6399, other" })
	void readsKeyShare(String number, String name) {
		assertThat(read(record(hello(RANDOM, TLS_1_3 + "00330006" + number + "0002abcd")))).isFalse();
		assertThat(group()).isEqualTo(name);
	}

	@Test
	void resumptionMayHaveNoKeyExchange() {
		read(record(hello(RANDOM, TLS_1_3 + "002900020000")));
		assertThat(group()).isEqualTo("none");
	}

	@Test
	void readsServerHelloAfterRetry() {
		assertThat(read(record(hello(RANDOM_OF_RETRY, "003300020017" + TLS_1_3)) + CHANGE_CIPHER_SPEC)).isTrue();
		assertThat(group()).isEqualTo("secp256r1");
		assertThat(read(record(hello(RANDOM, "00330006001d0002abcd" + TLS_1_3)) + CHANGE_CIPHER_SPEC)).isFalse();
		assertThat(group()).isEqualTo("x25519");
	}

	@Test
	void doesNotCountRetryOfTls12() {
		assertThat(read(record(hello(RANDOM_OF_RETRY, "")))).isFalse();
	}

	@Test
	void groupOfTls12IsUnknown() {
		read(record(hello(RANDOM, "ff01000100") + message(12, "03001d20ab")));
		assertThat(group()).isEqualTo("unknown");
	}

	@Test
	void ignoresMessagesOfClient() {
		assertThat(read(record(message(1, "0303" + RANDOM)))).isFalse();
		assertThat(group()).isEqualTo("unknown");
	}

	@Test
	void neverThrows() {
		byte[] flight = HexFormat.of()
			.parseHex(record(hello(RANDOM, TLS_1_3 + "00330006001d0002abcd")) + record(hello(RANDOM, "")));
		for (int i = 0; i < flight.length; i++) {
			new KeyExchange().read(ByteBuffer.wrap(flight).position(i), 0);
			new KeyExchange().read(ByteBuffer.wrap(flight).position(flight.length), i);
			for (int value : new int[] { 0, 1, 0x7f, 0x80, 0xff }) {
				byte[] damaged = flight.clone();
				damaged[i] = (byte) value;
				new KeyExchange().read(ByteBuffer.wrap(damaged).position(damaged.length), 0);
			}
		}
	}

	private boolean read(String records) {
		byte[] bytes = HexFormat.of().parseHex(records);
		return this.exchange.read(ByteBuffer.wrap(bytes).position(bytes.length), 0);
	}

	private String group() {
		return this.exchange.group();
	}

	private static String hello(String random, String extensions) {
		return message(2,
				"0303" + random + "00" + "1301" + "00" + "%04x".formatted(extensions.length() / 2) + extensions);
	}

	private static String message(int type, String content) {
		return "%02x%06x".formatted(type, content.length() / 2) + content;
	}

	private static String record(String messages) {
		return "160303%04x".formatted(messages.length() / 2) + messages;
	}

}
