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
import java.util.List;
import java.util.stream.IntStream;

import dev.uncontended.tls.tickets.ManualTicketClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTicketKeySource} with a Redis Cluster.
 */
class RedisClusterTests extends AbstractRedisTests {

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	private List<RedisServer> servers = List.of();

	@AfterEach
	void stopCluster() {
		this.nodes.forEach(Node::close);
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RedisServer::close);
	}

	@Test
	void nodesWithDocumentedRightsShareKeysAndEnds() {
		createCluster(3, 0, DocumentedRights.ofCluster());
		shareAndEnd(clusterNode(OTHER_SECRET, SECRET), clusterNode(OTHER_SECRET, SECRET));
	}

	@Test
	void nodesWithDocumentedRightsFollowMovedSlot() {
		createCluster(3, 0, DocumentedRights.ofCluster());
		Node node = clusterNode(SECRET);
		node.reach();
		RedisServer owner = owner();
		RedisServer other = this.servers.stream().filter((server) -> server != owner).findAny().orElseThrow();
		String slot = owner.cli("cluster", "keyslot", records().hash());
		assertThat(other.cli("cluster", "setslot", slot, "importing", id(owner))).isEqualTo("OK");
		assertThat(owner.cli("cluster", "setslot", slot, "migrating", id(other))).isEqualTo("OK");
		assertThat(owner.cli("migrate", "127.0.0.1", Integer.toString(other.port()), records().hash(), "0", "5000"))
			.isEqualTo("OK");
		// The owner now answers ASK.
		assertThat(node.poll()).isTrue();
		other.cli("cluster", "setslot", slot, "node", id(other));
		owner.cli("cluster", "setslot", slot, "node", id(other));
		assertThat(node.poll()).isTrue();
	}

	@Test
	void healthIndicatorOfBootNeedsDocumentedRight() {
		createCluster(3, 0, DocumentedRights.ofCluster());
		clusterNode(SECRET).reach();
		RedisConnectionFactory connections = this.applications.get(0).getBean(RedisConnectionFactory.class);
		assertThat(health(connections)).isEqualTo(Status.DOWN);
		this.servers.forEach((server) -> server.createUser(DocumentedRights.ofHealthIndicatorOfCluster()));
		assertThat(health(connections)).isEqualTo(Status.UP);
	}

	@Test
	void missingRightIsNamed(CapturedOutput output) {
		List<String> rights = new ArrayList<>(DocumentedRights.ofCluster());
		rights.remove("+pexpire");
		createCluster(3, 0, rights);
		assertThat(clusterNode(SECRET).poll()).isFalse();
		assertThat(output).contains("The Redis user lacks a required right (NOPERM)");
	}

	/**
	 * The documents promise 15 seconds after the Cluster's own failover.
	 */
	@Test
	void followsFailover() {
		createCluster(3, 1, DocumentedRights.ofCluster());
		Node node = clusterNode(SECRET);
		node.reach();
		node.source.endAll();
		String key = node.keys.encrypting();
		RedisServer killed = owner();
		await(() -> killed.cli("info", "replication").contains("state=online"));
		assertThat(killed.cli("wait", "1", "10000")).isEqualTo("1");
		killed.kill();
		RedisServer left = this.servers.stream().filter((server) -> server != killed).findAny().orElseThrow();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> left.cli("cluster", "info").contains("cluster_state:ok")
					&& left.cli("cluster", "nodes").lines().filter((line) -> line.contains("fail")).count() == 1
					&& left.cli("cluster", "nodes").lines().filter((line) -> line.contains("master")).count() == 4);
		long start = System.nanoTime();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(node::poll);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));

		assertThat(node.keys.encrypting()).isEqualTo(key);
	}

	private void createCluster(int masters, int replicas, List<String> rights) {
		this.servers = IntStream.range(0, masters * (1 + replicas))
			.mapToObj((i) -> RedisServer.create("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"))
			.toList();
		List<String> create = new ArrayList<>(List.of("--cluster", "create"));
		create.addAll(addresses());
		create.addAll(List.of("--cluster-yes", "--cluster-replicas", Integer.toString(replicas)));
		assertThat(this.servers.get(0).cli(create.toArray(String[]::new))).contains("All 16384 slots covered");
		await(() -> this.servers.stream()
			.allMatch((server) -> server.cli("cluster", "info").contains("cluster_state:ok")));
		this.servers.forEach((server) -> server.createUser(rights));
	}

	private List<String> addresses() {
		return this.servers.stream().map((server) -> "127.0.0.1:" + server.port()).toList();
	}

	/**
	 * Returns the server with the hash of the secret.
	 */
	private RedisServer owner() {
		return this.servers.stream()
			.filter((server) -> server.cli("role").startsWith("master"))
			.filter((server) -> server.cli("exists", records().hash()).equals("1"))
			.findAny()
			.orElseThrow();
	}

	private static String id(RedisServer server) {
		return server.cli("cluster", "myid");
	}

	/**
	 * Returns a node with the documented properties.
	 */
	private Node clusterNode(String... secrets) {
		AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
		TestPropertyValues
			.of("spring.data.redis.cluster.nodes=" + String.join(",", addresses()), "spring.data.redis.username=nodes",
					"spring.data.redis.password=" + RedisServer.PASSWORD, "spring.data.redis.timeout=2s",
					"spring.data.redis.lettuce.cluster.refresh.adaptive=true")
			.applyTo(application);
		application.register(DataRedisAutoConfiguration.class);
		application.refresh();
		this.applications.add(application);
		return node(application.getBean(LettuceConnectionFactory.class), new ManualTicketClock(), SLOW, MANUAL,
				secrets);
	}

}
