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
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import dev.uncontended.tls.redis.RedisTicketKeySource.Waits;
import dev.uncontended.tls.session.Reach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.data.redis.connection.MessageListener;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the confirmation of ends while another program, with the documented rights of
 * a node, shows each node another hash or suppresses messages.
 */
class HostileFleetTests extends AbstractRedisTests {

	@Test
	void nodeWithEarlierHashHearsEndAndIsDownAtThirdPoll() {
		Node first = listening();
		Node victim = listening();
		List<String> before = victim.keys.decrypting();
		try (Writer writer = new Writer()) {
			Map<String, String> old = hash();
			assertThat(first.source.endAll()).isEqualTo(Reach.ALL_NODES);
			assertThat(victim.keys.decrypting()).doesNotContainAnyElementsOf(before);
			Map<String, String> real = hash();
			for (int i = 1; i <= 3; i++) {
				writer.replace(old);
				assertThat(victim.poll()).isEqualTo(i < 3);
				assertThat(victim.keys.decrypting()).doesNotContainAnyElementsOf(before);
				writer.replace(real);
				assertThat(first.poll()).isTrue();
			}
		}
		assertThat(victim.status().lastFailure()).contains("replacing the last end");
	}

	/**
	 * A subscription can deliver a message before it is killed. The attack is repeated
	 * until it hides an end.
	 */
	@Test
	void nodeWithoutSubscriptionIsNotClaimedAndDownAtThirdPoll() {
		this.waits = SHORT;
		Node first = listening();
		Collection<String> spared = subscriptions();
		Node victim = listening();
		try (Writer writer = new Writer(); KilledSubscriptions killed = new KilledSubscriptions(spared)) {
			killed.awaitRounds();
			await(() -> hidesEnd(first, victim, writer));
		}
		List<String> before = victim.keys.decrypting();
		await(() -> {
			victim.poll();
			return first.status().lastEnd() == Reach.ALL_NODES;
		});
		assertThat(victim.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	private boolean hidesEnd(Node first, Node victim, Writer writer) {
		List<String> before = victim.keys.decrypting();
		try (Replay replay = new Replay(writer, hash())) {
			Reach reach = first.source.endAll();
			if (first.status().nodes().confirmed().contains(victim.id())) {
				assertThat(victim.keys.decrypting()).doesNotContainAnyElementsOf(before);
				return false;
			}
			assertThat(reach).isNotEqualTo(Reach.ALL_NODES);
			for (int i = 0; i < 3; i++) {
				victim.poll();
			}
			assertThat(victim.status().isUp()).isFalse();
			return replay.isRunning() && victim.keys.decrypting().equals(before);
		}
	}

	@Test
	void nodeWithoutRightToChannelIsNotClaimed() {
		this.waits = SHORT;
		Node first = listening();
		this.redis.cli("acl", "setuser", "victim", "on", ">" + RedisServer.PASSWORD, "allcommands", "allkeys",
				"allchannels");
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		configuration.setUsername("victim");
		configuration.setPassword(RedisServer.PASSWORD);
		Node victim = node(configuration, SECRET);
		victim.listen();
		List<String> before = victim.keys.decrypting();
		this.redis.cli("acl", "setuser", "victim", "resetchannels");
		assertThat(first.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(first.status().nodes().confirmed()).containsExactly(first.id());
		assertThat(first.status().nodes().unconfirmed()).containsExactly(victim.id());
		assertThat(victim.keys.decrypting()).isEqualTo(before);
		victim.poll();
		assertThat(victim.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void newNodeWithEarlierHashUsesOwnKeyUntilItHears() {
		Node first = listening();
		List<String> before = first.keys.decrypting();
		this.waits = new Waits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30),
				Duration.ofSeconds(1));
		try (Writer writer = new Writer()) {
			Map<String, String> old = hash();
			first.source.endAll();
			writer.replace(old);
			Node started = node(SECRET);
			started.poll();
			await(() -> started.status().nodes().unconfirmed().contains(started.id())
					|| started.status().nodes().confirmed().contains(first.id()) && started.source.messages.isHeard());
			await(() -> {
				writer.replace(old);
				started.poll();
				assertThat(started.keys.decrypting()).doesNotContainAnyElementsOf(before);
				return started.status().nodes().confirmed().contains(first.id());
			});
			started.manualClock().advance(Duration.ofSeconds(1));
			for (int i = 0; i < 3; i++) {
				writer.replace(old);
				started.poll();
				assertThat(started.keys.decrypting()).doesNotContainAnyElementsOf(before);
			}
			assertThat(started.status().isUp()).isFalse();
		}
	}

	@Test
	void newNodeUsesSharedKeysAfterTimeForAnswers() {
		Node first = listening();
		this.waits = new Waits(Duration.ofSeconds(30), Duration.ofSeconds(30), Duration.ofSeconds(30),
				Duration.ofSeconds(1));
		Node started = node(SECRET);
		await(() -> started.poll() && !started.status().nodes().confirmed().isEmpty());
		started.poll();
		assertThat(started.keys.decrypting()).hasSize(1);
		started.manualClock().advance(Duration.ofSeconds(1));
		started.poll();
		assertThat(started.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void nodeThatDoesNotHearItselfIsDownAtThirdPoll(CapturedOutput output) {
		Node node = listening();
		this.redis.cli("acl", "setuser", "default", "resetchannels");
		this.redis.cli("client", "kill", "type", "pubsub");
		assertThat(node.poll()).isTrue();
		assertThat(node.poll()).isTrue();
		assertThat(node.poll()).isFalse();
		assertThat(node.status().lastFailure()).contains("does not hear its own messages");
		assertThat(output).containsOnlyOnce("does not hear its own messages");
		this.redis.cli("acl", "setuser", "default", "allchannels");
		node.reach();
		assertThat(node.status().isUp()).isTrue();
	}

	@Test
	void nodeWhoseSubscriptionKeepsEndingIsDown() {
		Node node = listening();
		for (int i = 0; i < 3; i++) {
			Collection<String> before = subscriptions();
			this.redis.cli("client", "kill", "type", "pubsub");
			await(() -> !subscriptions().isEmpty() && !subscriptions().equals(before));
		}
		await(() -> !node.poll());
		assertThat(node.status().lastFailure()).contains("keeps ending");
		node.manualClock().advance(MANUAL.multipliedBy(4).plusSeconds(1));
		await(node::poll);
	}

	@Test
	void nodeAsksAgainAfterItsSubscriptionWasLost() {
		Node first = listening();
		Collection<String> spared = subscriptions();
		Node victim = listening();
		List<String> before = victim.keys.decrypting();
		try (Writer writer = new Writer()) {
			Map<String, String> old = hash();
			try (KilledSubscriptions killed = new KilledSubscriptions(spared)) {
				killed.awaitRounds();
				this.waits = SHORT;
				first.source.polls.submit();
				CompletableFuture<Reach> reach = CompletableFuture.supplyAsync(first.source::endAll);
				await(() -> end(SECRET).number() > 0);
				writer.replace(old);
				killed.stop();
				await(() -> {
					writer.replace(old);
					return victim.keys.decrypting().stream().noneMatch(before::contains);
				});
				assertThat(reach.join()).isEqualTo(Reach.ALL_NODES);
			}
		}
	}

	@Test
	void replayedAnnouncementsConfirmNothing() {
		Node first = listening();
		Node second = listening();
		List<byte[]> recorded = new CopyOnWriteArrayList<>();
		try (Writer writer = new Writer(); RedisConnection connection = writer.connections.getConnection()) {
			MessageListener recorder = (message, pattern) -> recorded.add(message.getBody());
			connection.subscribe(recorder, "test:changes".getBytes());
			for (int i = 0; i < 3; i++) {
				second.poll();
			}
			await(() -> recorded.size() >= 3);
			List<byte[]> announcements = List.copyOf(recorded);
			String id = second.id();
			second.close();
			await(() -> !first.status().nodes().confirmed().contains(id));
			announcements.forEach((message) -> writer.client.convertAndSend("test:changes", new String(message)));
			await(() -> first.status().nodes().confirmed().contains(id));
			this.waits = SHORT;
			CompletableFuture<Reach> reach = CompletableFuture.supplyAsync(first.source::endAll);
			await(() -> first.status().nodes().unconfirmed().contains(id));
			first.manualClock().advance(MANUAL.multipliedBy(3));
			first.poll();
			assertThat(reach.join()).isEqualTo(Reach.ALL_NODES);
		}
	}

	@Test
	void stoppedNodeIsForgottenAndPausedNodeIsUnconfirmed() {
		this.waits = SHORT;
		Node first = listening();
		Node stopped = listening();
		Node paused = node(this.proxy.port(), Duration.ofSeconds(60));
		paused.listen();
		stopped.close();
		await(() -> !first.status().nodes().confirmed().contains(stopped.id()));
		this.proxy.setHanging(true);
		assertThat(first.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(first.status().nodes().unconfirmed()).containsExactly(paused.id());
		this.proxy.setHanging(false);
		await(() -> first.status().lastEnd() == Reach.ALL_NODES);
		assertThat(paused.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void nodeThatCannotEndItsSessionsConfirmsNothing() {
		this.waits = SHORT;
		Node first = listening();
		Node failing = listening();
		failing.source.onRemoteEnd(() -> {
			throw new IllegalStateException("of the test");
		});
		assertThat(first.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(first.status().nodes().unconfirmed()).containsExactly(failing.id());
	}

	@Test
	void concurrentEndsOnTwoNodesReachAllNodes() {
		Node first = listening();
		Node second = listening();
		List<String> before = first.keys.decrypting();
		CompletableFuture<Reach> reach = CompletableFuture.supplyAsync(first.source::endAll);
		assertThat(second.source.endAll()).isEqualTo(Reach.ALL_NODES);
		assertThat(reach.join()).isEqualTo(Reach.ALL_NODES);
		await(() -> first.keys.encrypting().equals(second.keys.encrypting()));
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void nodeOfOtherFormatIsNamedAndNotClaimed() {
		this.waits = SHORT;
		Node first = listening();
		this.format = RedisTicketKeySource.FORMAT + 1;
		Node other = listening();
		List<String> before = other.keys.decrypting();
		await(() -> first.status().nodes().otherFormat().contains(other.id()));
		assertThat(first.source.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(first.status().nodes().otherFormat()).containsExactly(other.id());
		assertThat(other.keys.decrypting()).isEqualTo(before);
		other.source.endAll();
		assertThat(other.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void rollbackOfGenerationDoesNotReviveSessions(boolean ends, CapturedOutput output) {
		Node node = listening();
		node.source.endAll();
		List<String> before = node.keys.decrypting();
		Map<String, String> old = hash();
		node.close();
		this.generation = 1;
		Node raised = node();
		assertThat(raised.keys.decrypting()).doesNotContainAnyElementsOf(before);
		if (ends) {
			raised.source.endAll();
		}
		List<String> shared = raised.keys.decrypting();
		raised.close();
		this.generation = 0;
		Node back = node();
		assertThat(back.keys.decrypting()).doesNotContainAnyElementsOf(before).containsAnyElementsOf(shared);
		assertThat(output).containsOnlyOnce("Do not lower the generation");
		this.generation = 1;
		try (Writer writer = new Writer()) {
			writer.replace(old);
		}
		assertThat(node().keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void higherGenerationEndsSessionsOfRunningNodes() {
		Node first = listening();
		List<String> before = first.keys.decrypting();
		this.generation = 1;
		Node raised = node();
		await(() -> first.keys.encrypting().equals(raised.keys.encrypting()));
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(raised.source.endAll()).isEqualTo(Reach.ALL_NODES);
	}

	@Test
	void refusedWritesAreSeenAtNextPoll() {
		Node node = listening();
		List<String> before = node.keys.decrypting();
		this.redis.cli("config", "set", "maxmemory-policy", "noeviction");
		this.redis.cli("config", "set", "maxmemory", "1");
		assertThat(node.poll()).isFalse();
		assertThat(node.status().lastFailure()).isEqualTo("Redis refuses writes");
		assertThat(node.keys.decrypting()).isEqualTo(before);
		Node other = deafNode();
		assertThat(other.keys.encrypting()).isEqualTo(node.keys.encrypting());
		assertThat(node.source.endAll()).isEqualTo(Reach.THIS_NODE);
		this.redis.cli("config", "set", "maxmemory", "0");
		assertThat(node.poll()).isTrue();
		await(() -> node.status().lastEnd() == Reach.ALL_NODES);
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "AAAA", "x y z" })
	void otherMessagesAreIgnored(String message) {
		Node node = listening();
		long before = node.status().failures();
		for (int i = 0; i < 10; i++) {
			this.redis.cli("publish", "test:changes", message.repeat(1000));
		}
		assertThat(node.poll()).isTrue();
		assertThat(node.status().failures()).isEqualTo(before);
		assertThat(node.source.endAll()).isEqualTo(Reach.ALL_NODES);
	}

	private Node listening() {
		Node node = node();
		node.listen();
		return node;
	}

	private List<String> subscriptions() {
		return this.redis.cli("client", "list", "type", "pubsub")
			.lines()
			.map((line) -> line.replaceAll("id=.* addr=(\\S+) .*", "$1"))
			.sorted()
			.toList();
	}

	/**
	 * A program with the documented rights of a node.
	 */
	private final class Writer implements AutoCloseable {

		private final LettuceConnectionFactory connections;

		private final StringRedisTemplate client;

		Writer() {
			HostileFleetTests.this.redis.createUser(DocumentedRights.ofStandalone());
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1",
					HostileFleetTests.this.redis.port());
			configuration.setUsername("nodes");
			configuration.setPassword(RedisServer.PASSWORD);
			this.connections = new LettuceConnectionFactory(configuration);
			this.connections.afterPropertiesSet();
			this.connections.start();
			this.client = new StringRedisTemplate(this.connections);
		}

		void replace(Map<String, String> hash) {
			List<String> arguments = new ArrayList<>();
			hash.forEach((field, value) -> arguments.addAll(List.of(field, value)));
			this.client.execute(RedisScript.of("""
					redis.call('DEL', KEYS[1])
					for i = 1, #ARGV, 2 do redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1]) end
					"""), List.of(records().hash()), arguments.toArray());
		}

		@Override
		public void close() {
			this.connections.destroy();
		}

	}

	/**
	 * Keeps replacing the hash with an earlier one.
	 */
	private static final class Replay implements AutoCloseable {

		private final Thread thread;

		private volatile boolean stopped;

		Replay(Writer writer, Map<String, String> hash) {
			this.thread = new Thread(() -> {
				while (!this.stopped) {
					writer.replace(hash);
				}
			});
			this.thread.start();
		}

		boolean isRunning() {
			return this.thread.isAlive();
		}

		@Override
		public void close() {
			this.stopped = true;
			await(() -> !this.thread.isAlive());
		}

	}

	/**
	 * Kills all subscriptions, except some, in a loop.
	 */
	private final class KilledSubscriptions implements AutoCloseable {

		private final Thread thread;

		private volatile int rounds;

		private volatile boolean stopped;

		KilledSubscriptions(Collection<String> spared) {
			LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1",
					HostileFleetTests.this.redis.port());
			connections.afterPropertiesSet();
			connections.start();
			this.thread = new Thread(() -> {
				RedisServerCommands server = connections.getConnection().serverCommands();
				while (!this.stopped) {
					server.getClientList()
						.stream()
						.filter((client) -> Long.parseLong(client.get("sub")) > 0
								&& !spared.contains(client.getAddressPort()))
						.map((client) -> client.getAddressPort().split(":"))
						.forEach((address) -> kill(server, address));
					this.rounds++;
				}
				connections.destroy();
			});
			this.thread.start();
		}

		private static void kill(RedisServerCommands server, String[] address) {
			try {
				server.killClient(address[0], Integer.parseInt(address[1]));
			}
			catch (RuntimeException ex) {
				// The client has disconnected by itself.
			}
		}

		void awaitRounds() {
			int start = this.rounds;
			await(() -> this.rounds > start + 2);
		}

		void stop() {
			this.stopped = true;
			await(() -> !this.thread.isAlive());
		}

		@Override
		public void close() {
			stop();
		}

	}

}
