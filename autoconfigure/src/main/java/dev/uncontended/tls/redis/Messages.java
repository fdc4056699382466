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
import java.util.function.Consumer;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.data.redis.connection.Message;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.SubscriptionListener;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;

/**
 * The Redis channel on which nodes publish sealed {@linkplain Announcement announcements}
 * and hear the announcements of all nodes. Thread-safe, except {@link #listen()} and
 * {@link #stop()}.
 */
final class Messages {

	private static final Log logger = LogFactory.getLog(Messages.class);

	private static final long LONGEST_WAIT = 1000;

	/** A longer message is not read. A sealed announcement has about 120 characters. */
	private static final int MAXIMUM_LENGTH = 4096;

	private final StringRedisTemplate redis;

	private final String channel;

	private final RedisMessageListenerContainer listener = new RedisMessageListenerContainer();

	private int attempts;

	private int callsUntilAttempt;

	Messages(RedisConnectionFactory connectionFactory, StringRedisTemplate redis, String channel,
			Consumer<String[]> consumer, Runnable subscribed) {
		this.redis = redis;
		this.channel = channel;
		this.listener.setBeanName("uncontended-ticket-keys-listener-");
		this.listener.setConnectionFactory(connectionFactory);
		this.listener.setMaxSubscriptionRegistrationWaitingTime(LONGEST_WAIT);
		this.listener.setTaskExecutor(new SyncTaskExecutor());
		// Drivers that block while they wait for messages need a separate thread.
		SimpleAsyncTaskExecutor waiting = new SimpleAsyncTaskExecutor("uncontended-ticket-keys-listener-");
		waiting.setDaemon(true);
		this.listener.setSubscriptionExecutor(waiting);
		this.listener.addMessageListener(new Listener(consumer, subscribed), new ChannelTopic(channel));
		this.listener.afterPropertiesSet();
	}

	/**
	 * Subscribes to the channel, unless this node is already subscribed. Each failure
	 * doubles the number of calls of this method until the next attempt, up to 16. This
	 * limits the log, because the listener container logs each failure.
	 */
	void listen() {
		if (this.listener.isRunning() || --this.callsUntilAttempt > 0) {
			return;
		}
		try {
			this.listener.start();
			this.attempts = 0;
		}
		catch (RuntimeException ex) {
			this.listener.stop();
			logger.debug("Failed to subscribe to messages of other nodes", ex);
			this.callsUntilAttempt = 1 << Math.min(this.attempts++, 4);
		}
	}

	boolean isHeard() {
		return this.listener.isListening();
	}

	/** Sends a message, and returns whether Redis has received it. */
	boolean send(String text) {
		try {
			this.redis.convertAndSend(this.channel, text);
			return true;
		}
		catch (RuntimeException ex) {
			logger.debug("Failed to send a message to other nodes", ex);
			return false;
		}
	}

	void stop() {
		this.listener.stop();
	}

	/**
	 * Splits messages into announcements. Runs {@code subscribed} after each
	 * subscription, also if the driver repeats a lost subscription by itself.
	 */
	private record Listener(Consumer<String[]> consumer,
			Runnable subscribed) implements MessageListener, SubscriptionListener {

		@Override
		public void onMessage(Message message, byte @Nullable [] pattern) {
			if (message.getBody().length <= MAXIMUM_LENGTH) {
				this.consumer.accept(new String(message.getBody(), StandardCharsets.US_ASCII).split(" "));
			}
		}

		@Override
		public void onChannelSubscribed(byte[] channel, long count) {
			this.subscribed.run();
		}

	}

}
