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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.RecordedKeys;
import dev.uncontended.tls.tickets.TicketClock;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeySource.Reach;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketSecret;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceClientConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link RedisTicketKeySource}, with a Redis of their own.
 */
@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
@ExtendWith(OutputCaptureExtension.class)
@Tag("integration")
class RedisTicketKeySourceTests {

	private static final String SECRET = "the secret of the test, 32 bytes";

	private static final String OTHER_SECRET = "another secret of it, of 32 byte";

	/**
	 * Never comes by itself: these tests poll when they want to.
	 */
	private static final Duration MANUAL = Duration.ofHours(1);

	private static final TicketKeyRotation SLOW = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

	private final List<Node> nodes = new ArrayList<>();

	@TempDir
	private Path directory;

	private RedisServer redis;

	private TcpProxy proxy;

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

	@Test
	void nodesShareKeys() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(first.status().lastReached()).isNotNull();
		assertThat(first.status().failures()).isZero();
	}

	@Test
	void putsNothingReadableIntoRedis() {
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
	void publishesEachKeyBeforeItIsUsed() {
		Node node = node();
		node.poll();
		assertThat(node.keys.decrypting()).hasSize(3);
		TicketKeyStatus status = node.status();
		assertThat(status.keys()).isEqualTo(3);
		assertThat(status.nextRotation()).isBetween(node.clock.wallTime().plus(Duration.ofHours(11)),
				node.clock.wallTime().plus(Duration.ofHours(12)));
	}

	@Test
	void hashExpiresOnceNoNodeUsesIt() {
		node();
		long milliseconds = Long.parseLong(this.redis.cli("pttl", name()));
		assertThat(Duration.ofMillis(milliseconds)).isBetween(Duration.ofHours(49), Duration.ofHours(50));
	}

	@Test
	void rotatesWithoutRedisFollowingTheMonotonicClock() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		second.poll();
		String before = first.keys.encrypting();
		this.redis.kill();
		first.manualClock().setWallClockForward(Duration.ofDays(-3));
		first.advance(Duration.ofHours(11));
		assertThat(first.keys.encrypting()).isEqualTo(before);
		Stream.of(first, second).forEach((node) -> node.advance(Duration.ofHours(12)));
		assertThat(first.keys.encrypting()).isNotEqualTo(before).isEqualTo(second.keys.encrypting());
		first.advance(Duration.ofDays(30));
		second.advance(Duration.ofDays(30));
		assertThat(first.keys.encrypting()).isEqualTo(second.keys.encrypting());
	}

	@Test
	void rotatesTogetherForAsLongAsItRuns() {
		Duration interval = Duration.ofMillis(600);
		TicketKeyRotation fast = new TicketKeyRotation(interval, interval.multipliedBy(2));
		Node first = node(TicketClock.system(), fast, Duration.ofMillis(100), SECRET);
		Node second = node(TicketClock.system(), fast, Duration.ofMillis(100), SECRET);
		await(() -> first.status().rotations() >= 4 && second.status().rotations() >= 4);
		List<String> used = first.keys.encrypted();
		used.retainAll(second.keys.encrypted());
		assertThat(used).hasSizeGreaterThanOrEqualTo(3);
		assertThat(hash()).hasSizeLessThanOrEqualTo(6);
		assertThat(first.keys.decrypting()).hasSizeLessThanOrEqualTo(6);
	}

	@Test
	void wallClocksMayBeApart() {
		Node first = node();
		Node second = node();
		second.manualClock().setWallClockForward(Duration.ofSeconds(5));
		second.poll();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		Stream.of(first, second).forEach((node) -> node.advance(Duration.ofHours(12)));
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void startsWithKeyOfItsOwnWhileRedisIsDownAndSharesOnceItIsBack(CapturedOutput output) {
		this.redis.kill();
		Node node = node();
		assertThat(node.poll()).isEqualTo(Reach.THIS_NODE);
		String own = node.keys.encrypting();
		assertThat(node.keys.decrypting()).containsExactly(own);
		assertThat(node.status().failures()).isPositive();
		assertThat(node.status().lastReached()).isNull();
		assertThat(node.status().lastFailure()).contains("RedisConnectionFailureException").doesNotContain("127.0.0.1");
		assertThat(output).containsOnlyOnce("Redis cannot be reached for the keys of TLS session tickets");
		this.redis.start();
		await(() -> node.poll() != Reach.THIS_NODE);
		assertThat(node.keys.encrypting()).isNotEqualTo(own);
		assertThat(node.keys.decrypting()).contains(own);
		assertThat(node.status().lastFailure()).isNull();
		assertThat(output).containsOnlyOnce("Redis has been reached again");
		Node other = node();
		await(() -> other.keys.encrypting().equals(node.keys.encrypting()));
		node.advance(Duration.ofHours(25));
		assertThat(node.keys.decrypting()).doesNotContain(own);
	}

	@Test
	void knownKeysGoOnWhenRedisComesBackEmpty() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		String before = first.keys.encrypting();
		this.redis.kill();
		this.redis.start();
		await(() -> first.poll() != Reach.THIS_NODE && second.poll() != Reach.THIS_NODE);
		assertThat(first.keys.encrypting()).isEqualTo(before).isEqualTo(second.keys.encrypting());
		assertThat(hash()).hasSize(1);
		// The new key is activated after two poll intervals.
		Stream.of(first, second).forEach((node) -> node.advance(MANUAL.multipliedBy(2)));
		assertThat(first.keys.encrypting()).isNotEqualTo(before).isEqualTo(second.keys.encrypting());
		assertThat(first.keys.decrypting()).contains(before);
	}

	@Test
	void slowRedisDelaysNeitherStartNorRotationNorTheEnd() {
		Node first = node();
		String before = first.keys.encrypting();
		this.proxy.setHanging(true);
		long start = System.nanoTime();
		Node hanging = node(this.proxy.port(), Duration.ofSeconds(60));
		assertThat(hanging.keys.encrypting()).isNotEqualTo(before);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
		this.proxy.setHanging(false);
		await(() -> hanging.keys.encrypting().equals(before));
		this.proxy.setHanging(true);
		hanging.source.requestPoll();
		hanging.advance(Duration.ofHours(12));
		first.advance(Duration.ofHours(12));
		assertThat(hanging.keys.encrypting()).isNotEqualTo(before).isEqualTo(first.keys.encrypting());
		List<String> ended = hanging.keys.decrypting();
		assertThat(hanging.source.invalidateAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(hanging.keys.decrypting()).isNotEmpty().doesNotContainAnyElementsOf(ended);
		assertThat(first.keys.decrypting()).containsAnyElementsOf(ended);
		// What hung is answered, and the end goes out after it.
		this.proxy.setHanging(false);
		await(() -> !first.keys.decrypting().contains(before));
		await(() -> hanging.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(hanging.keys.decrypting()).doesNotContainAnyElementsOf(ended);
	}

	@Test
	void commandThatTimesOutLeavesKnownKeys() {
		Node node = node(this.proxy.port(), Duration.ofMillis(200));
		node.poll();
		node.poll();
		List<String> before = node.keys.decrypting();
		this.proxy.setHanging(true);
		assertThat(node.poll()).isEqualTo(Reach.THIS_NODE);
		assertThat(node.status().lastFailure()).contains("Timeout");
		assertThat(node.keys.decrypting()).isEqualTo(before);
		this.proxy.setHanging(false);
		await(() -> node.poll() != Reach.THIS_NODE);
		assertThat(node.keys.decrypting()).isEqualTo(before);
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void endsAllSessionsOnEveryNodeAtOnce(CapturedOutput output) {
		Node first = node();
		Node second = node();
		await(() -> first.source.isListening() && second.source.isListening());
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		List<String> before = new ArrayList<>(first.keys.decrypting());
		before.addAll(second.keys.decrypting());
		assertThat(first.source.invalidateAll()).isEqualTo(Reach.ALL_NODES);
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(output).containsOnlyOnce("Another node has ended all TLS sessions");
	}

	@Test
	void endsAllSessionsAtTheNextPollWhereMessagesAreNotAllowed() {
		this.redis.cli("acl", "setuser", "default", "resetchannels");
		Node first = node();
		first.poll();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		String before = second.keys.encrypting();
		assertThat(first.source.invalidateAll()).isEqualTo(Reach.ALL_NODES_WITHIN_POLL_INTERVAL);
		assertThat(second.keys.encrypting()).isEqualTo(before);
		second.poll();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(second.keys.decrypting()).doesNotContain(before);
	}

	@Test
	void endsAllSessionsOnceRedisIsBack() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		List<String> before = second.keys.decrypting();
		this.redis.kill();
		assertThat(first.source.invalidateAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		String own = first.keys.encrypting();
		this.redis.start();
		await(() -> first.poll() != Reach.THIS_NODE);
		await(() -> second.poll() != Reach.THIS_NODE);
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(first.keys.decrypting()).contains(own);
	}

	@Test
	void nodeThatWasCutOffEndsItsSessionsOnceItIsBack() throws Exception {
		Node first = node();
		Node cutOff = node(this.proxy.port(), Duration.ofMillis(500));
		await(() -> cutOff.keys.encrypting().equals(first.keys.encrypting()));
		List<String> before = cutOff.keys.decrypting();
		this.proxy.setCut(true);
		first.source.invalidateAll();
		assertThat(cutOff.keys.decrypting()).isEqualTo(before);
		this.proxy.setCut(false);
		await(() -> cutOff.poll() != Reach.THIS_NODE);
		assertThat(cutOff.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(cutOff.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void sessionsStayEndedWhenRedisLosesItsData() {
		Node first = node();
		Node second = node();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		String backup = String.join(" ",
				hash().entrySet().stream().map((e) -> e.getKey() + " " + e.getValue()).toList());
		List<String> before = first.keys.decrypting();
		first.source.invalidateAll();
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		List<String> restored = new ArrayList<>(List.of("hset", name()));
		this.redis.cli("flushall");
		restored.addAll(List.of(backup.split(" ")));
		assertThat(this.redis.cli(restored.toArray(String[]::new))).isEqualTo("2");
		second.poll();
		first.poll();
		assertThat(first.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void nodeWithAnotherSecretSpoilsNothing() {
		Node first = node();
		Node wrong = node(OTHER_SECRET);
		await(() -> wrong.status().lastReached() != null);
		List<String> before = first.keys.decrypting();
		wrong.source.invalidateAll();
		assertThat(first.poll()).isNotEqualTo(Reach.THIS_NODE);
		assertThat(first.keys.decrypting()).isEqualTo(before).doesNotContainAnyElementsOf(wrong.keys.decrypting());
		assertThat(first.status().failures()).isZero();
		assertThat(wrong.status().failures()).isZero();
	}

	@Test
	void secretCanBeChangedNodeByNode() {
		Node before = node(SECRET);
		Node preparing = node(SECRET, OTHER_SECRET);
		Node changed = node(OTHER_SECRET, SECRET);
		Node after = node(OTHER_SECRET);
		Stream.of(before, preparing, changed, after, preparing).forEach((node) -> node.poll());
		assertThat(preparing.keys.encrypting()).isEqualTo(before.keys.encrypting());
		assertThat(changed.keys.encrypting()).isEqualTo(after.keys.encrypting());
		assertThat(preparing.keys.decrypting()).contains(changed.keys.encrypting());
		assertThat(changed.keys.decrypting()).contains(preparing.keys.encrypting());
		List<String> all = preparing.keys.decrypting();
		preparing.source.invalidateAll();
		Stream.of(before, changed, after).forEach((node) -> node.poll());
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.keys.decrypting()).doesNotContainAnyElementsOf(all));
	}

	@Test
	void endThatTimesOutAndIsToldAgainEndsOnce() {
		Node node = node(this.proxy.port(), Duration.ofMillis(300));
		await(() -> node.poll() != Reach.THIS_NODE);
		this.proxy.setHanging(true);
		assertThat(node.source.invalidateAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(node.poll()).isEqualTo(Reach.THIS_NODE);
		String own = node.keys.encrypting();
		// Redis gets both.
		this.proxy.setHanging(false);
		await(() -> node.poll() != Reach.THIS_NODE);
		assertThat(hash().get("generation")).startsWith("1:");
		assertThat(node.keys.decrypting()).contains(own);
		node.source.invalidateAll();
		await(() -> hash().get("generation").startsWith("2:"));
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 5, 13, 40 })
	void nodesStillShareKeysWhenTheClockOfRedisGoesBack(long hours) {
		Node first = node();
		String before = first.keys.encrypting();
		setRedisBack(Duration.ofHours(hours));
		first.poll();
		assertThat(first.keys.encrypting()).isEqualTo(before);
		Node second = node();
		first.poll();
		Stream.of(first, second).forEach((node) -> node.advance(MANUAL.multipliedBy(2)));
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		assertThat(first.keys.decrypting()).contains(before);
	}

	/**
	 * What is activated later, by the same time, is what a clock leaves that goes back.
	 */
	private void setRedisBack(Duration time) {
		hash().forEach((id, value) -> {
			String[] fields = value.split(":");
			String later = Long.toString(Long.parseLong(fields[1]) + time.toMillis());
			this.redis.cli("hset", name(), id, fields[0] + ":" + later + ":" + fields[2]);
		});
	}

	@Test
	void nodesWithOtherTimesShareKeys() {
		TicketKeyRotation quick = new TicketKeyRotation(Duration.ofHours(3), Duration.ofHours(1));
		Node slow = node();
		String before = slow.keys.encrypting();
		Node other = node(new ManualTicketClock(), quick, Duration.ofMinutes(30), SECRET);
		for (int i = 0; i < 2; i++) {
			other.poll();
			slow.poll();
		}
		assertThat(other.keys.encrypting()).isEqualTo(before);
		// The shortest times count.
		Stream.of(slow, other).forEach((node) -> node.advance(Duration.ofHours(3)));
		assertThat(slow.keys.encrypting()).isNotEqualTo(before).isEqualTo(other.keys.encrypting());
		assertThat(slow.keys.decrypting()).contains(before);
		assertThat(hash()).hasSizeLessThanOrEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "generation x", "generation 99999999999999999999999:00", "generation -1:00", "nothing x",
			"00ff 0:1:AAAA", "00ff 0:99999999999999:AAAA", "00ff 0:999999999999999999999999:AAAA", "00ff garbage",
			"00ff 7:1:AAAA", "zz 0:1:AAAA" })
	void removesGarbageFromTheHash(String field) {
		Node first = node();
		String before = first.keys.encrypting();
		List<String> command = new ArrayList<>(List.of("hset", name()));
		command.addAll(List.of(field.split(" ")));
		this.redis.cli(command.toArray(String[]::new));
		first.poll();
		assertThat(first.poll()).isNotEqualTo(Reach.THIS_NODE);
		assertThat(first.keys.encrypting()).isEqualTo(before);
		assertThat(first.status().failures()).isZero();
		assertThat(hash()).hasSizeBetween(2, 3).doesNotContainKeys("00ff", "zz", "nothing");
		Node second = node();
		await(() -> second.keys.encrypting().equals(before));
	}

	@Test
	void removesWhatIsNotHash() {
		node();
		String name = name();
		this.redis.cli("set", name, "garbage");
		Node second = node();
		await(() -> second.status().lastReached() != null);
		assertThat(second.status().failures()).isZero();
		assertThat(this.redis.cli("type", name)).isEqualTo("hash");
	}

	@Test
	void removesKeyThatHasBeenTamperedWith(CapturedOutput output) {
		Node first = node();
		first.poll();
		Map<String, String> hash = hash();
		List<String> ids = hash.keySet().stream().sorted(Comparator.comparing(hash::get)).toList();
		String current = ids.get(0);
		String next = ids.get(1);
		this.redis.cli("hset", name(), next,
				hash.get(next).replace(hash.get(next).split(":")[2], hash.get(current).split(":")[2]));
		Node second = node();
		await(() -> !hash().containsKey(next));
		assertThat(output).contains("1 entries in Redis were not keys");
		second.poll();
		assertThat(hash()).hasSize(2).containsKey(current);
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	void worksWithCluster() {
		try (RedisServer first = cluster(); RedisServer second = cluster(); RedisServer third = cluster()) {
			List<RedisServer> servers = List.of(first, second, third);
			List<String> addresses = servers.stream().map((server) -> "127.0.0.1:" + server.port()).toList();
			List<String> create = new ArrayList<>(List.of("--cluster", "create"));
			create.addAll(addresses);
			create.add("--cluster-yes");
			assertThat(first.cli(create.toArray(String[]::new))).contains("All 16384 slots covered");
			await(() -> servers.stream()
				.allMatch((server) -> server.cli("cluster", "info").contains("cluster_state:ok")));
			RedisConfiguration configuration = new RedisClusterConfiguration(addresses);
			shareAndEnd(node(configuration, OTHER_SECRET, SECRET), node(configuration, OTHER_SECRET, SECRET));
		}
	}

	private static RedisServer cluster() {
		return RedisServer.create("--cluster-enabled", "yes");
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
	void worksWithTlsAndUserThatMayDoNothingElse() throws Exception {
		int port = RedisServer.freePort();
		try (RedisServer encrypted = RedisServer.create(tls(port))) {
			encrypted.cli("acl", "setuser", "nodes", "on", ">password", "~test:*", "&test:*", "+evalsha", "+eval",
					"+type", "+del", "+time", "+hget", "+hgetall", "+hset", "+hdel", "+pexpire", "+publish",
					"+subscribe", "+unsubscribe");
			RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", port);
			configuration.setUsername("nodes");
			configuration.setPassword("password");
			LettuceClientConfiguration client = LettuceClientConfiguration.builder()
				.useSsl()
				.disablePeerVerification()
				.build();
			shareAndEnd(node(new LettuceConnectionFactory(configuration, client)),
					node(new LettuceConnectionFactory(configuration, client)));
		}
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
	void worksWithJedis() {
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		Node first = node(new JedisConnectionFactory(configuration));
		shareAndEnd(first, node(new JedisConnectionFactory(configuration)));
		this.redis.kill();
		assertThat(first.poll()).isEqualTo(Reach.THIS_NODE);
		this.redis.start();
		await(() -> first.poll() == Reach.ALL_NODES_WITHIN_POLL_INTERVAL);
		this.nodes.forEach(Node::close);
		await(() -> threads().noneMatch((name) -> name.startsWith("uncontended-ticket-keys")));
	}

	private void shareAndEnd(Node first, Node second) {
		await(() -> first.poll() != Reach.THIS_NODE && first.source.isListening());
		await(() -> second.poll() != Reach.THIS_NODE && second.source.isListening());
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		String before = first.keys.encrypting();
		assertThat(first.source.invalidateAll()).isEqualTo(Reach.ALL_NODES);
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(second.keys.decrypting()).doesNotContain(before);
		assertThat(first.status().failures()).isZero();
	}

	@Test
	void refusesPollIntervalThatLeavesNoTimeToReadKey() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new RedisTicketKeyOptions(List.of(new TicketSecret(SECRET)), SLOW, "prefix",
					Duration.ofHours(7), new SecureRandom()))
			.withMessageContaining("half the rotation interval PT12H, but was PT7H");
	}

	@Test
	void threadsEndWhenItIsClosed() {
		Node node = node();
		await(() -> threads().anyMatch((name) -> name.startsWith("uncontended-ticket-keys-redis")));
		node.close();
		await(() -> threads().noneMatch((name) -> name.startsWith("uncontended-ticket-keys")));
	}

	private static Stream<String> threads() {
		return Thread.getAllStackTraces().keySet().stream().filter(Thread::isAlive).map(Thread::getName);
	}

	private String name() {
		return this.redis.cli("--scan", "--pattern", "test:*").split("\\R")[0];
	}

	private Map<String, String> hash() {
		Map<String, String> hash = new TreeMap<>();
		String[] lines = this.redis.cli("hgetall", name()).split("\\R");
		for (int i = 0; i + 1 < lines.length; i += 2) {
			hash.put(lines[i], lines[i + 1]);
		}
		return hash;
	}

	private Node node() {
		Node node = node(SECRET);
		// The first poll brings a key that encrypts at once, if need be, the second the
		// next one.
		node.poll();
		node.poll();
		return node;
	}

	private Node node(String... secrets) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()), secrets);
	}

	private Node node(RedisConfiguration configuration, String... secrets) {
		return node(configuration, Duration.ofSeconds(10), new ManualTicketClock(), SLOW, MANUAL, secrets);
	}

	private Node node(TicketClock clock, TicketKeyRotation rotation, Duration pollInterval, String... secrets) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", this.redis.port()), Duration.ofSeconds(10), clock,
				rotation, pollInterval, secrets);
	}

	private Node node(int port, Duration timeout) {
		return node(new RedisStandaloneConfiguration("127.0.0.1", port), timeout, new ManualTicketClock(), SLOW, MANUAL,
				SECRET);
	}

	private Node node(RedisConfiguration configuration, Duration timeout, TicketClock clock, TicketKeyRotation rotation,
			Duration pollInterval, String... secrets) {
		return node(
				new LettuceConnectionFactory(configuration,
						LettuceClientConfiguration.builder().commandTimeout(timeout).build()),
				clock, rotation, pollInterval, secrets);
	}

	private Node node(RedisConnectionFactory connections) {
		return node(connections, new ManualTicketClock(), SLOW, MANUAL, SECRET);
	}

	private Node node(RedisConnectionFactory connections, TicketClock clock, TicketKeyRotation rotation,
			Duration pollInterval, String... secrets) {
		this.beans.initializeBean(connections, "redisConnectionFactory");
		((Lifecycle) connections).start();
		RedisTicketKeyOptions options = new RedisTicketKeyOptions(Stream.of(secrets).map(TicketSecret::new).toList(),
				rotation, "test", pollInterval, new SecureRandom());
		RedisTicketKeySource source = new RedisTicketKeySource(connections, options, clock);
		Node node = new Node(() -> this.beans.destroyBean(connections), clock, source);
		this.nodes.add(node);
		return node;
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(Duration.ofSeconds(30)).until(condition);
	}

	private static final class Node implements AutoCloseable {

		private final Runnable disconnect;

		private final TicketClock clock;

		private final RedisTicketKeySource source;

		private final RecordedKeys keys;

		private Node(Runnable disconnect, TicketClock clock, RedisTicketKeySource source) {
			this.disconnect = disconnect;
			this.clock = clock;
			this.source = source;
			this.keys = RecordedKeys.of(source);
		}

		private Reach poll() {
			try {
				return this.source.submitPoll().get();
			}
			catch (InterruptedException | ExecutionException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private TicketKeyStatus status() {
			return this.source.status();
		}

		private ManualTicketClock manualClock() {
			return (ManualTicketClock) this.clock;
		}

		private void advance(Duration time) {
			manualClock().advance(time);
			this.source.ring().advance();
		}

		@Override
		public void close() {
			this.source.close();
			this.disconnect.run();
		}

	}

}
