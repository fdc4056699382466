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

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.uncontended.tls.redis.RedisTicketKeySource.Waits;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.ManualTicketClock;
import dev.uncontended.tls.tickets.RecordedKeys;
import dev.uncontended.tls.tickets.internal.TicketClock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.Lifecycle;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisTicketKeySource} while Redis is down, slow, empty or its clock is
 * wrong.
 */
class RedisOutageTests extends AbstractRedisTests {

	private final Waits patient = this.waits;

	RedisOutageTests() {
		this.waits = SHORT;
	}

	@Test
	void rotationContinuesWithoutRedisOnMonotonicClock() {
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
	void startsWithLocalKeyWhileRedisIsDownAndSharesAfterwards(CapturedOutput output) {
		this.waits = this.patient;
		this.redis.kill();
		Node node = node(SECRET);
		assertThat(node.poll()).isFalse();
		String own = node.keys.encrypting();
		assertThat(node.keys.decrypting()).containsExactly(own);
		assertThat(node.status().failures()).isPositive();
		assertThat(node.status().lastReached()).isNull();
		assertThat(node.status().lastFailure()).contains("RedisConnectionFailureException").doesNotContain("127.0.0.1");
		assertThat(output).containsOnlyOnce("Failed to reach Redis; continuing with the known TLS ticket keys");
		this.redis.start();
		node.reach();
		assertThat(node.keys.encrypting()).isNotEqualTo(own);
		assertThat(node.keys.decrypting()).contains(own);
		assertThat(node.status().lastFailure()).isNull();
		assertThat(output).containsOnlyOnce("Reading TLS ticket keys from Redis again");
		Node other = node();
		await(() -> other.keys.encrypting().equals(node.keys.encrypting()));
		node.advance(Duration.ofHours(25));
		assertThat(node.keys.decrypting()).doesNotContain(own);
	}

	@Test
	void slowRedisDelaysNeitherStartNorRotationNorEnd() {
		Node first = node();
		String before = first.keys.encrypting();
		this.proxy.setHanging(true);
		long start = System.nanoTime();
		Node hanging = node(this.proxy.port(), Duration.ofSeconds(60));
		assertThat(hanging.keys.encrypting()).isNotEqualTo(before);
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(30));
		this.proxy.setHanging(false);
		hanging.reach();
		assertThat(hanging.keys.encrypting()).isEqualTo(before);
		this.proxy.setHanging(true);
		hanging.source.polls.submit();
		hanging.advance(Duration.ofHours(12));
		first.advance(Duration.ofHours(12));
		assertThat(hanging.keys.encrypting()).isNotEqualTo(before).isEqualTo(first.keys.encrypting());
		List<String> ended = hanging.keys.decrypting();
		assertThat(hanging.source.endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(hanging.keys.decrypting()).isNotEmpty().doesNotContainAnyElementsOf(ended);
		assertThat(first.keys.decrypting()).containsAnyElementsOf(ended);
		// The pending requests are answered, and the end is written afterwards.
		this.proxy.setHanging(false);
		await(() -> !first.keys.decrypting().contains(before));
		await(() -> hanging.keys.encrypting().equals(first.keys.encrypting()));
		assertThat(hanging.keys.decrypting()).doesNotContainAnyElementsOf(ended);
	}

	@Test
	void deadConnectionIsReplaced() {
		this.waits = new Waits(Duration.ofMillis(300), Duration.ofSeconds(2), Duration.ofSeconds(2), Duration.ZERO);
		Node other = node();
		Node node = node(this.proxy.port(), Duration.ofSeconds(60));
		node.listen();
		this.proxy.discardOpenConnections();
		for (int i = 0; i < 3; i++) {
			assertThat(node.poll()).isFalse();
		}
		node.listen();
		other.listen();
		other.source.endAll();
		await(() -> node.keys.encrypting().equals(other.keys.encrypting()));
	}

	@Test
	void timedOutCommandPreservesKnownKeys() {
		Node node = node(this.proxy.port(), Duration.ofMillis(200));
		node.reach();
		List<String> before = node.keys.decrypting();
		this.proxy.setHanging(true);
		assertThat(node.poll()).isFalse();
		assertThat(node.status().lastFailure()).contains("Timeout");
		assertThat(node.keys.decrypting()).isEqualTo(before);
		this.proxy.setHanging(false);
		node.reach();
		assertThat(node.keys.decrypting()).isEqualTo(before);
	}

	@ParameterizedTest
	@ValueSource(longs = { 1, 5, 13, 40 })
	void nodesShareKeysAfterRedisClockMovesBackwards(long hours) {
		this.waits = this.patient;
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
	 * The node's clock is ahead of Redis's by more than the lifetime of a key.
	 */
	@Test
	void keyThatHasExpiredOnThisNodeOnlyIsRead() {
		Node node = node();
		node.reach();
		String before = node.keys.encrypting();
		node.advance(Duration.ofHours(37));
		assertThat(node.keys.decrypting()).doesNotContain(before);
		node.reach();
		assertThat(node.keys.decrypting()).contains(before);
		assertThat(RecordedKeys.of(node.source).decrypting()).contains(before);
	}

	/**
	 * Moves Redis's clock backwards: existing times become later.
	 */
	private void setRedisBack(Duration time) {
		SealedRecords records = records();
		hash().forEach((id, value) -> {
			SharedKey key = Objects.requireNonNull(records.openKey(id, value));
			this.redis.cli("hset", name(), id, records.sealKey(id, key.end(), key.activation() + time.toMillis(),
					key.expiry() + time.toMillis(), key.key()));
		});
	}

	@Test
	void nodesRestoreKeysInEmptyRedis() {
		Node first = node();
		Map<String, String> before = hash();
		this.redis.kill();
		this.redis.start();
		first.reach();
		assertThat(hash()).isEqualTo(before);
		Node second = node();
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
		Stream.of(first, second).forEach((node) -> node.advance(Duration.ofHours(12)));
		assertThat(second.keys.encrypting()).isEqualTo(first.keys.encrypting());
	}

	@Test
	@Tag("product")
	void pollIsCanceledBeforeTimeoutOfDriver() {
		Node node = node(this.proxy.port(), Duration.ofSeconds(60));
		node.reach();
		long before = node.status().failures();
		this.proxy.setHanging(true);
		long start = System.nanoTime();
		assertThat(node.poll()).isFalse();
		assertThat(node.poll()).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(50));
		assertThat(node.status().isUp()).isFalse();
		assertThat(node.status().failures()).isEqualTo(before + 2);
		this.proxy.setHanging(false);
		node.reach();
		assertThat(node.status().isUp()).isTrue();
	}

	@Test
	void sourceIsDownAfterMaximumAge() {
		Node node = node();
		assertThat(node.status().age()).isZero();
		assertThat(node.status().maximumAge()).isEqualTo(MANUAL.plusSeconds(6));
		node.manualClock().advance(MANUAL.plusSeconds(6));
		assertThat(node.status().isUp()).isTrue();
		node.manualClock().advance(Duration.ofSeconds(1));
		assertThat(node.status().age()).isEqualTo(MANUAL.plusSeconds(7));
		assertThat(node.status().isUp()).isFalse();
	}

	@Test
	void errorReplyIsDistinguishedFromOutage(CapturedOutput output) {
		this.waits = this.patient;
		Node node = node();
		this.redis.cli("acl", "setuser", "default", "-evalsha", "-eval");
		assertThat(node.poll()).isFalse();
		assertThat(node.poll()).isFalse();
		assertThat(output).containsOnlyOnce("The Redis user lacks a required right (NOPERM)");
		assertThat(node.status().isUp()).isFalse();
	}

	/**
	 * Lettuce reconnects without reporting the password. It may also lose Redis's reply
	 * if Redis closes the new connection early.
	 */
	@ParameterizedTest
	@Tag("product")
	@CsvSource({ "60, first, WRONGPASS", "1, first, WRONGPASS", "60, '', NOAUTH" })
	void changedPasswordIsDistinguishedFromOutage(int timeout, String password, String reply, CapturedOutput output) {
		this.redis.cli("config", "set", "requirepass", password);
		RedisStandaloneConfiguration configuration = new RedisStandaloneConfiguration("127.0.0.1", this.redis.port());
		configuration.setPassword(password);
		// The reason is known once a new connection has failed.
		this.waits = new Waits(SHORT.poll(), this.patient.connect(), SHORT.end(), Duration.ZERO);
		Node node = node(configuration, Duration.ofSeconds(timeout), new ManualTicketClock(), SLOW, MANUAL, SECRET);
		node.reach();
		this.redis.cli("-a", password, "config", "set", "requirepass", "second");
		this.redis.cli("-a", "second", "client", "kill", "type", "normal");
		long start = System.nanoTime();
		assertThat(node.poll()).isFalse();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(50));
		assertThat(node.status().isUp()).isFalse();
		await(() -> !node.poll()
				&& String.valueOf(node.status().lastFailure()).startsWith("Failed to authenticate to Redis: "));
		assertThat(node.poll()).isFalse();
		assertThat(output).contains("Failed to authenticate to Redis; continuing", reply);
		this.redis.cli("-a", "second", "config", "set", "requirepass", password);
		node.reach();
		assertThat(node.status().isUp()).isTrue();
	}

