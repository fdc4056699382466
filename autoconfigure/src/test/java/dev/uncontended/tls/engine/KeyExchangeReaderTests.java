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

import dev.uncontended.AbstractReaderTests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that {@link KeyExchange} reads any records. The input is a stream of records.
 */
public class KeyExchangeReaderTests extends AbstractReaderTests {

	@Override
	public void check(byte[] input) {
		assertBoundedMemory(input, () -> new KeyExchange().read(records(input), 0));
		KeyExchange exchange = new KeyExchange();
		exchange.read(records(input), 0);
		String group = exchange.group();
		assertThat(group).isNotNull();
		assertThat(exchange.read(records(new byte[0]), 0)).isFalse();
		assertThat(exchange.group()).isEqualTo(group);
	}

	private static ByteBuffer records(byte[] bytes) {
		return ByteBuffer.wrap(bytes).position(bytes.length);
	}

}
