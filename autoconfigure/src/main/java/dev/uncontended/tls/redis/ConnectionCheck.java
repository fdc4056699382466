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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import org.jspecify.annotations.Nullable;

import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Opens a connection to Redis to find out why commands fail. Lettuce, Spring's default
 * Redis driver, does not report why reconnecting fails. Only one thread may call
 * {@link #failure}. Any thread may call {@link #stop}.
 */
final class ConnectionCheck {

	private final RedisConnectionFactory connectionFactory;

	private volatile @Nullable FutureTask<?> attempt;

	ConnectionCheck(RedisConnectionFactory connectionFactory) {
		this.connectionFactory = connectionFactory;
	}

	/**
	 * Returns why connecting to Redis fails.
	 * @return the failure; {@code null} if connecting succeeds, or if the wait times out
	 * or is interrupted
	 */
	@Nullable Throwable failure(Duration timeout) {
		try {
			attempt().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (TimeoutException ex) {
			// The attempt continues. After an interrupt, Lettuce would still open the
			// connection, and nothing would close it.
			return null;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return null;
		}
		catch (RuntimeException | Error ex) {
			this.attempt = null;
			return ex;
		}
	}

	/**
	 * Returns whether the last attempt has connected. If commands time out nevertheless,
	 * the driver's open connections are probably dead.
	 */
	boolean hasConnected() {
		FutureTask<?> attempt = this.attempt;
		return attempt != null && attempt.isDone() && !attempt.isCancelled();
	}

	/**
	 * Replaces the connection that Lettuce shares among all its users. Other drivers do
	 * not share a connection.
	 */
	void replaceSharedConnection() {
		if (this.connectionFactory instanceof LettuceConnectionFactory lettuce) {
			lettuce.resetConnection();
		}
	}

	/**
	 * Interrupts the current attempt to connect. Must be called before the connection
	 * factory stops, because the factory waits for the attempt.
	 */
	void stop() {
		FutureTask<?> attempt = this.attempt;
		if (attempt != null) {
			attempt.cancel(true);
		}
	}

	private FutureTask<?> attempt() {
		FutureTask<?> attempt = this.attempt;
		if (attempt == null || attempt.isDone()) {
			attempt = new FutureTask<>(this::connect, null);
			this.attempt = attempt;
			Thread thread = new Thread(attempt, "uncontended-ticket-keys-redis-check");
			thread.setDaemon(true);
			thread.start();
		}
		return attempt;
	}

	private void connect() {
		try (RedisConnection connection = this.connectionFactory.getConnection()) {
			// Makes Lettuce open a new connection instead of using its shared connection.
			connection.openPipeline();
		}
	}

}
