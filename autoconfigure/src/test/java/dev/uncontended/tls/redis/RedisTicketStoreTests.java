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
import java.util.List;
import java.util.stream.Stream;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketKeys;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RedisTicketStore}.
 */
class RedisTicketStoreTests extends AbstractRedisTests {

	private static final String STANDALONE = "on the keys";

	@Test
	void nodesShareKeysWithJedis() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		JedisClientConfiguration client = JedisClientConfiguration.builder().usePooling().build();
		shareAndEnd(node(new JedisConnectionFactory(configuration, client)),
				node(new JedisConnectionFactory(configuration, client)));
	}

	@Test
	@Tag("product")
	void nodesShareKeysWithSentinelAndFollowItToEmptyServer() throws IOException {
		try (RedisServer replica = RedisServer.create("--replicaof", "127.0.0.1 " + this.redis.port());
				RedisServer sentinel = RedisServer.sentinel(this.redis)) {
			RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master("main")
				.sentinel("127.0.0.1", sentinel.port());
			ManualTicketKeys node = node(new LettuceConnectionFactory(configuration));
			shareAndEnd(node, node(new LettuceConnectionFactory(configuration)));
			List<String> keys = node.names();
			Awaitility.await().until(() -> sentinel.cli("sentinel", "failover", "main").equals("OK"));
			Awaitility.await().until(() -> replica.cli("role").startsWith("master"));
			replica.cli("flushall");
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> node.sync() && !replica.cli("--scan", "--pattern", "test:4:*").isEmpty());
			assertThat(node.names()).isEqualTo(keys);
		}
	}

	@Test
	void nodesShareKeysWithTls() throws Exception {
		X509Bundle bundle = new CertificateBuilder().subject("CN=127.0.0.1")
			.setIsCertificateAuthority(true)
			.buildSelfSigned();
		String certificate = bundle.toTempCertChainPem().getPath();
		String key = bundle.toTempPrivateKeyPem().getPath();
		int port = RedisServer.freePort();
		try (RedisServer server = RedisServer.create("--tls-port", Integer.toString(port), "--tls-cert-file",
				certificate, "--tls-key-file", key, "--tls-ca-cert-file", certificate, "--tls-auth-clients", "no")) {
			LettuceClientConfiguration client = LettuceClientConfiguration.builder()
				.useSsl()
				.disablePeerVerification()
				.build();
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", port);
			shareAndEnd(node(new LettuceConnectionFactory(configuration, client)),
					node(new LettuceConnectionFactory(configuration, client)));
			assertThat(server.cli("--scan")).contains("test:4:");
		}
	}

	@Test
	void documentedRightsSuffice() throws IOException {
		this.redis.allow(rights(STANDALONE));
		shareAndEnd(node(user()), node(user()));
	}

	static Stream<String> commands() throws IOException {
		return rights(STANDALONE).stream()
			.filter((right) -> right.startsWith("+"))
			// Spring Data Redis 4.0 uses SETEX, later versions SET.
			.filter((right) -> !right.equals("+setex"));
	}

	@ParameterizedTest
	@MethodSource("commands")
	void eachDocumentedRightIsNeeded(String right) throws IOException {
		List<String> rights = rights(STANDALONE);
		rights.remove(right);
		this.redis.allow(rights);
		ManualTicketKeys first = node();
		first.sync();
		this.redis.cli("hset", reports(), "invalid", "report");
		ManualTicketKeys node = node(user());
		if (right.equals("+set")) {
			this.redis.cli("del", state());
		}
		assertThat(node.sync()).isFalse();
		assertThat(node.status().lastFailure()).contains("redis");
	}

	private LettuceConnectionFactory user() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		configuration.setUsername("nodes");
		configuration.setPassword(RedisServer.PASSWORD);
		return new LettuceConnectionFactory(configuration);
	}

	@Test
	void healthIndicatorOfBootNeedsDocumentedRight() throws IOException {
		this.redis.allow(rights(STANDALONE));
		LettuceConnectionFactory connections = user();
		node(connections);
		assertThat(health(connections)).isEqualTo(Status.DOWN);
		this.redis.allow(rights("for Spring Boot's health indicator of Redis"));
		assertThat(health(connections)).isEqualTo(Status.UP);
	}

	@Test
	void valuesAreSealedAndExpire() {
		node().sync();
		assertThat(this.redis.cli("get", state())).matches("[A-Za-z0-9+/=]{100,}");
		assertThat(Long.parseLong(this.redis.cli("ttl", state()))).isBetween(59 * 3600L, 60 * 3600L + 1);
		assertThat(Long.parseLong(this.redis.cli("ttl", reports()))).isBetween(3500L, 3600L);
	}

	@Test
	void fullRedisRefusesEndUntilItHasMemory() {
		ManualTicketKeys first = node();
		ManualTicketKeys second = node();
		first.sync();
		second.sync();
		this.redis.cli("config", "set", "maxmemory", "1");
		first.keys().endAll();
		assertThat(first.sync()).isFalse();
		assertThat(first.status().lastEnd()).isEqualTo(Reach.THIS_NODE);
		assertThat(first.status().lastFailure()).startsWith("redis refuses writes");
		this.redis.cli("config", "set", "maxmemory", "0");
		assertThat(first.sync()).isTrue();
		second.sync();
		assertThat(second.names()).isEqualTo(first.names());
	}

	@Test
	void connectionWithoutRepliesIsReplacedAfterThreeTimeouts() {
		LettuceConnectionFactory connections = new LettuceConnectionFactory(
				new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()),
				LettuceClientConfiguration.builder().commandTimeout(Duration.ofMillis(300)).build());
		ManualTicketKeys node = node(connections);
		Awaitility.await().until(node::sync);
		List<String> before = node.names();
		assertThatExceptionOfType(QueryTimeoutException.class)
			.isThrownBy(() -> connections.getConnection().execute("CLIENT", "REPLY".getBytes(), "OFF".getBytes()));
		for (int i = 0; i < 3; i++) {
			assertThat(node.sync()).isFalse();
			assertThat(node.status().lastFailure()).contains("Timeout");
			assertThat(node.names()).isEqualTo(before);
		}
		Awaitility.await().until(node::sync);
		assertThat(node.names()).isEqualTo(before);
	}

}
