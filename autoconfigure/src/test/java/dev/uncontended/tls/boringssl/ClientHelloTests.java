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
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ClientHello}.
 */
class ClientHelloTests {

	@ParameterizedTest
	@ValueSource(strings = { "localhost\0", "localhost\0.attacker.test", "\0localhost" })
	void serverNameWithNulIsIllegal(String name) {
		assertThat(withServerName(name).hasLegalServerName()).isFalse();
	}

	@ParameterizedTest
	@ValueSource(strings = { "localhost", "www.example.com", "xn--bcher-kva.example" })
	void hostNameIsLegal(String name) {
		assertThat(withServerName(name).hasLegalServerName()).isTrue();
	}

	private static ClientHello withServerName(String name) {
		byte[] bytes = name.getBytes(StandardCharsets.US_ASCII);
		ByteBuffer extension = ByteBuffer.allocate(5 + bytes.length)
			.putShort((short) (3 + bytes.length))
			.put((byte) 0)
			.putShort((short) bytes.length)
			.put(bytes);
		return new ClientHello(true, List.of(), Map.of(0, extension.flip()));
	}

}
