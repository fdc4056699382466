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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;

import dev.uncontended.tls.redis.SharedKeys.Question;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;

import org.springframework.core.io.ClassPathResource;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * The hash in Redis with the keys of one secret. Its name has a fingerprint of the
 * secret, so that nodes with different secrets never see each other's keys. All that
 * happens to it is one Lua script, {@code exchange.lua}, which tells the rules.
 */
final class TicketKeyHash {

	private static final RedisScript<String> EXCHANGE = RedisScript
		.of(new ClassPathResource("exchange.lua", TicketKeyHash.class), String.class);

	private final StringRedisTemplate redis;

	private final String name;

	private final TicketKeyWrap wrap;

	private final TicketKeyRotation rotation;

	private final Duration lead;

	private final SecureRandom random;

	TicketKeyHash(StringRedisTemplate redis, String keyPrefix, TicketSecret secret, TicketKeyRotation rotation,
			Duration lead, SecureRandom random) {
		this.redis = redis;
		this.name = keyPrefix + ":" + HexFormat.of().formatHex(secret.derive("fingerprint", 16));
		this.wrap = new TicketKeyWrap(secret, random);
		this.rotation = rotation;
		this.lead = lead;
		this.random = random;
	}

	/**
	 * Returns what the hash holds, to which nothing is added.
	 */
	Content read(Question question) {
		return exchange(question, Duration.ZERO, "", "");
	}

	/**
	 * Returns what the hash holds, with a new key if no key was waiting for its
	 * activation.
	 * @param question what to tell Redis
	 * @param delay how soon the key is activated if it is the first one
	 */
	Content readOrAdd(Question question, Duration delay) {
		String id = randomId();
		TicketKey candidate = TicketKey.generate(this.random);
		try {
			return exchange(question, delay, id, this.wrap.wrap(id, candidate));
		}
		finally {
			candidate.destroy();
		}
	}

	private Content exchange(Question question, Duration delay, String id, String wrapped) {
		String answer = this.redis.execute(EXCHANGE, List.of(this.name), Long.toString(question.generation()),
				Objects.requireNonNullElse(question.end(), ""), millis(this.rotation.interval()),
				millis(this.rotation.lifetime()), millis(this.lead), millis(delay), id, wrapped);
		return Content.parse(Objects.requireNonNull(answer, "No answer"), id);
	}

	private static String millis(Duration duration) {
		return Long.toString(duration.toMillis());
	}

	String randomId() {
		byte[] bytes = new byte[16];
		this.random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	void remove(List<String> ids) {
		this.redis.opsForHash().delete(this.name, ids.toArray());
	}

	@Nullable TicketKey unwrap(Entry entry) {
		return this.wrap.unwrap(entry.id(), entry.wrapped());
	}

	/**
	 * What the hash holds.
	 *
	 * @param now Redis's time, in milliseconds since 1970
	 * @param generation the generation of the keys
	 * @param entries the keys, the earliest activated first
	 * @param candidate the id of the key that the caller offered; empty if it did not
	 */
	record Content(long now, long generation, List<Entry> entries, String candidate) {

		static Content parse(String answer, String candidate) {
			String[] lines = answer.split("\n");
			String[] head = lines[0].split(" ");
			List<Entry> entries = new ArrayList<>();
			for (int i = 1; i < lines.length; i++) {
				String[] fields = lines[i].split(" ");
				entries.add(new Entry(fields[0], Long.parseLong(fields[1]), fields[2]));
			}
			entries.sort(Comparator.comparingLong(Entry::activation));
			return new Content(Long.parseLong(head[0]), Long.parseLong(head[1]), List.copyOf(entries), candidate);
		}

		/**
		 * Returns whether the caller's key has become one that encrypts at once.
		 */
		boolean isCandidateActivated() {
			return this.entries.stream()
				.anyMatch((entry) -> entry.id().equals(this.candidate) && entry.activation() <= this.now);
		}

	}

	/**
	 * A key in the hash.
	 *
	 * @param id its id, which is not its name
	 * @param activation from when it encrypts, in Redis's milliseconds since 1970
	 * @param wrapped the wrapped key
	 */
	record Entry(String id, long activation, String wrapped) {
	}

}
