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

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedKeys}.
 */
class SharedKeysTests {

	@Test
	void endPassedOnByTwoNodesKeepsKeysOfFirst() {
		End remote = new End(90, "a".repeat(32));
		SharedKeys first = keys();
		SharedKeys second = keys();
		first.passOn(remote);
		second.passOn(remote);
		Changes changes = first.merge(new Content(100, 0, Map.of()), 0);
		Changes late = second.merge(new Content(101, 0, Map.of()), 0);
		Map<String, String> hash = new HashMap<>(changes.puts());
		hash.putAll(changes.newKey());
		first.merge(new Content(100, 0, hash), 0);
		assertThat(first.schedule()).hasSize(1);
		hash.putAll(late.puts());
		first.merge(new Content(101, 0, hash), 0);
		assertThat(first.schedule()).hasSize(1);
	}

	static SharedKeys keys() {
		RedisTicketKeyOptions options = new RedisTicketKeyOptions(List.of(secret()),
				new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), "test", Duration.ofSeconds(30),
				new SecureRandom());
		return new SharedKeys(records(), options, true);
	}

	static SealedRecords records() {
		return new SealedRecords(secret(), "test", new SecureRandom());
	}

	private static TicketSecret secret() {
		return new TicketSecret(AbstractRedisTests.SECRET);
	}

}
