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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.redis.TicketKeyHash.Entry;
import dev.uncontended.tls.tickets.ScheduledKey;
import dev.uncontended.tls.tickets.TicketKey;
import org.jspecify.annotations.Nullable;

/**
 * What this node knows of the keys of one secret. Not safe for use by several threads.
 */
final class SharedKeys {

	private final TicketKeyHash hash;

	private final Duration lifetime;

	private Map<String, ScheduledKey> keys = new HashMap<>();

	private long generation;

	/**
	 * The id of the last end of all sessions, until Redis has been told.
	 */
	private @Nullable String end;

	SharedKeys(TicketKeyHash hash, Duration lifetime) {
		this.hash = hash;
		this.lifetime = lifetime;
	}

	TicketKeyHash hash() {
		return this.hash;
	}

	Collection<ScheduledKey> keys() {
		return this.keys.values();
	}

	boolean anyActivated(long now) {
		return this.keys.values().stream().anyMatch((key) -> key.isActivated(now));
	}

	Question question() {
		return new Question(this.generation, this.end);
	}

	/**
	 * Forgets all keys, until Redis has been told to do so too.
	 */
	void end() {
		this.keys = new HashMap<>();
		this.end = this.hash.randomId();
	}

	/**
	 * Takes over what the hash holds. An answer to a question from before the last end is
	 * of no use.
	 * @param question what Redis has been told
	 * @param content its answer
	 * @param now the time at which it came
	 * @return what came of it
	 */
	Merge merge(Question question, Content content, long now) {
		if (!Objects.equals(question.end(), this.end)) {
			return new Merge(false, List.of());
		}
		Map<String, ScheduledKey> before = (content.generation() != this.generation) ? Map.of() : this.keys;
		this.end = null;
		this.generation = content.generation();
		this.keys = new HashMap<>();
		List<String> rejected = new ArrayList<>();
		long expiry = ScheduledKey.UNKNOWN;
		for (int i = content.entries().size() - 1; i >= 0; i--) {
			Entry entry = content.entries().get(i);
			ScheduledKey known = before.get(entry.id());
			TicketKey key = key(known, entry);
			if (key == null) {
				rejected.add(entry.id());
				continue;
			}
			long activation = now + TimeUnit.MILLISECONDS.toNanos(entry.activation() - content.now());
			if (known != null && known.isActivated(now)) {
				// It goes on encrypting, also when Redis's clock has gone back.
				activation = Math.min(activation, known.activation());
			}
			this.keys.put(entry.id(), new ScheduledKey(key, activation, expiry));
			expiry = activation + this.lifetime.toNanos();
		}
		retain(before, now);
		return new Merge(content.generation() != question.expectedGeneration(), rejected);
	}

	private @Nullable TicketKey key(@Nullable ScheduledKey known, Entry entry) {
		return (known != null && !known.key().isDestroyed()) ? known.key() : this.hash.unwrap(entry);
	}

	/**
	 * Keys that have gone from the hash, because Redis has lost them, go on decrypting,
	 * and encrypting until there is another. Those that never have encrypted are not
	 * needed.
	 */
	private void retain(Map<String, ScheduledKey> before, long now) {
		boolean replaced = anyActivated(now);
		before.forEach((id, key) -> {
			ScheduledKey retained = key.expiringBy(now + this.lifetime.toNanos());
			boolean expired = key.key().isDestroyed() || (replaced && retained.expiry() <= now);
			if (key.activation() <= now && !expired) {
				this.keys.putIfAbsent(id, replaced ? retained.decryptingOnly() : retained);
			}
		});
	}

	/**
	 * What Redis is told.
	 *
	 * @param generation the latest generation of keys that this node knows of
	 * @param end the id of the end of that generation, {@code null} if it goes on
	 */
	record Question(long generation, @Nullable String end) {

		/**
		 * The generation of the answer if no other node has ended the sessions.
		 */
		long expectedGeneration() {
			return this.generation + ((this.end != null) ? 1 : 0);
		}

	}

	/**
	 * What came of an answer.
	 *
	 * @param ended whether another node has ended all sessions
	 * @param rejected the ids of entries that are not keys
	 */
	record Merge(boolean ended, List<String> rejected) {
	}

}
