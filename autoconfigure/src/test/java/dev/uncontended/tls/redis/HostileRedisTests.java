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
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTicketKeySource} while another program writes to Redis.
 */
class HostileRedisTests extends AbstractRedisTests {

	@ParameterizedTest
	@ValueSource(strings = { "end x", "end 999999999999999:aa", "end AAAA", "generation 999999999999999:aa",
			"nothing x", "00000000000000000000000000000000 x", "00000000000000000000000000000000 AAAA",
			"00000000000000000000000000000000 ======", "00000000000000000000000000000000 a:b",
			"gggggggggggggggggggggggggggggggg AAAA" })
	void removesInvalidRecordsFromHash(String field, CapturedOutput output) {
		Node first = node();
		String before = first.keys.encrypting();
		Map<String, String> good = hash();
		List<String> command = new ArrayList<>(List.of("hset", name()));
		command.addAll(List.of(field.split(" ")));
		this.redis.cli(command.toArray(String[]::new));
		first.poll();
		assertThat(first.poll()).isTrue();
		assertThat(first.keys.encrypting()).isEqualTo(before);
		assertThat(first.status().failures()).isZero();
		assertThat(hash()).isEqualTo(good);
		assertThat(output).containsOnlyOnce("Removed 1 invalid TLS ticket key records");
		Node second = node();
		await(() -> second.keys.encrypting().equals(before));
	}

	@Test
	void removesKeyOfOtherType() {
		node();
		String name = name();
		this.redis.cli("set", name, "garbage");
		Node second = node();
		await(() -> second.status().lastReached() != null);
		assertThat(second.status().failures()).isZero();
		assertThat(this.redis.cli("type", name)).isEqualTo("hash");
	}

	@Test
	void recordMovedToOtherFieldIsRejectedAndRestored() {
		Node first = node();
		Map<String, String> hash = hash();
		Iterator<String> ids = hash.keySet().iterator();
		this.redis.cli("hset", name(), ids.next(), hash.get(ids.next()));
		first.poll();
		assertThat(hash()).isEqualTo(hash);
	}

	@Test
	void recordOfOtherFieldIsRejected() {
		Node node = node();
		node.poll();
		hash().forEach((id, value) -> {
			assertThat(records().openKey(id, value)).isNotNull();
			assertThat(records().openKey("0".repeat(32), value)).isNull();
		});
	}

	@Test
	void recordOfOtherHashIsRejected() {
		SealedRecords other = new SealedRecords(new TicketSecret(SECRET), RedisTicketKeySource.FORMAT, "other",
				new SecureRandom());
		assertThat(records().openEnd(other.sealEnd(new End(0, 1, "0".repeat(32))))).isNull();
	}

	@Test
	void sealedRecordsDiffer() {
		End end = new End(0, 1, "0".repeat(32));
		assertThat(records().sealEnd(end).substring(0, 16)).isNotEqualTo(records().sealEnd(end).substring(0, 16));
	}

