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

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;

import dev.uncontended.AbstractReaderTests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that {@link ServerFlight} reads the same from records of any length. The input
 * is a stream of records.
 */
public class ServerFlightReaderTests extends AbstractReaderTests {

	private static final String SUITE = "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256";

	@Override
	public void check(byte[] input) {
		assertBoundedMemory(input, () -> new ServerFlight().read(ByteBuffer.wrap(input)));
		ServerFlight flight = new ServerFlight();
		boolean retried = flight.read(ByteBuffer.wrap(input));
		String group = flight.group(SUITE);
		assertThat(group).isNotNull();
		assertThat(flight.read(ByteBuffer.wrap(new byte[0]))).isFalse();
		assertThat(flight.group(SUITE)).isEqualTo(group);
		ServerFlight slow = new ServerFlight();
		assertThat(slow.read(ByteBuffer.wrap(inSingleBytes(input)))).isEqualTo(retried);
		assertThat(slow.group(SUITE)).isEqualTo(group);
	}

	/**
	 * Moves each byte of a handshake record to a record of its own.
	 */
	private static byte[] inSingleBytes(byte[] input) {
		ByteArrayOutputStream records = new ByteArrayOutputStream();
		int position = 0;
		while (position < input.length) {
			int end = (position + 5 <= input.length)
					? position + 5 + ((input[position + 3] & 0xff) << 8) + (input[position + 4] & 0xff)
					: Integer.MAX_VALUE;
			if (end > input.length || input[position] != 22 || end == position + 5) {
				int length = Math.min(end, input.length) - position;
				records.write(input, position, length);
				position += length;
				continue;
			}
			for (int i = position + 5; i < end; i++) {
				records.write(input, position, 3);
				records.writeBytes(new byte[] { 0, 1, input[i] });
			}
			position = end;
		}
		return records.toByteArray();
	}

}
