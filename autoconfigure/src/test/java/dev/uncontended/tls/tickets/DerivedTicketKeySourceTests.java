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
package dev.uncontended.tls.tickets;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import dev.uncontended.tls.session.Reach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link DerivedTicketKeySource}.
 */
class DerivedTicketKeySourceTests {

	private static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24));

	private static final String OLD = "the old secret of the test, 32 b.";

	private static final String NEW = "the new secret of the test, 32 b.";

	private final List<Node> nodes = new ArrayList<>();

	@AfterEach
	void close() {
		this.nodes.forEach((node) -> node.source.close());
	}

	@Test
	void nodesWithSameSecretHaveSameKeys() {
		Node first = node(OLD);
		Node second = node(OLD);
		for (int i = 0; i < 5; i++) {
			assertThat(first.keys.decrypting()).isEqualTo(second.keys.decrypting()).hasSize(4);
			advance(Duration.ofHours(12));
		}
		assertThat(first.source.status().rotations()).isEqualTo(5);
	}

	@Test
	void laterNodeHasSameKeys() {
		Node first = node(OLD);
		advance(Duration.ofHours(17));
		Node second = node(OLD);
		second.clock.advance(Duration.ofHours(17));
		second.source.ring.advance();
		assertThat(first.keys.decrypting()).isEqualTo(second.keys.decrypting());
	}

	@Test
	void keyDecryptsForLifetimeAfterRotation() {
		Node node = node(OLD);
		String key = node.keys.encrypting();
		advance(Duration.ofHours(36).minusMillis(1));
		assertThat(node.keys.decrypting()).contains(key);
		advance(Duration.ofMillis(1));
		assertThat(node.keys.decrypting()).doesNotContain(key);
	}

	@Test
	void clocksMayDiffer() {
		Node first = node(OLD);
		Node ahead = node(OLD);
		ahead.clock.setWallClockForward(Duration.ofSeconds(5));
		for (int i = 0; i < 100; i++) {
			advance(Duration.ofHours(1));
			assertThat(first.keys.decrypting()).contains(ahead.keys.encrypting());
			assertThat(ahead.keys.decrypting()).contains(first.keys.encrypting());
			advance(Duration.ofSeconds(3));
		}
	}

	@Test
	void wallClockMayJump() {
		Node node = node(OLD);
		String key = node.keys.encrypting();
		node.clock.setWallClockForward(Duration.ofDays(400));
		node.source.ring.advance();
		assertThat(node.keys.decrypting()).doesNotContain(key);
		node.clock.setWallClockForward(Duration.ofDays(-400));
		node.source.ring.advance();
		assertThat(node.keys.encrypting()).isEqualTo(key);
		assertThat(node.source.status().failures()).isZero();
	}

	@Test
	void otherSecretOrIntervalHasOtherKeys() {
		Node node = node(OLD);
		assertThat(node(NEW).keys.decrypting()).doesNotContainAnyElementsOf(node.keys.decrypting());
		Node faster = node(new TicketKeyRotation(Duration.ofHours(6), Duration.ofHours(24)), OLD);
		assertThat(faster.keys.decrypting()).doesNotContainAnyElementsOf(node.keys.decrypting());
	}

	/*
	 * In 1970, epochs of different lengths have the same numbers.
	 */
	@Test
	void sameEpochOfOtherIntervalHasOtherKeys() {
		Node node = node(ROTATION, in1970(), OLD);
		Node faster = node(new TicketKeyRotation(Duration.ofHours(6), Duration.ofHours(24)), in1970(), OLD);
		assertThat(faster.keys.decrypting()).doesNotContainAnyElementsOf(node.keys.decrypting());
	}

	private static ManualTicketClock in1970() {
		ManualTicketClock clock = new ManualTicketClock();
		clock.setWallClockForward(Duration.between(clock.wallTime(), Instant.EPOCH));
		return clock;
	}

	@Test
	void keysDoNotDependOnLocale() {
		List<String> keys = node(OLD).keys.decrypting();
		Locale before = Locale.getDefault();
		try {
			Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
			assertThat(node(OLD).keys.decrypting()).isEqualTo(keys);
		}
		finally {
			Locale.setDefault(before);
		}
	}

	@Test
	void secretCanBeChangedNodeByNode() {
		Node before = node(OLD);
		Node preparing = node(OLD, NEW);
		Node changed = node(NEW, OLD);
		Node after = node(NEW);
		assertThat(preparing.keys.encrypting()).isEqualTo(before.keys.encrypting());
		assertThat(changed.keys.encrypting()).isEqualTo(after.keys.encrypting());
		assertThat(preparing.keys.decrypting()).contains(changed.keys.encrypting());
		assertThat(changed.keys.decrypting()).contains(preparing.keys.encrypting());
	}

	@Test
	void endReplacesKeysUntilNextRotation() {
		Node node = node(OLD);
		Node other = node(OLD);
		List<String> before = other.keys.decrypting();
		String next = before.get(before.size() - 1);
		assertThat(node.source.endAll()).isEqualTo(Reach.THIS_NODE);
		String own = node.keys.encrypting();
		assertThat(node.keys.decrypting()).containsExactly(own, next);
		assertThat(other.keys.decrypting()).isEqualTo(before);
		advance(Duration.ofHours(12));
		assertThat(node.keys.encrypting()).isEqualTo(other.keys.encrypting()).isEqualTo(next);
		assertThat(node.keys.decrypting()).contains(own);
		advance(Duration.ofHours(24));
		assertThat(node.keys.decrypting()).doesNotContain(own).isEqualTo(other.keys.decrypting());
	}

	@Test
	void secondEndReplacesKeysAgain() {
		Node node = node(OLD);
		node.source.endAll();
		String own = node.keys.encrypting();
		node.source.endAll();
		assertThat(node.keys.decrypting()).doesNotContain(own).hasSize(2);
	}

	@Test
	void sessionsStayEndedWhenWallClockMovesBackwards() {
		Node node = node(OLD);
		List<String> before = node.keys.decrypting();
		node.source.endAll();
		String own = node.keys.encrypting();
		node.clock.setWallClockForward(Duration.ofDays(-3));
		node.source.ring.advance();
		assertThat(node.keys.decrypting()).containsExactly(own);
		advance(Duration.ofDays(10));
		node.clock.setWallClockForward(Duration.ofDays(-10));
		node.source.ring.advance();
		assertThat(node.keys.decrypting()).doesNotContainAnyElementsOf(before);
		assertThat(node.source.status().failures()).isZero();
	}

	@Test
	void endIncludesSessionsCreatedWhileWallClockWasAhead() {
		Node node = node(OLD);
		node.clock.setWallClockForward(Duration.ofHours(12));
		node.source.ring.advance();
		String ahead = node.keys.encrypting();
		node.clock.setWallClockForward(Duration.ofHours(-12));
		node.source.ring.advance();
		node.source.endAll();
		assertThat(node.keys.decrypting()).doesNotContain(ahead);
		advance(Duration.ofHours(12));
		assertThat(node.keys.decrypting()).doesNotContain(ahead);
	}

	@Test
	void clockThatWasFarAheadDoesNotDelayKeysAfterEnd() {
		Node node = node(OLD);
		node.clock.setWallClockForward(Duration.ofDays(400));
		node.source.ring.advance();
		node.clock.setWallClockForward(Duration.ofDays(-400));
		node.source.ring.advance();
		node.source.endAll();
		Node other = node(OLD);
		advance(Duration.ofHours(36));
		assertThat(node.keys.encrypting()).isEqualTo(other.keys.encrypting());
	}

	@Test
	void ownKeyEncryptsWhileWallClockStandsStill() {
		Node node = node(OLD);
		node.source.endAll();
		String own = node.keys.encrypting();
		for (int hour = 0; hour < 50; hour++) {
			advance(Duration.ofHours(1));
			node.clock.setWallClockForward(Duration.ofHours(-1));
		}
		node.source.ring.advance();
		assertThat(node.keys.encrypting()).isEqualTo(own);
		assertThat(node.source.status().failures()).isZero();
	}

	@Test
	void unchangedKeysAreNotPublishedAgain() {
		Node node = node(OLD, NEW);
		advance(Duration.ofHours(11));
		assertThat(node.keys.calls()).isOne();
	}

	@Test
	void removedListenerReceivesNoKeys() {
		Node node = node(OLD);
		List<List<TicketKey>> calls = new ArrayList<>();
		node.source.subscribe(TestTicketKeyListeners.ofKeys(calls::add)).remove();
		advance(Duration.ofHours(12));
		assertThat(calls).hasSize(1);
	}

	@Test
	void statusReportsLastEnd() {
		Node node = node(OLD);
		assertThat(node.source.status().lastEnd()).isNull();
		node.source.endAll();
		assertThat(node.source.status().lastEnd()).isEqualTo(Reach.THIS_NODE);
	}

	@Test
	void reportsStatus() {
		Node node = node(OLD);
		advance(Duration.ofHours(13));
		TicketKeyStatus status = node.source.status();
		assertThat(status.source()).isEqualTo("secret");
		assertThat(status.currentSince()).isEqualTo(node.clock.wallTime().minus(Duration.ofHours(1)));
		assertThat(status.nextRotation()).isEqualTo(node.clock.wallTime().plus(Duration.ofHours(11)));
	}

	@Test
	void closeDestroysSecretsAndKeys() {
		TicketSecret secret = new TicketSecret(OLD);
		List<TicketKey> keys = new ArrayList<>();
		DerivedTicketKeySource source = new DerivedTicketKeySource(ROTATION, List.of(secret), new SecureRandom());
		source.subscribe(TestTicketKeyListeners.ofKeys(keys::addAll));
		source.close();
		assertThat(secret.isDestroyed()).isTrue();
		assertThat(keys).isNotEmpty().allMatch(TicketKey::isDestroyed);
	}

	@Test
	void requiresSecret() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new DerivedTicketKeySource(ROTATION, List.of(), new SecureRandom()))
			.withMessage("secrets must not be empty");
	}

	private Node node(String... secrets) {
		return node(ROTATION, secrets);
	}

	private Node node(TicketKeyRotation rotation, String... secrets) {
		return node(rotation, new ManualTicketClock(), secrets);
	}

	private Node node(TicketKeyRotation rotation, ManualTicketClock clock, String... secrets) {
		DerivedTicketKeySource source = new DerivedTicketKeySource(rotation,
				Stream.of(secrets).map(TicketSecret::new).toList(), new SecureRandom(), clock);
		Node node = new Node(clock, source, RecordedKeys.of(source));
		this.nodes.add(node);
		return node;
	}

	private void advance(Duration time) {
		this.nodes.forEach((node) -> {
			node.clock.advance(time);
			node.source.ring.advance();
		});
	}

	private record Node(ManualTicketClock clock, DerivedTicketKeySource source, RecordedKeys keys) {
	}

}
