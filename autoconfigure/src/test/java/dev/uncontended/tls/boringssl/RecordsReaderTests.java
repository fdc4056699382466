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

import java.io.ByteArrayOutputStream;

import dev.uncontended.AbstractReaderTests;
import org.jspecify.annotations.Nullable;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that the engine survives any first bytes of a client, and accepts only a
 * ClientHello that BoringSSL accepts. The input is a stream of records.
 */
public class RecordsReaderTests extends AbstractReaderTests {

	@Override
	public void check(byte[] input) throws Exception {
		assertBoundedMemory(input, () -> ServerEngines.accepts(ServerEngines.adapted(), input));
		if (ServerEngines.accepts(ServerEngines.adapted(), input)) {
			byte[] message = firstMessage(input);
			assertThat(message).isNotNull();
			assertThat(ServerEngines.boringSslAccepts(message)).isTrue();
		}
	}

	/**
	 * Returns the handshake message in the first records.
	 */
	private static byte @Nullable [] firstMessage(byte[] input) {
		ByteArrayOutputStream content = new ByteArrayOutputStream();
		int position = 0;
		while (position + 5 <= input.length && input[position] == 22) {
			int length = uint16(input, position + 3);
			content.write(input, position + 5, Math.min(length, input.length - position - 5));
			position += 5 + length;
			byte[] bytes = content.toByteArray();
			if (bytes.length >= 4) {
				int end = 4 + ((bytes[1] & 0xff) << 16) + uint16(bytes, 2);
				if (bytes.length >= end) {
					return bytes;
				}
			}
		}
		return null;
	}

	private static int uint16(byte[] bytes, int position) {
		return (bytes[position] & 0xff) << 8 | bytes[position + 1] & 0xff;
	}

}
