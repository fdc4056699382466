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

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Reads and changes the Redis hash of one secret, with the Lua script
 * {@code exchange.lua}.
 */
final class TicketKeyHash {

	/**
	 * The field that contains the last end of all sessions. Each other field contains a
	 * ticket key.
	 */
	static final String END = "end";

	/**
	 * The last millisecond of the year 9999. Later times of Redis are rejected, because a
	 * time may become the {@linkplain End#number() number} of an end of all sessions.
	 * These numbers never decrease.
	 */
	private static final long MAXIMUM_TIME = 253402300799999L;

	private static final RedisScript<String> EXCHANGE = RedisScript
		.of(new ClassPathResource("exchange.lua", TicketKeyHash.class), String.class);

	private final StringRedisTemplate redis;

	private final String name;

	private final Duration timeToLive;

	TicketKeyHash(StringRedisTemplate redis, String name, Duration timeToLive) {
		this.redis = redis;
		this.name = name;
		this.timeToLive = timeToLive;
	}

	/** Changes the Redis hash, and returns its content after the changes. */
	Content exchange(Changes changes) {
		List<String> arguments = new ArrayList<>();
		arguments.add(Long.toString(this.timeToLive.toMillis()));
		arguments.add(Integer.toString(changes.removals().size()));
		arguments.add(Integer.toString(changes.puts().size()));
		arguments.add(Integer.toString(changes.size()));
		for (Map<String, String> records : List.of(changes.removals(), changes.puts(), changes.newKey())) {
			records.forEach((field, value) -> arguments.addAll(List.of(field, value)));
		}
		String answer = this.redis.execute(EXCHANGE, List.of(this.name), arguments.toArray());
		return Content.parse(Objects.requireNonNull(answer, "Redis returned no result"));
	}

	/**
	 * The content of the Redis hash.
	 *
	 * @param now Redis's time in milliseconds since 1970
	 * @param rejected the number of malformed fields that the script removed
	 * @param refused whether Redis refuses writes, so the changes were not made
	 * @param records the encrypted values by field name
	 */
	record Content(long now, int rejected, boolean refused, Map<String, String> records) {

		/**
		 * Parses the result of the script.
		 * @throws IllegalStateException if the result is malformed, or its time is
		 * invalid
		 */
		static Content parse(String answer) {
			try {
				String[] words = answer.split(" ");
				long now = Long.parseLong(words[0]);
				if (now < 0 || now > MAXIMUM_TIME) {
					throw new IllegalStateException("Redis returned an invalid time: " + now);
				}
				Map<String, String> records = new HashMap<>();
				for (int i = 3; i < words.length; i += 2) {
					records.put(words[i], words[i + 1]);
				}
				return new Content(now, Integer.parseInt(words[1]), words[2].equals("1"), records);
			}
			catch (NumberFormatException | ArrayIndexOutOfBoundsException ex) {
				throw new IllegalStateException("Redis returned a malformed result", ex);
			}
		}

	}

	/**
	 * Changes to the Redis hash.
	 *
	 * @param removals the fields to remove, with their known values. The script keeps a
	 * field if its value has changed
	 * @param puts the fields to set, with their new values
	 * @param size the expected number of fields after the removals and puts
	 * @param newKey the field and value of a new key; may be empty. The script adds the
	 * key only if the hash has the expected size
	 * @param urgent whether other nodes should read the changes immediately
	 * @param hidesEnd whether the hash contains an earlier end than this node knows to
	 * have been there
	 * @param rejected the number of fields that were malformed or that this node could
	 * not decrypt
	 */
	record Changes(Map<String, String> removals, Map<String, String> puts, int size, Map<String, String> newKey,
			boolean urgent, boolean hidesEnd, int rejected) {

		static final Changes NONE = new Changes(Map.of(), Map.of(), 0, Map.of(), false, false, 0);

		/** Lists the changes that leave only the records {@code target} in the hash. */
		static Changes between(Map<String, String> records, Map<String, String> target, Map<String, String> newKey,
				boolean urgent, boolean hidesEnd, int rejected) {
			Map<String, String> removals = new HashMap<>(records);
			removals.keySet().removeAll(target.keySet());
			Map<String, String> puts = new HashMap<>(target);
			puts.entrySet().removeAll(records.entrySet());
			return new Changes(removals, puts, target.size(), newKey, urgent, hidesEnd, rejected);
		}

		boolean isEmpty() {
			return this.removals.isEmpty() && this.puts.isEmpty() && this.newKey.isEmpty();
		}

	}

}
