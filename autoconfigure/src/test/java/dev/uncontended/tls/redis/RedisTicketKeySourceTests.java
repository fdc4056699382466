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
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.internal.TicketClock;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.health.contributor.Status;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the keys of {@link RedisTicketKeySource}, each with its own Redis.
 */
class RedisTicketKeySourceTests extends AbstractRedisTests {

	@TempDir
	private Path directory;

	@Test
	void nodesShareKeys() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(first.status().lastReached()).isNotNull();
		assertThat(first.status().failures()).isZero();
	}

	@Test
	void recordsInRedisAreEncrypted() {
		Node node = node();
		node.poll();
		Map<String, String> hash = hash();
		assertThat(hash).hasSize(2);
		for (String key : node.keys.decrypting()) {
			assertThat(hash.toString()).doesNotContain(key)
				.doesNotContain(key.substring(0, 32))
				.doesNotContain(Base64.getEncoder().encodeToString(HexFormat.of().parseHex(key)).substring(0, 20));
		}
		assertThat(this.redis.cli("keys", "*")).doesNotContain(SECRET);
	}

	@Test
	void keysArePublishedBeforeUse() {
		Node node = node();
		node.poll();
		assertThat(node.keys.decrypting()).hasSize(3);
		TicketKeyStatus status = node.status();
		assertThat(status.keys()).isEqualTo(3);
		assertThat(status.nextRotation()).isBetween(node.clock.wallTime().plus(Duration.ofHours(11)),
				node.clock.wallTime().plus(Duration.ofHours(12)));
	}

	@Test
	void unusedHashExpires() {
		node();
		long milliseconds = Long.parseLong(this.redis.cli("pttl", name()));
		assertThat(Duration.ofMillis(milliseconds)).isBetween(Duration.ofHours(49), Duration.ofHours(50));
	}

	@Test
	void nodesRotateTogether() {
		Duration interval = Duration.ofMillis(600);
		TicketKeyRotation fast = new TicketKeyRotation(interval, interval.multipliedBy(2));
		Node first = node(TicketClock.system(), fast, Duration.ofMillis(100), SECRET);
		Node second = node(TicketClock.system(), fast, Duration.ofMillis(100), SECRET);
		await(() -> first.status().rotations() >= 4 && second.status().rotations() >= 4);
		// A thread that is descheduled for an interval skips a key.
		await(() -> {
			List<String> used = first.keys.encrypted();
			used.retainAll(second.keys.encrypted());
			return used.size() >= 3;
		});
		assertThat(hash()).hasSizeLessThanOrEqualTo(6);
		assertThat(first.keys.decrypting()).hasSizeLessThanOrEqualTo(6);
	}

	@Test
	void wallClocksMayDiffer() {
		Node first = node();
		Node second = node();
		second.manualClock().setWallClockForward(Duration.ofSeconds(5));
		second.poll();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		Stream.of(first, second).forEach((node) -> node.advance(Duration.ofHours(12)));
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void nodesWithDifferentRotationShareKeys() {
		TicketKeyRotation quick = new TicketKeyRotation(Duration.ofHours(3), Duration.ofHours(1));
		Node slow = node();
		String before = slow.keys.encrypting();
		Node other = node(new ManualTicketClock(), quick, Duration.ofMinutes(30), SECRET);
		for (int i = 0; i < 2; i++) {
			other.poll();
			slow.poll();
		}
		assertThat(other.keys.encrypting()).isEqualTo(before);
		// The shortest interval applies.
		Stream.of(slow, other).forEach((node) -> node.advance(Duration.ofHours(3)));
		assertThat(slow.keys.encrypting()).isNotEqualTo(before).isEqualTo(other.keys.encrypting());
		assertThat(slow.keys.decrypting()).contains(before);
		assertThat(hash()).hasSize(3);
	}

	@Test
	void worksWithSentinel() throws IOException {
		try (RedisServer sentinel = RedisServer.sentinel(this.redis)) {
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master("main")
				.sentinel("127.0.0.1", sentinel.port());
			shareAndEnd(node(configuration, SECRET), node(configuration, SECRET));
		}
	}

	@Test
	void followsSentinelToEmptyServer() throws IOException {
		try (RedisServer replica = RedisServer.create("--replicaof", "127.0.0.1", Integer.toString(this.redis.port()));
				RedisServer sentinel = RedisServer.sentinel(this.redis)) {
			Node node = node(new RedisSentinelConfiguration().master("main").sentinel("127.0.0.1", sentinel.port()),
					SECRET);
			node.reach();
			node.source.endAll();
			List<String> keys = node.keys.decrypting();
			await(() -> sentinel.cli("sentinel", "failover", "main").equals("OK"));
			await(() -> replica.cli("role").startsWith("master"));
			this.redis.kill();
			replica.cli("flushall");
			Awaitility.await().atMost(Duration.ofMinutes(3)).until(() -> node.poll());
			assertThat(replica.cli("hkeys", records().hash()).split("\\R")).hasSizeGreaterThan(1).contains("end");
			assertThat(node.keys.decrypting()).containsAll(keys);
		}
	}

	@Test
	void worksWithTlsAndMinimalPermissions() throws Exception {
		int port = RedisServer.freePort();
		try (RedisServer encrypted = RedisServer.create(tls(port))) {
			encrypted.createUser(DocumentedRights.ofStandalone());
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", port);
			configuration.setUsername("nodes");
			configuration.setPassword(RedisServer.PASSWORD);
			LettuceClientConfiguration client = LettuceClientConfiguration.builder()
				.useSsl()
				.disablePeerVerification()
				.build();
			shareAndEnd(node(new LettuceConnectionFactory(configuration, client)),
					node(new LettuceConnectionFactory(configuration, client)));
		}
	}

	@Test
	void healthIndicatorOfBootNeedsDocumentedRight() {
		this.redis.createUser(DocumentedRights.ofStandalone());
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		configuration.setUsername("nodes");
		configuration.setPassword(RedisServer.PASSWORD);
		LettuceConnectionFactory connections = new LettuceConnectionFactory(configuration);
		node(connections).reach();
		assertThat(health(connections)).isEqualTo(Status.DOWN);
		this.redis.createUser(DocumentedRights.ofHealthIndicator());
		assertThat(health(connections)).isEqualTo(Status.UP);
	}

	private String[] tls(int port) throws Exception {
		String key = this.directory.resolve("key.pem").toString();
		String certificate = this.directory.resolve("certificate.pem").toString();
		CommandLine.run("",
				List.of("openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
						"-nodes", "-subj", "/CN=localhost", "-keyout", key, "-out", certificate));
		return new String[] { "--tls-port", Integer.toString(port), "--tls-key-file", key, "--tls-cert-file",
				certificate, "--tls-ca-cert-file", certificate, "--tls-auth-clients", "no" };
	}

	@Test
	void recordThatHasChangedIsNotRemoved() {
		node();
		Map.Entry<String, String> record = hash().entrySet().iterator().next();
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.port());
		connections.start();
		try {
			TicketKeyHash hash = new TicketKeyHash(new StringRedisTemplate(connections), records().hash(),
					Duration.ofHours(1));
			assertThat(hash.exchange(removal(record.getKey(), "another")).records()).contains(record);
			assertThat(hash.exchange(removal(record.getKey(), record.getValue())).records()).doesNotContain(record);
		}
		finally {
			connections.destroy();
		}
	}

	private static Changes removal(String field, String value) {
		return new Changes(Map.of(field, value), Map.of(), 0, Map.of(), false, false, 0);
	}

	@Test
	void worksWithJedis() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		JedisClientConfiguration client = JedisClientConfiguration.builder()
			.readTimeout(Duration.ofSeconds(10))
			.connectTimeout(Duration.ofSeconds(10))
			.build();
		Node first = node(new JedisConnectionFactory(configuration, client));
		shareAndEnd(first, node(new JedisConnectionFactory(configuration, client)));
		this.redis.kill();
		assertThat(first.poll()).isFalse();
		this.redis.start();
		await(first::poll);
		this.nodes.forEach(Node::close);
		await(() -> threads().noneMatch((name) -> name.startsWith("uncontended-ticket-keys")));
	}

	@Test
	void closeEndsThreads() {
		Node node = node();
		await(() -> threads().anyMatch((name) -> name.startsWith("uncontended-ticket-keys-redis")));
		node.close();
		await(() -> threads().noneMatch((name) -> name.startsWith("uncontended-ticket-keys")));
	}

}
