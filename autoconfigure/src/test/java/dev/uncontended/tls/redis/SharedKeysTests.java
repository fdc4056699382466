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
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedKeys}.
 */
class SharedKeysTests {

	@Test
	void endPassedOnByTwoNodesKeepsKeysOfFirst() {
		End remote = new End(0, 90, "a".repeat(32));
		SharedKeys first = keys();
		SharedKeys second = keys();
		first.passOn(remote);
		second.passOn(remote);
		Changes changes = first.merge(new Content(100, 0, false, Map.of()), 0);
		Changes late = second.merge(new Content(101, 0, false, Map.of()), 0);
		Map<String, String> hash = new HashMap<>(changes.puts());
		hash.putAll(changes.newKey());
		first.merge(new Content(100, 0, false, hash), 0);
		assertThat(first.schedule()).hasSize(1);
		hash.putAll(late.puts());
		first.merge(new Content(101, 0, false, hash), 0);
		assertThat(first.schedule()).hasSize(1);
	}

	@ParameterizedTest
	@CsvSource({ "0:0:0, 0:0:0, 0:0:0", "0:1:0, 0:0:0, 0:1:0", "0:1:0, 0:2:0, 0:2:0", "0:1:1, 0:1:0, 0:1:1",
			"0:9:9, 1:0:0, 1:0:0", "1:1:0, 0:9:9, 1:1:0" })
	void learnsLatestEnd(String first, String second, String latest) {
		assertThat(SharedKeys.latest(end(first), List.of(end(second)))).isEqualTo(end(latest));
	}

	@ParameterizedTest
	@CsvSource({ "0:1:0, 1000, true", "0:1:0, 2000, false", "0:0:0, 1000, false", "0:2:0, 1000, false",
			"1:1:0, 1000, false", "0:1:1, 1000, false" })
	void adoptsOnlyCurrentKeysCreatedSinceEnd(String end, long time, boolean adopted) {
		SharedKey key = key(end(end), 1000);
		assertThat(SharedKeys.adopt(List.of(key), end("0:1:0"), time)).hasSize(adopted ? 1 : 0);
	}

	/**
	 * The lead is 60 and the interval is 1000.
	 */
	@ParameterizedTest
	@CsvSource({ "'', false, 5000", "'', true, 5060", "5061, false, 5000", "5061, true, 5060", "5060, false, ",
			"5000 6000, false, ", "5000, false, 6000", "4900, false, 5900", "3000, false, 5060",
			"5000 7000, false, 6000" })
	void addsKeyBeforeItIsNeeded(String activations, boolean anyActivated, @Nullable Long expected) {
		List<SharedKey> current = Stream.of(activations.split(" "))
			.filter((activation) -> !activation.isEmpty())
			.map((activation) -> key(End.NONE, Long.parseLong(activation)))
			.toList();
		OptionalLong activation = SharedKeys.activationOfNewKey(current, 5000, anyActivated, 60, 1000);
		assertThat(activation).isEqualTo((expected != null) ? OptionalLong.of(expected) : OptionalLong.empty());
	}

	@ParameterizedTest
	@CsvSource({ "a=1, a=1, '', ''", "a=1, a=2, '', a=2", "a=1, '', a=1, ''", "'', a=1, '', a=1",
			"a=1 b=2, b=3 c=4, a=1, b=3 c=4" })
	void listsChanges(String hash, String target, String removals, String puts) {
		Changes changes = Changes.between(map(hash), map(target), Map.of(), false, false, 0);
		assertThat(changes.removals()).isEqualTo(map(removals));
		assertThat(changes.puts()).isEqualTo(map(puts));
		assertThat(changes.size()).isEqualTo(map(target).size());
	}

	private static Map<String, String> map(String text) {
		return Stream.of(text.split(" "))
			.filter((entry) -> !entry.isEmpty())
			.map((entry) -> entry.split("="))
			.collect(Collectors.toMap((entry) -> entry[0], (entry) -> entry[1]));
	}

	private static End end(String text) {
		String[] parts = text.split(":");
		return new End(Integer.parseInt(parts[0]), Long.parseLong(parts[1]), parts[2].repeat(32));
	}

	private static SharedKey key(End end, long activation) {
		return new SharedKey("0".repeat(32), "", end, activation, activation + 1000,
				TicketKey.generate(new SecureRandom()));
	}

	static SharedKeys keys() {
		RedisTicketKeyOptions options = new RedisTicketKeyOptions(List.of(secret()),
				new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), "test", Duration.ofSeconds(30),
				new SecureRandom());
		return new SharedKeys(records(), options, true);
	}

	static SealedRecords records() {
		return new SealedRecords(secret(), RedisTicketKeySource.FORMAT, "test", new SecureRandom());
	}

	private static TicketSecret secret() {
		return new TicketSecret(AbstractRedisTests.SECRET);
	}

}
