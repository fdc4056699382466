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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

import dev.uncontended.tls.session.Reach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs random schedules of ends, faults and attacks. The judge knows only which keys each
 * node has encrypted with, which keys each node decrypts, and which nodes an answer
 * claims.
 */
class FleetScheduleTests extends AbstractRedisTests {

	private static final int STEPS = 40;

	private static final int MAXIMUM_NODES = 5;

	private final Map<Node, TcpProxy> running = new LinkedHashMap<>();

	/** The keys that a node must not decrypt, because it has confirmed an end. */
	private final Map<Node, Set<String>> ended = new HashMap<>();

	/** The keys that no node may decrypt in the end. */
	private final Set<String> endedEverywhere = new HashSet<>();

	private final List<Map<String, String>> backups = new ArrayList<>();

	private Random schedule;

	@AfterEach
	void closeProxies() throws IOException {
		for (TcpProxy proxy : this.running.values()) {
			proxy.close();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 2, 3 })
	@Tag("slow")
	void claimedNodesDecryptNoEndedKeyAndAllNodesRecover(long seed) throws IOException {
		this.waits = SHORT;
		this.schedule = new Random(seed);
		List<String> history = new ArrayList<>(List.of("seed " + seed));
		for (int i = 0; i < 3; i++) {
			startNode();
		}
		for (int i = 0; i < STEPS; i++) {
			history.add(step());
			assertThat(this.running.keySet()).as(() -> history.toString())
				.allMatch((node) -> Collections.disjoint(node.keys.decrypting(),
						this.ended.getOrDefault(node, Set.of())));
		}
		heal();
		this.running.keySet().forEach((node) -> node.advance(MANUAL.multipliedBy(5)));
		this.running.keySet().forEach(Node::reach);
		this.running.keySet().forEach(Node::listen);
		Node first = first();
		assertThat(this.running.keySet()).as(() -> history.toString()).allSatisfy((node) -> {
			assertThat(Collections.disjoint(node.keys.decrypting(), this.endedEverywhere)).isTrue();
			assertThat(node.keys.encrypting()).isEqualTo(first.keys.encrypting());
			assertThat(node.status().isUp()).isTrue();
		});
		assertThat(first.source.endAll()).as(() -> history.toString()).isEqualTo(Reach.ALL_NODES);
	}

	private String step() throws IOException {
		int choice = this.schedule.nextInt(20);
		Node node = new ArrayList<>(this.running.keySet()).get(this.schedule.nextInt(this.running.size()));
		if (choice < 6) {
			return "poll " + node.poll();
		}
		if (choice < 10) {
			return "end " + end(node);
		}
		switch (choice) {
			case 10 ->
				this.running.keySet().forEach((each) -> each.advance(Duration.ofMinutes(this.schedule.nextInt(120))));
			case 11 -> this.redis.cli("client", "kill", "type", "pubsub");
			case 12 -> this.redis.cli("client", "kill", "type", "normal");
			case 13 -> this.redis.cli("flushall");
			case 14 -> {
				this.redis.kill();
				this.redis.start();
			}
			case 15 -> this.backups.add(hash());
			case 16 -> restore();
			case 17 -> this.running.get(node).setCut(this.schedule.nextBoolean());
			case 18 -> this.running.get(node).setHanging(this.schedule.nextBoolean());
			default -> {
				if (this.running.size() < MAXIMUM_NODES && this.schedule.nextBoolean()) {
					startNode();
				}
				else if (this.running.size() > 1) {
					stop(node);
				}
			}
		}
		return "fault " + choice;
	}

	private void startNode() throws IOException {
		TcpProxy proxy = new TcpProxy(this.redis::port);
		this.running.put(node(proxy.port(), Duration.ofSeconds(2)), proxy);
	}

	/**
	 * Stops a node once the others know the ends that it knows.
	 */
	private void stop(Node node) throws IOException {
		heal();
		await(() -> readsRedis(node) && node.status().lastEnd() != Reach.THIS_NODE);
		this.running.keySet().forEach((each) -> await(() -> readsRedis(each)));
		node.close();
		this.running.remove(node).close();
	}

	private static boolean readsRedis(Node node) {
		String problem = node.poll() ? "" : String.valueOf(node.status().lastFailure());
		return Stream.of("", "Another program", "This node", "The subscription")
			.anyMatch((known) -> known.isEmpty() ? problem.isEmpty() : problem.startsWith(known));
	}

	private Reach end(Node node) {
		Set<String> before = new HashSet<>();
		this.running.keySet().forEach((each) -> before.addAll(each.keys.encrypted()));
		Reach reach = node.source.endAll();
		List<String> confirmed = node.status().nodes().confirmed();
		this.endedEverywhere.addAll(before);
		for (Node each : this.running.keySet()) {
			if (each == node || reach != Reach.THIS_NODE && confirmed.contains(each.id())) {
				this.ended.computeIfAbsent(each, (ignored) -> new HashSet<>()).addAll(before);
			}
		}
		return reach;
	}

	private void restore() {
		if (!this.backups.isEmpty()) {
			Map<String, String> backup = this.backups.get(this.schedule.nextInt(this.backups.size()));
			List<String> command = new ArrayList<>(List.of("hset", records().hash()));
			backup.forEach((field, value) -> command.addAll(List.of(field, value)));
			this.redis.cli("del", records().hash());
			if (!backup.isEmpty()) {
				this.redis.cli(command.toArray(String[]::new));
			}
		}
	}

	private void heal() {
		this.running.values().forEach((proxy) -> {
			proxy.setCut(false);
			proxy.setHanging(false);
		});
	}

	private Node first() {
		return this.running.keySet().iterator().next();
	}

}
