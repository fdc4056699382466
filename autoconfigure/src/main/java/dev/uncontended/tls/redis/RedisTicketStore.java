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
import java.util.Collection;
import java.util.Map;
import java.util.function.Supplier;

import dev.uncontended.tls.tickets.TicketStore;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.DefaultStringRedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A {@link TicketStore} in Redis: one string and one hash for each secret.
 */
public final class RedisTicketStore implements TicketStore {

	private static final Log logger = LogFactory.getLog(RedisTicketStore.class);

	/** Nodes that have stopped leave a hash behind. */
	private static final long HASH_LIFETIME = Duration.ofHours(1).toMillis();

	private static final int TOLERATED_TIMEOUTS = 3;

	private final RedisConnectionFactory connectionFactory;

	private final StringRedisTemplate redis;

	/** The number of commands in a row that have timed out. */
	private int timeouts;

	/**
	 * Creates a store, without connecting to Redis.
	 * @param connectionFactory the factory of connections to Redis
	 */
	public RedisTicketStore(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = connectionFactory;
		this.redis = new StringRedisTemplate(connectionFactory);
	}

	@Override
	public @Nullable String get(String name) {
		return attempt(() -> this.redis.opsForValue().get(name));
	}

	@Override
	public void set(String name, String value, Duration timeToLive) {
		// Whole seconds, because Spring Data Redis 4.0 has a command of its own for
		// milliseconds.
		Duration seconds = Duration.ofSeconds(timeToLive.toSeconds() + 1);
		attempt(() -> {
			this.redis.opsForValue().set(name, value, seconds);
			return null;
		});
	}

	@Override
	public Map<String, String> reports(String name) {
		Map<String, String> reports = attempt(() -> this.redis.<String, String>opsForHash().entries(name));
		return (reports != null) ? reports : Map.of();
	}

	@Override
	public boolean report(String name, String node, String report) {
		Boolean created = attempt(() -> this.redis.execute((RedisCallback<Boolean>) (connection) -> {
			DefaultStringRedisConnection strings = new DefaultStringRedisConnection(connection);
			Boolean result = strings.hSet(name, node, report);
			strings.pExpire(name, HASH_LIFETIME);
			return result;
		}));
		return Boolean.TRUE.equals(created);
	}

	@Override
	public void remove(String name, Collection<String> nodes) {
		attempt(() -> this.redis.opsForHash().delete(name, nodes.toArray()));
	}

	/**
	 * Executes a command. If commands keep timing out, replaces the connection that
	 * Lettuce shares among its users. Otherwise, Lettuce would use a dead connection
	 * until TCP gives up, after about 15 minutes. Other drivers do not share a
	 * connection.
	 */
	private <T> @Nullable T attempt(Supplier<@Nullable T> command) {
		try {
			T result = command.get();
			this.timeouts = 0;
			return result;
		}
		catch (QueryTimeoutException ex) {
			this.timeouts++;
			if (this.timeouts % TOLERATED_TIMEOUTS == 0
					&& this.connectionFactory instanceof LettuceConnectionFactory lettuce) {
				logger.warn("Replacing the connection to Redis, which does not answer");
				lettuce.resetConnection();
			}
			throw ex;
		}
	}

}
