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

package dev.uncontended.tls.redis;

import java.nio.charset.StandardCharsets;
import java.util.Map;

import dev.uncontended.AbstractReaderTests;
import dev.uncontended.tls.redis.TicketKeyHash.Content;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that only a message sealed with the secret ends sessions.
 */
public class RedisMessageReaderTests extends AbstractReaderTests {

	@Override
	public void check(byte[] input) {
		String message = new String(input, StandardCharsets.US_ASCII);
		assertBoundedMemory(input, () -> receive(message));
	}

	private static void receive(String message) {
		SharedKeys keys = SharedKeysTests.keys();
		for (String sealed : message.split(" ")) {
			assertThat(keys.hear(sealed)).isNull();
		}
		keys.merge(new Content(100, 0, false, Map.of()), 0);
		assertThat(keys.hasNews()).isFalse();
		assertThat(keys.end()).isEqualTo(End.NONE);
	}

}
