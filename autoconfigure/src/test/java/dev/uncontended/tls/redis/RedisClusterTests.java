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
import java.util.List;
import java.util.stream.IntStream;

import dev.uncontended.tls.tickets.ManualTicketKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTicketStore} with a Redis Cluster.
 */
@Tag("product")
class RedisClusterTests extends AbstractRedisTests {

	private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

	private List<RedisServer> servers = List.of();

	@AfterEach
	void stopCluster() {
		this.applications.forEach(ConfigurableApplicationContext::close);
		this.servers.forEach(RedisServer::close);
	}

	@Test
	void nodesWithDocumentedRightsShareKeysAndEnds() throws IOException {
		createCluster(3, 0);
		shareAndEnd(clusterNode(), clusterNode());
	}

	@Test
	void healthIndicatorOfBootNeedsDocumentedRight() throws IOException {
		createCluster(3, 0);
		clusterNode();
		RedisConnectionFactory connections = this.applications.get(0).getBean(RedisConnectionFactory.class);
		assertThat(health(connections)).isEqualTo(Status.DOWN);
		allow("for the health indicator of a Cluster");
		assertThat(health(connections)).isEqualTo(Status.UP);
	}

	/**
	 * The documents promise 15 seconds after the Cluster's own failover.
	 */
	@Test
	void nodeFollowsFailover() throws IOException {
		createCluster(3, 1);
		ManualTicketKeys node = clusterNode();
		node.sync();
		node.keys().endAll();
		assertThat(node.sync()).isTrue();
		List<String> keys = node.names();
		RedisServer killed = this.servers.stream()
			.filter((server) -> server.cli("role").startsWith("master"))
			.filter((server) -> !server.cli("--scan", "--pattern", "test:4:*").isEmpty())
			.findAny()
			.orElseThrow();
		Awaitility.await().until(() -> killed.cli("info", "replication").contains("state=online"));
		assertThat(killed.cli("wait", "1", "10000")).isEqualTo("1");
		killed.kill();
		RedisServer left = this.servers.stream().filter((server) -> server != killed).findAny().orElseThrow();
		Awaitility.await()
			.atMost(Duration.ofMinutes(1))
			.until(() -> left.cli("cluster", "info").contains("cluster_state:ok")
					&& left.cli("cluster", "nodes").lines().filter((line) -> line.contains("fail")).count() == 1
					&& left.cli("cluster", "nodes").lines().filter((line) -> line.contains("master")).count() == 4);
		long start = System.nanoTime();
		Awaitility.await().atMost(Duration.ofMinutes(1)).until(node::sync);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(15));
		assertThat(node.names()).isEqualTo(keys);
	}

	private void createCluster(int masters, int replicas) throws IOException {
		this.servers = IntStream.range(0, masters * (1 + replicas))
			.mapToObj((i) -> RedisServer.create("--cluster-enabled", "yes", "--cluster-node-timeout", "2000"))
			.toList();
		List<String> create = new ArrayList<>(List.of("--cluster", "create"));
		create.addAll(addresses());
		create.addAll(List.of("--cluster-yes", "--cluster-replicas", Integer.toString(replicas)));
		assertThat(this.servers.get(0).cli(create.toArray(String[]::new))).contains("All 16384 slots covered");
		Awaitility.await()
			.until(() -> this.servers.stream()
				.allMatch((server) -> server.cli("cluster", "info").contains("cluster_state:ok")));
		allow("on the keys");
		allow("for the topology of a Cluster");
	}

	private void allow(String purpose) throws IOException {
		List<String> rights = rights(purpose);
		this.servers.forEach((server) -> server.allow(rights));
	}

	private List<String> addresses() {
		return this.servers.stream().map((server) -> "127.0.0.1:" + server.port()).toList();
	}

	/**
	 * Returns a node with the documented properties.
	 */
	private ManualTicketKeys clusterNode() {
		AnnotationConfigApplicationContext application = new AnnotationConfigApplicationContext();
		TestPropertyValues
			.of("spring.data.redis.cluster.nodes=" + String.join(",", addresses()), "spring.data.redis.username=nodes",
					"spring.data.redis.password=" + RedisServer.PASSWORD, "spring.data.redis.timeout=2s",
					"spring.data.redis.lettuce.cluster.refresh.adaptive=true")
			.applyTo(application);
		application.register(DataRedisAutoConfiguration.class);
		application.refresh();
		this.applications.add(application);
		return ManualTicketKeys.shared(new RedisTicketStore(application.getBean(RedisConnectionFactory.class)));
	}

}