	@ParameterizedTest
	@ValueSource(strings = { "999999999999999:aa", "9223372036854775807", "AAAA" })
	void invalidEndDoesNotPreventNextEnd(String rubbish) {
		Node first = node();
		Node second = node();
		first.listen();
		second.listen();
		List<String> before = second.keys.decrypting();
		this.redis.cli("hset", name(), "end", rubbish, "generation", rubbish);
		assertThat(first.source.endAll()).isEqualTo(Reach.ALL_NODES);
		await(() -> second.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(second.keys.decrypting()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void removedEndIsRestored() {
		Node first = node();
		first.source.endAll();
		Map<String, String> before = hash();
		End end = end(SECRET);
		this.redis.cli("hdel", name(), "end");
		first.poll();
		assertThat(hash()).containsOnlyKeys(before.keySet());
		assertThat(end(SECRET)).isEqualTo(end);
	}

	@Test
	void keysProveEndWithoutItsRecord() {
		Node first = node();
		first.source.endAll();
		this.redis.cli("hdel", name(), "end");
		Node second = node();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	/**
	 * The attacker restores an earlier hash between any two requests of the nodes. With
	 * additional records, it also prevents new keys, because each addition changes the
	 * number of fields.
	 */
	@ParameterizedTest
	@ValueSource(booleans = { false, true })
	void endReachesNodesThatNeverReadItInRedis(boolean adds) {
		Node first = node();
		Node second = node();
		first.listen();
		second.listen();
		List<String> before = second.keys.decrypting();
		String addition = adds ? " redis.call('HSET', KEYS[1], redis.sha1hex(ARGV[1]):sub(1, 32), 'AAAA')" : "";
		try (Attack attack = new Attack(restoring(hash()) + addition)) {
			attack.awaitRounds();
			assertThat(first.source.endAll()).isEqualTo(Reach.ALL_NODES);
			await(() -> Collections.disjoint(second.keys.decrypting(), before));
			Node later = node(SECRET);
			await(() -> later.source.messages.isHeard());
			second.poll();
			await(() -> Collections.disjoint(later.keys.decrypting(), before));
			attack.awaitRounds();
			for (Node node : List.of(first, second, later)) {
				node.poll();
				assertThat(node.keys.decrypting()).doesNotContainAnyElementsOf(before);
			}
		}
	}

	@Test
	void nodeWhoseEndKeepsBeingReplacedIsDown(CapturedOutput output) {
		Node node = node();
		Map<String, String> old = hash();
		node.source.endAll();
		for (int i = 0; i < 3; i++) {
			assertThat(node.poll()).isTrue();
			node.manualClock().advance(MANUAL.multipliedBy(4));
			restore(old);
			node.poll();
		}
		assertThat(node.status().isUp()).isFalse();
		assertThat(output).containsOnlyOnce("keeps replacing the last end of all TLS sessions in Redis");
		node.manualClock().advance(MANUAL.multipliedBy(4));
		assertThat(node.poll()).isFalse();
		node.manualClock().advance(Duration.ofSeconds(1));
		assertThat(node.poll()).isTrue();
	}

	@Test
	void endThatRedisLosesRarelyIsNoAttack() {
		Node node = node();
		Map<String, String> old = hash();
		node.source.endAll();
		for (int i = 0; i < 5; i++) {
			restore(old);
			assertThat(node.poll()).isTrue();
			node.manualClock().advance(MANUAL.multipliedBy(4).plusSeconds(1));
		}
	}

	private void restore(Map<String, String> hash) {
		this.redis.cli("eval", restoring(hash), "1", records().hash());
	}

	private static String restoring(Map<String, String> hash) {
		StringBuilder script = new StringBuilder("redis.call('DEL', KEYS[1])");
		hash.forEach(
				(field, value) -> script.append(" redis.call('HSET', KEYS[1], '%s', '%s')".formatted(field, value)));
		return script.toString();
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "AAAA", "not base64 !" })
	void messageWithoutEndOnlyRequestsPoll(String message) {
		Node node = node();
		node.listen();
		List<String> before = node.keys.decrypting();
		this.redis.cli("publish", "test:changes", message);
		node.poll();
		assertThat(node.keys.decrypting()).isEqualTo(before);
		assertThat(node.status().isUp()).isTrue();
	}

	@Test
	void replayOfKeysAndEndBeforeLastEndIsRejected() {
		Node node = node();
		Map<String, String> old = hash();
		List<String> before = node.keys.decrypting();
		node.source.endAll();
		old.forEach((id, value) -> this.redis.cli("hset", name(), id, value));
		node.poll();
		assertThat(node.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(hash()).doesNotContainKeys(old.keySet().toArray(String[]::new));
	}

	@Test
	void replayOfExpiredKeyIsRejected() {
		Node node = node();
		long now = System.currentTimeMillis();
		TicketKey old = TicketKey.generate(new SecureRandom());
		String id = "0".repeat(32);
		long expired = now - 1000;
		this.redis.cli("hset", name(), id,
				records().sealKey(id, End.NONE, expired - Duration.ofHours(36).toMillis(), expired, old));
		node.poll();
		assertThat(node.keys.decrypting()).doesNotContain(HexFormat.of().formatHex(old.parts()));
		assertThat(hash()).doesNotContainKey(id);
	}

	@Test
	void removalOfKeysDoesNotStopRotation() {
		Node node = node();
		Map<String, String> good = hash();
		String before = node.keys.encrypting();
		String waiting = good.keySet()
			.stream()
			.map((id) -> Objects.requireNonNull(records().openKey(id, good.get(id))))
			.max(Comparator.comparingLong(SharedKey::activation))
			.map((key) -> HexFormat.of().formatHex(key.key().parts()))
			.orElseThrow();
		for (String id : good.keySet()) {
			this.redis.cli("hdel", name(), id);
			node.poll();
			assertThat(hash()).isEqualTo(good);
		}
		this.redis.kill();
		node.advance(Duration.ofHours(12));
		assertThat(node.keys.encrypting()).isEqualTo(waiting).isNotEqualTo(before);
	}

	@Test
	void oversizedValuesAndFieldsAreRemovedUnread() throws IOException {
		Node node = node();
		Map<String, String> good = hash();
		String large = "A".repeat(64 << 20);
		send("HSET", name(), "end", large);
		send("HSET", name(), "0".repeat(32), large);
		send("HSET", name(), "a".repeat(16 << 20), "AAAA");
		assertThat(node.poll()).isTrue();
		assertThat(hash()).isEqualTo(good);
		assertThat(node.status().failures()).isZero();
	}

	@Test
	void hashWithTooManyFieldsIsRemovedUnread(CapturedOutput output) throws IOException {
		Node node = node();
		Map<String, String> good = hash();
		List<String> command = new ArrayList<>(List.of("HSET", name()));
		for (int i = 0; i < 10_000; i++) {
			command.add("%032x".formatted(i));
			command.add("AAAA");
		}
		send(command.toArray(String[]::new));
		assertThat(node.poll()).isTrue();
		assertThat(hash()).isEqualTo(good);
		assertThat(output).contains("Removed %d invalid TLS ticket key records".formatted(good.size() + 10_000));
	}

	@Test
	void removedRecordsAreLoggedOncePerMinute(CapturedOutput output) {
		Node node = node();
		for (int i = 0; i < 5; i++) {
			this.redis.cli("hset", name(), "end", "rubbish");
			node.poll();
		}
		assertThat(output).containsOnlyOnce("Removed");
		node.manualClock().advance(Duration.ofMinutes(1));
		node.poll();
		assertThat(output).contains("Removed 4 invalid TLS ticket key records");
	}

	@Test
	void messagesStartOnePollPerSecond() {
		Node node = node();
		node.listen();
		long calls = polls();
		long start = System.nanoTime();
		long number = 0;
		do {
			this.redis.cli("publish", "test:changes", records()
				.sealAnnouncement(new Announcement(1, ++number, Duration.ofHours(1), true, End.NONE), End.NONE));
		}
		while (polls() < calls + 3);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(1900));
	}

	private long polls() {
		String stats = this.redis.cli("info", "commandstats");
		return Long.parseLong(stats.replaceAll("(?s).*cmdstat_evalsha:calls=(\\d+).*", "$1"));
	}

	/**
	 * Sends a command that exceeds the limits of a command line.
	 */
	private void send(String... command) throws IOException {
		try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), this.redis.port())) {
			OutputStream output = socket.getOutputStream();
			output.write(("*" + command.length + "\r\n").getBytes(StandardCharsets.US_ASCII));
			for (String argument : command) {
				output
					.write(("$" + argument.length() + "\r\n" + argument + "\r\n").getBytes(StandardCharsets.US_ASCII));
			}
			assertThat(socket.getInputStream().read()).isEqualTo(':');
		}
	}

	/**
	 * Runs a script in a tight loop, each time with another argument.
	 */
	private final class Attack implements AutoCloseable {

		private final LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1",
				HostileRedisTests.this.redis.port());

		private final AtomicLong rounds = new AtomicLong();

		private final Thread thread;

		private volatile boolean stopped;

		Attack(String script) {
			this.connections.afterPropertiesSet();
			this.connections.start();
			StringRedisTemplate client = new StringRedisTemplate(this.connections);
			List<String> hash = List.of(records().hash());
			this.thread = new Thread(() -> {
				while (!this.stopped) {
					client.execute(RedisScript.of(script), hash, Long.toString(this.rounds.incrementAndGet()));
				}
			});
			this.thread.start();
		}

		/**
		 * Awaits many rounds after this call.
		 */
		void awaitRounds() {
			long start = this.rounds.get();
			await(() -> this.rounds.get() > start + 100);
		}

		@Override
		public void close() {
			this.stopped = true;
			await(() -> !this.thread.isAlive());
			this.connections.destroy();
		}

	}

}
