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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

import dev.uncontended.AbstractReaderTests;
import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.TicketKey;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that a node converges for any content of its Redis hash: after two exchanges,
 * the node needs no further change. The input is a sequence of fields: unsealed ones, and
 * ones that another node has sealed.
 */
public class RedisHashReaderTests extends AbstractReaderTests {

	private static final int FIELD = 1 + 8 + 16;

	/** One creates the key that encrypts, the second its successor. */
	private static final int EXCHANGES = 2;

	@Override
	public void check(byte[] input) {
		Map<String, String> hash = hash(input);
		assertBoundedMemory(input, () -> exchange(hash));
	}

	private static void exchange(Map<String, String> original) {
		Map<String, String> hash = new HashMap<>(original);
		SharedKeys keys = SharedKeysTests.keys();
		Changes changes = Changes.NONE;
		for (int i = 0; i <= EXCHANGES; i++) {
			changes = keys.merge(new Content(1_000_000, 0, false, Map.copyOf(hash)), 0);
			assertThat(hash).containsAllEntriesOf(changes.removals());
			changes.removals().forEach(hash::remove);
			hash.putAll(changes.puts());
			assertThat(hash).hasSize(changes.size());
			hash.putAll(changes.newKey());
		}
		assertThat(changes.isEmpty()).isTrue();
		assertThat(keys.schedule()).isNotEmpty().hasSizeLessThanOrEqualTo(original.size() + 2);
	}

	private static Map<String, String> hash(byte[] input) {
		SealedRecords records = SharedKeysTests.records();
		Map<String, String> hash = new HashMap<>();
		ByteBuffer fields = ByteBuffer.wrap(input);
		while (fields.remaining() >= FIELD) {
			int kind = fields.get() & 3;
			long number = fields.getLong() >>> 1;
			byte[] bytes = new byte[16];
			fields.get(bytes);
			String id = HexFormat.of().formatHex(bytes);
			switch (kind) {
				case 0 -> hash.put(id, new String(bytes, StandardCharsets.ISO_8859_1));
				case 1 -> hash.put(TicketKeyHash.END, id);
				case 2 -> hash.put(TicketKeyHash.END, records.sealEnd(new End(0, number, id)));
				default -> hash.put(id, records.sealKey(id, End.NONE, number, number + 1_000_000,
						new TicketKey(new byte[TicketKey.LENGTH])));
			}
		}
		return hash;
	}

}