	@Test
	void stopsInTimeWhileRedisHangs() {
		Node node = node(this.proxy.port(), Duration.ofSeconds(60));
		node.listen();
		this.proxy.setHanging(true);
		long start = System.nanoTime();
		node.source.close();
		assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(50));
	}

	@Test
	@Tag("product")
	void failuresCloseConnections() {
		Node node = node();
		node.listen();
		int before = clients();
		this.redis.cli("client", "pause", "20000", "all");
		assertThat(node.poll()).isFalse();
		assertThat(node.poll()).isFalse();
		this.redis.cli("client", "unpause");
		node.reach();
		await(() -> clients() <= before);
	}

	@Test
	void connectionsThatRedisAcceptsLateAreClosed() {
		Node node = node(this.proxy.port(), Duration.ofSeconds(60));
		node.listen();
		int before = clients();
		this.proxy.setHanging(true);
		assertThat(node.poll()).isFalse();
		assertThat(node.poll()).isFalse();
		this.proxy.setHanging(false);
		node.reach();
		await(() -> clients() <= before);
	}

	@Test
	void firstConnectionThatRedisAcceptsLateIsClosed() {
		int before = clients();
		this.proxy.setHanging(true);
		Node node = node(this.proxy.port(), Duration.ofSeconds(60));
		assertThat(node.poll()).isFalse();
		assertThat(node.poll()).isFalse();
		this.proxy.setHanging(false);
		node.listen();
		await(() -> clients() <= before + 2);
	}

	private int clients() {
		return Integer.parseInt(this.redis.cli("info", "clients").replaceAll("(?s).*connected_clients:(\\d+).*", "$1"));
	}

	@Test
	void errorInPollDoesNotEndPolling(CapturedOutput output) {
		this.waits = this.patient;
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.port());
		AtomicInteger errors = new AtomicInteger(3);
		RedisConnectionFactory failing = (RedisConnectionFactory) Proxy.newProxyInstance(getClass().getClassLoader(),
				new Class<?>[] { RedisConnectionFactory.class, Lifecycle.class }, (proxy, method, arguments) -> {
					if (method.getName().equals("getConnection") && errors.getAndDecrement() > 0) {
						throw new OutOfMemoryError("of the test");
					}
					return method.invoke(connections, arguments);
				});
		connections.afterPropertiesSet();
		Node node = node(failing, TicketClock.system(), SLOW, Duration.ofMillis(50), SECRET);
		await(() -> node.status().isUp() && node.status().lastReached() != null);
		assertThat(node.status().failures()).isEqualTo(3);
		assertThat(output).containsOnlyOnce("Failed to exchange keys with Redis")
			.doesNotContain("Failed to reach Redis");
		connections.destroy();
	}

}
