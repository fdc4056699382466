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

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import dev.uncontended.tls.redis.RedisTicketKeySource.Waits;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.RecordedKeys;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketSecret;
import dev.uncontended.tls.tickets.internal.TicketClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.data.redis.health.DataRedisHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Base class of tests with a Redis server and nodes.
 */
@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
@ExtendWith(OutputCaptureExtension.class)
@Tag("integration")
abstract class AbstractRedisTests {

	static final String SECRET = "the secret of the test, 32 bytes";

	static final String OTHER_SECRET = "another secret of it, of 32 byte";

	/**
	 * A poll interval that never elapses, because tests poll explicitly.
	 */
	static final Duration MANUAL = Duration.ofHours(1);

	static final TicketKeyRotation SLOW = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	final List<Node> nodes = new ArrayList<>();

	/**
	 * How long the next nodes wait for Redis. A busy machine may take longer than the
	 * product's nodes wait.
	 */
	Waits waits = new Waits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ZERO);

	/**
	 * The product's waits, except that a manual clock does not wait for answers.
	 */
	static final Waits SHORT = new Waits(Waits.DEFAULT.poll(), Waits.DEFAULT.connect(), Waits.DEFAULT.end(),
			Duration.ZERO);

	/**
	 * The generation of the next nodes' secrets.
	 */
	int generation;

	/**
	 * The format of the next nodes' records.
	 */
	int format = RedisTicketKeySource.FORMAT;

	SecureRandom random = new SecureRandom();

	RedisServer redis;

	TcpProxy proxy;

	@BeforeEach
	void start() throws IOException {
		this.redis = RedisServer.create();
		this.proxy = new TcpProxy(this.redis::port);
	}

	@AfterEach
	void stop() throws IOException {
		this.proxy.close();
		this.nodes.forEach(Node::close);
		this.redis.close();
	}

	void shareAndEnd(Node first, Node second) {
		first.listen();
		second.listen();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		String before = first.keys.encrypting();
		assertThat(first.source.endAll()).isEqualTo(Reach.ALL_NODES);
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(second.keys.decrypting()).doesNotContain(before);
		assertThat(first.status().isUp()).isTrue();
	}

	/**
	 * Returns the status that Boot's health indicator reports.
	 */
	static Status health(RedisConnectionFactory connections) {
		return new DataRedisHealthIndicator(connections).health().getStatus();
	}

	static Stream<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName);
	}

	String name() {
		return this.redis.cli("--scan", "--pattern", "test:*").split("\\R")[0];
	}

	Map<String, String> hash() {
		Map<String, String> hash = new TreeMap<>();
		String[] lines = this.redis.cli("hgetall", name()).split("\\R");
		for (int i = 0; i + 1 < lines.length; i += 2) {
			hash.put(lines[i], lines[i + 1]);
		}
		return hash;
	}

	/**
	 * Returns a node that knows the keys in Redis.
	 */
	Node node() {
		Node node = node(SECRET);
		node.reach();
		return node;
	}

	/**
	 * Returns a node that knows the keys in Redis although it receives no messages.
	 */
	Node deafNode() {
		Node node = node(SECRET);
		await(() -> {
			boolean settled = node.source.isSettled();
			node.poll();
			return settled;
		});
		return node;
	}

	Node node(String... secrets) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()), secrets);
	}

	Node node(RedisConfiguration configuration, String... secrets) {
		return node(configuration, Duration.ofSeconds(10), new ManualTicketClock(), SLOW, MANUAL, secrets);
	}

	Node node(TicketClock clock, TicketKeyRotation rotation, Duration pollInterval, String... secrets) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()), Duration.ofSeconds(10), clock,
				rotation, pollInterval, secrets);
	}

	Node node(int port, Duration timeout) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", port), timeout, new ManualTicketClock(), SLOW, MANUAL,
				SECRET);
	}

	Node node(RedisConfiguration configuration, Duration timeout, TicketClock clock, TicketKeyRotation rotation,
			Duration pollInterval, String... secrets) {
		return node(
				new LettuceConnectionFactory(configuration,
						LettuceClientConfiguration.builder().commandTimeout(timeout).build()),
				clock, rotation, pollInterval, secrets);
	}

	Node node(RedisConnectionFactory connections) {
		return node(connections, new ManualTicketClock(), SLOW, MANUAL, SECRET);
	}

	Node node(RedisConnectionFactory connections, TicketClock clock, TicketKeyRotation rotation, Duration pollInterval,
			String... secrets) {
		this.beans.initializeBean(connections, "redisConnectionFactory");
		((Lifecycle) connections).start();
		List<TicketSecret> generation = Stream.of(secrets)
			.map((secret) -> new TicketSecret(secret, this.generation))
			.toList();
		RedisTicketKeyOptions options = new RedisTicketKeyOptions(generation, rotation, "test", pollInterval,
				this.random);
		RedisTicketKeySource source = new RedisTicketKeySource(connections, options, this.format, clock, this.waits);
		Node node = new Node(() -> this.beans.destroyBean(connections), clock, source);
		this.nodes.add(node);
		return node;
	}

	static void await(Callable<Boolean> condition) {
		Awaitility.await().until(condition);
	}

	/**
	 * Seals and opens records like a node with the secret.
	 */
	SealedRecords records() {
		return new SealedRecords(new TicketSecret(SECRET), RedisTicketKeySource.FORMAT, "test", new SecureRandom());
	}

	End end(String secret) {
		SealedRecords records = new SealedRecords(new TicketSecret(secret), RedisTicketKeySource.FORMAT, "test",
				new SecureRandom());
		String record = this.redis.cli("hget", records.hash(), TicketKeyHash.END);
		return record.isEmpty() ? End.NONE : Objects.requireNonNull(records.openEnd(record));
	}

	static final class Node implements AutoCloseable {

		final Runnable disconnect;

		final TicketClock clock;

		final RedisTicketKeySource source;

		final RecordedKeys keys;

		Node(Runnable disconnect, TicketClock clock, RedisTicketKeySource source) {
			this.disconnect = disconnect;
			this.clock = clock;
			this.source = source;
			this.keys = RecordedKeys.of(source);
		}

		/**
		 * Polls, and returns whether the poll has succeeded.
		 */
		boolean poll() {
			try {
				this.source.polls.submit().get();
				return status().lastFailure() == null;
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Polls until a poll succeeds and the node uses the keys in Redis.
		 */
		void reach() {
			await(() -> {
				boolean settled = this.source.isSettled();
				return poll() && settled;
			});
		}

		/**
		 * Polls until the node receives messages. A failed subscription is retried after
		 * a poll.
		 */
		void listen() {
			reach();
			await(() -> poll() && this.source.messages.isHeard());
		}

		String id() {
			return this.source.status().nodes().self();
		}

		TicketKeyStatus status() {
			return this.source.status();
		}

		ManualTicketClock manualClock() {
			return (ManualTicketClock) this.clock;
		}

		void advance(Duration time) {
			manualClock().advance(time);
			this.source.ring.advance();
		}

		@Override
		public void close() {
			this.source.close();
			this.disconnect.run();
		}

	}

}
