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
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

import dev.uncontended.tls.tickets.TicketStore;
import org.jspecify.annotations.Nullable;

import org.springframework.core.NestedExceptionUtils;
import org.springframework.dao.DataAccessException;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.data.redis.connection.DefaultStringRedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A {@link TicketStore} in Redis: one string and one hash for each secret.
 */
public final class RedisTicketStore implements TicketStore {

	/** Nodes that have stopped leave a hash behind. */
	private static final long HASH_LIFETIME = Duration.ofHours(1).toMillis();

	/**
	 * A script, because another program could replace the hash after its size is known.
	 */
	private static final byte[] READ_REPORTS = bytes("""
			local size = redis.call('MEMORY', 'USAGE', KEYS[1], 'SAMPLES', 0)
			if size and size > tonumber(ARGV[1]) then return redis.error_reply('WRONGTYPE of this size') end
			return redis.call('HGETALL', KEYS[1])
			""");

	private final StringRedisTemplate redis;

	/**
	 * Creates a store, without connecting to Redis.
	 * @param connectionFactory the factory of connections to Redis
	 */
	public RedisTicketStore(RedisConnectionFactory connectionFactory) {
		this.redis = new StringRedisTemplate(connectionFactory);
	}

	@Override
	public @Nullable String get(String name) {
		try {
			return this.redis.opsForValue().get(name, 0, MAXIMUM_SIZE - 1);
		}
		catch (DataAccessException ex) {
			requireWrongType(ex);
			return null;
		}
	}

	@Override
	public void set(String name, String value, Duration timeToLive) {
		// Whole seconds, because Spring Data Redis 4.0 has a command of its own for
		// milliseconds.
		this.redis.opsForValue().set(name, value, Duration.ofSeconds(timeToLive.toSeconds() + 1));
	}

	@Override
	public Map<String, String> reports(String name) {
		Map<String, String> reports = new HashMap<>();
		try {
			List<byte[]> entries = this.redis
				.execute((RedisCallback<List<byte[]>>) (connection) -> connection.scriptingCommands()
					.eval(READ_REPORTS, ReturnType.MULTI, 1, bytes(name), bytes(String.valueOf(MAXIMUM_SIZE))));
			for (Iterator<byte[]> entry = entries.iterator(); entry.hasNext();) {
				reports.put(string(entry.next()), string(entry.next()));
			}
		}
		catch (DataAccessException ex) {
			requireWrongType(ex);
			this.redis.unlink(name);
		}
		return reports;
	}

	private static byte[] bytes(String string) {
		return string.getBytes(StandardCharsets.UTF_8);
	}

	private static String string(byte[] bytes) {
		return new String(bytes, StandardCharsets.UTF_8);
	}

	/** Throws the exception, unless another program has stored what is no valid value. */
	private static void requireWrongType(DataAccessException ex) {
		if (!String.valueOf(NestedExceptionUtils.getMostSpecificCause(ex).getMessage()).contains("WRONGTYPE")) {
			throw ex;
		}
	}

	@Override
	public boolean report(String name, String node, String report) {
		Boolean created = this.redis.execute((RedisCallback<Boolean>) (connection) -> {
			DefaultStringRedisConnection strings = new DefaultStringRedisConnection(connection);
			Boolean result = strings.hSet(name, node, report);
			strings.pExpire(name, HASH_LIFETIME);
			return result;
		});
		return Boolean.TRUE.equals(created);
	}

	@Override
	public void remove(String name, Collection<String> nodes) {
		this.redis.opsForHash().delete(name, nodes.toArray());
	}

	@Override
	public boolean isRefusal(RuntimeException failure) {
		return !(failure instanceof TransientDataAccessException
				|| failure instanceof DataAccessResourceFailureException);
	}

}
