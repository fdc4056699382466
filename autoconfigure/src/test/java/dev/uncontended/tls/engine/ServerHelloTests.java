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
 * Tests for {@link ServerHello}.
 */
class ServerHelloTests {

	private static final String RANDOM = "11".repeat(32);

	private static final String RANDOM_OF_RETRY = "cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c";

	private static final String TLS_1_3 = "002b00020304";

	@ParameterizedTest
	@CsvSource({ "001d, x25519", "11ec, X25519MLKEM768", "6399, other" })
	void readsGroup(String number, String name) {
		assertThat(parse(RANDOM, TLS_1_3 + "00330006" + number + "0002abcd")).isEqualTo(new ServerHello(false, name));
	}

	@Test
	void recognizesRetry() {
		assertThat(parse(RANDOM_OF_RETRY, "003300020017" + TLS_1_3)).isEqualTo(new ServerHello(true, "secp256r1"));
	}

	@Test
	void resumptionMayHaveNoKeyExchange() {
		assertThat(parse(RANDOM, TLS_1_3 + "002900020000")).isEqualTo(new ServerHello(false, "none"));
	}

	@Test
	void ignoresServerHelloOfTls12() {
		assertThat(parse(RANDOM, "ff01000100")).isNull();
	}

	@Test
	void neverThrows() {
		byte[] record = record(RANDOM, TLS_1_3 + "00330006001d0002abcd");
		for (int length = 0; length < record.length; length++) {
			assertThat(ServerHello.parse(ByteBuffer.wrap(record, 0, length))).isNull();
		}
		for (int i = 0; i < record.length; i++) {
			byte[] damaged = record.clone();
			damaged[i] = (byte) 0xff;
			ServerHello.parse(ByteBuffer.wrap(damaged));
		}
	}

	@Test
	void doesNotMoveBuffer() {
		ByteBuffer record = ByteBuffer.wrap(record(RANDOM, TLS_1_3));
		ServerHello.parse(record);
		assertThat(record.position()).isZero();
	}

	private static ServerHello parse(String random, String extensions) {
		return ServerHello.parse(ByteBuffer.wrap(record(random, extensions)));
	}

	private static byte[] record(String random, String extensions) {
		String message = "0303" + random + "00" + "1301" + "00" + "%04x".formatted(extensions.length() / 2)
				+ extensions;
		int length = message.length() / 2;
		return HexFormat.of().parseHex("160303%04x02%06x".formatted(length + 4, length) + message);
	}

}
