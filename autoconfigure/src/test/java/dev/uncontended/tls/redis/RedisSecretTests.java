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

import java.security.SecureRandom;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

import dev.uncontended.tls.tickets.TestTicketKeyListeners;
import dev.uncontended.tls.tickets.TicketSecret;
import org.junit.jupiter.api.Test;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the secrets of {@link RedisTicketKeySource}.
 */
class RedisSecretTests extends AbstractRedisTests {

	@Test
	void nodeWithOtherSecretDoesNotInterfere() {
		Node first = node();
		Node wrong = node(OTHER_SECRET);
		wrong.reach();
		List<String> before = first.keys.decrypting();
		wrong.source.endAll();
		assertThat(first.poll()).isTrue();
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
		Stream.of(before, preparing, changed, after, preparing).forEach(Node::reach);
		assertThat(preparing.keys.encrypting()).isEqualTo(before.keys.encrypting());
		assertThat(changed.keys.encrypting()).isEqualTo(after.keys.encrypting());
		assertThat(preparing.keys.decrypting()).contains(changed.keys.encrypting());
		assertThat(changed.keys.decrypting()).contains(preparing.keys.encrypting());
		List<String> all = preparing.keys.decrypting();
		preparing.source.endAll();
		Stream.of(before, changed, after).forEach((node) -> node.poll());
		assertThat(this.nodes)
			.allSatisfy((node) -> assertThat(node.keys.decrypting()).doesNotContainAnyElementsOf(all));
	}

	@Test
	void endUnderOneSecretIsCopiedToOtherOnce(CapturedOutput output) {
		Node changing = node(OTHER_SECRET, SECRET);
		Node changed = node(SECRET);
		Node unchanged = node(OTHER_SECRET);
		Stream.of(changing, changed, unchanged).forEach(Node::reach);
		List<String> ended = changing.keys.decrypting();
		AtomicInteger ends = new AtomicInteger();
		changing.source.onRemoteEnd(ends::incrementAndGet);
		changed.source.endAll();
		changing.poll();
		unchanged.poll();
		assertThat(changing.keys.decrypting()).doesNotContainAnyElementsOf(ended);
		assertThat(unchanged.keys.decrypting()).doesNotContainAnyElementsOf(ended);
		assertThat(end(OTHER_SECRET).id()).isEqualTo(end(SECRET).id());
		End recorded = end(SECRET);
		End other = end(OTHER_SECRET);
		for (int i = 0; i < 3; i++) {
			Stream.of(changing, changed, unchanged).forEach(Node::poll);
		}
		assertThat(ends).hasValue(1);
		assertThat(end(OTHER_SECRET)).isEqualTo(other);
		assertThat(end(SECRET)).isEqualTo(recorded);
		assertThat(output.toString().split("requested by another node", -1)).hasSize(3);
	}

	@Test
	void differentEndsAtStartEndNothing() {
		Node first = node(SECRET);
		Node second = node(OTHER_SECRET);
		first.reach();
		second.reach();
		first.source.endAll();
		second.source.endAll();
		List<String> keys = second.keys.decrypting();
		Node both = node(SECRET, OTHER_SECRET);
		both.reach();
		second.poll();
		assertThat(second.keys.decrypting()).isEqualTo(keys);
		assertThat(both.keys.decrypting()).contains(second.keys.encrypting(), first.keys.encrypting());
	}

	@Test
	void endInTwoHashesEndsSessionsOfNewNodeOnce() {
		Node first = node(OTHER_SECRET, SECRET);
		first.reach();
		first.source.endAll();
		this.proxy.setHanging(true);
		Node second = node(new RedisStandaloneConfiguration("127.0.0.1", this.proxy.port()), OTHER_SECRET, SECRET);
		AtomicInteger ends = new AtomicInteger();
		second.source.subscribe(TestTicketKeyListeners.ofEnds(ends::incrementAndGet));
		this.proxy.setHanging(false);
		second.reach();
		assertThat(ends).hasValue(1);
	}

	@Test
	void closeDestroysSecrets() {
		TicketSecret secret = new TicketSecret(SECRET);
		LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.port());
		new RedisTicketKeySource(connections,
				new RedisTicketKeyOptions(List.of(secret), SLOW, "test", MANUAL, new SecureRandom()))
			.close();
		assertThat(secret.isDestroyed()).isTrue();
	}

}
