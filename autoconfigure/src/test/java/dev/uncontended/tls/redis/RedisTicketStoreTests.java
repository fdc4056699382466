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
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketKeys;
import dev.uncontended.tls.tickets.TicketStore;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.health.contributor.Status;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisClientConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTicketStore}.
 */
class RedisTicketStoreTests extends AbstractRedisTests {

	private static final String STANDALONE = "on the keys";

	private static final Duration TIMEOUT = Duration.ofSeconds(2);

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
		else if (right.equals("+unlink")) {
			this.redis.cli("eval", "redis.call('HSET', KEYS[1], 'invalid', string.rep('x', ARGV[1]))", "1", reports(),
					String.valueOf(TicketStore.MAXIMUM_SIZE));
		}
		assertThat(node.sync()).isFalse();
		assertThat(node.status().lastFailure()).contains("redis");
	}

	private LettuceConnectionFactory user() {
		return new LettuceConnectionFactory(userConfiguration(),
				LettuceClientConfiguration.builder().commandTimeout(TIMEOUT).build());
	}

	private RedisStandaloneConfiguration userConfiguration() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		configuration.setUsername("nodes");
		configuration.setPassword(RedisServer.PASSWORD);
		return configuration;
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

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void writeThatTimesOutIsNoRefusal(boolean lettuce) throws IOException {
		this.redis.allow(rights(STANDALONE));
		ManualTicketKeys node = node(lettuce);
		Awaitility.await().until(node::sync);
		this.redis.cli("client", "pause", "60000", "write");
		assertThat(node.sync()).isFalse();
		assertThat(node.status().lastFailure()).startsWith("Failed to exchange keys with redis").contains("Timeout");
		assertThat(node.status().up()).isTrue();
		this.redis.cli("client", "unpause");
		Awaitility.await().until(node::sync);
	}

	static Stream<Arguments> badValues() {
		return Stream.of(true, false)
			.flatMap((lettuce) -> Stream
				.of("redis.call('SADD', name, 'x')", "redis.call('SET', name, 'x')",
						"redis.call('HSET', name, 'x', 'x')", "redis.call('SETRANGE', name, 64 * 1024 * 1024, 'x')",
						"redis.call('HSET', name, 'x', string.rep('x', 64 * 1024 * 1024))",
						"redis.call('HSET', name, string.rep('x', 64 * 1024 * 1024), 'x')",
						"for i = 1, 100000 do redis.call('HSET', name, i, 'x') end")
				.map((command) -> Arguments.of(lettuce, command)));
	}

	@ParameterizedTest
	@MethodSource("badValues")
	void nodesReplaceBadValuesWithoutReadingThem(boolean lettuce, String command) throws IOException {
		this.redis.allow(rights(STANDALONE));
		ManualTicketKeys first = node(lettuce);
		ManualTicketKeys second = node(lettuce);
		first.sync();
		second.sync();
		ManualTicketKeys.watch(first, second);
		for (String name : List.of(state(), reports())) {
			this.redis.cli("del", name);
			this.redis.cli("eval", "local name = KEYS[1]; " + command, "1", name);
			long before = sentBytes();
			first.sync();
			second.sync();
			assertThat(first.sync()).isTrue();
			assertThat(second.sync()).isTrue();
			assertThat(sentBytes() - before).isLessThan(10 * TicketStore.MAXIMUM_SIZE);
		}
		ManualTicketKeys.watch(first, second);
		first.keys().endAll();
		first.sync();
		second.sync();
		first.sync();
		assertThat(first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
		assertThat(second.names()).isEqualTo(first.names());
	}

	/** A started node has no report that shows the loss. */
	@ParameterizedTest
	@ValueSource(strings = { "redis.call('SET', name, 'x')",
			"redis.call('HSET', name, 'x', string.rep('x', 64 * 1024 * 1024))" })
	void startedNodeReplacesBadReports(String command) throws IOException {
		this.redis.allow(rights(STANDALONE));
		node(true).sync();
		String name = reports();
		this.redis.cli("del", name);
		this.redis.cli("eval", "local name = KEYS[1]; " + command, "1", name);
		ManualTicketKeys node = node(true);
		node.sync();
		assertThat(node.sync()).isTrue();
		assertThat(this.redis.cli("hlen", name)).isEqualTo("1");
	}

	@Test
	void reportsOfThousandNodesAreRead() throws IOException {
		this.redis.allow(rights(STANDALONE));
		ManualTicketKeys node = node();
		node.sync();
		String name = reports();
		this.redis.cli("eval", "for i = 1, 1000 do redis.call('HSET', KEYS[1], string.format('%016x', i),"
				+ " redis.call('HGET', KEYS[1], ARGV[1])) end", "1", name, node.id());
		RedisTicketStore store = new RedisTicketStore(connect(user()));
		assertThat(store.reports(name)).hasSize(1001).containsKey(node.id());
		assertThat(store.reports("test:other")).isEmpty();
	}

	/** Returns a node with the documented rights. */
	private ManualTicketKeys node(boolean lettuce) {
		return lettuce ? node(user()) : node(new JedisConnectionFactory(userConfiguration(),
				JedisClientConfiguration.builder().readTimeout(TIMEOUT).usePooling().build()));
	}

	private long sentBytes() {
		Matcher matcher = Pattern.compile("total_net_output_bytes:(\\d+)").matcher(this.redis.cli("info", "stats"));
		assertThat(matcher.find()).isTrue();
		return Long.parseLong(matcher.group(1));
	}

}
