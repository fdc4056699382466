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
import java.time.Duration;
import java.util.List;

import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Fleet}.
 */
class FleetTests {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private final SharedKeys keys = keys();

	private final Fleet fleet = new Fleet(Duration.ofSeconds(30), Duration.ofSeconds(2));

	FleetTests() {
		this.fleet.start(1);
	}

	@Test
	void isSettledOnceOthersHadTimeToAnswer() {
		assertThat(this.fleet.isSettled(0)).isFalse();
		hearSelf(0);
		assertThat(this.fleet.isSettled(2 * SECOND - 1)).isFalse();
		assertThat(this.fleet.isSettled(2 * SECOND)).isTrue();
	}

	@Test
	void isSettledAndDeafAtThirdPollWithoutOwnAnnouncement() {
		this.fleet.next(false, false);
		assertThat(this.fleet.isSettled(0)).isFalse();
		assertThat(this.fleet.problem(0)).isNull();
		this.fleet.next(false, false);
		assertThat(this.fleet.isSettled(0)).isTrue();
		assertThat(this.fleet.problem(0)).contains("does not hear its own messages");
	}

	@Test
	void shortPollIntervalsNeedThreeSeconds() {
		Fleet quick = new Fleet(Duration.ofMillis(100), Duration.ZERO);
		for (int i = 0; i < 28; i++) {
			quick.next(false, false);
		}
		assertThat(quick.problem(0)).isNull();
		assertThat(quick.next(false, false).validity()).isEqualTo(Duration.ofSeconds(3));
		assertThat(quick.problem(0)).isNotNull();
	}

	@Test
	void ownAnnouncementEndsDeafness() {
		this.fleet.next(false, false);
		this.fleet.next(false, false);
		hearSelf(0);
		assertThat(this.fleet.problem(0)).isNull();
	}

	@Test
	void replayOfOwnAnnouncementDoesNotEndDeafness() {
		Announcement old = hearSelf(0);
		this.fleet.next(false, false);
		this.fleet.next(false, false);
		assertThat(this.fleet.hear(old, this.keys, 0)).isFalse();
		assertThat(this.fleet.problem(0)).isNotNull();
	}

	@Test
	void thirdLostSubscriptionIsProblemForFourIntervals() {
		assertThat(this.fleet.subscribe(0)).isFalse();
		assertThat(this.fleet.subscribe(SECOND)).isTrue();
		assertThat(this.fleet.subscribe(2 * SECOND)).isTrue();
		assertThat(this.fleet.problem(2 * SECOND)).isNull();
		assertThat(this.fleet.subscribe(3 * SECOND)).isTrue();
		assertThat(this.fleet.problem(123 * SECOND)).contains("keeps ending");
		assertThat(this.fleet.problem(123 * SECOND + 1)).isNull();
	}

	@Test
	void ownUnsubscriptionIsNoLoss() {
		this.fleet.subscribe(0);
		this.fleet.unsubscribe();
		assertThat(this.fleet.subscribe(SECOND)).isFalse();
	}

	@Test
	void rareLossesAreNoProblem() {
		for (int i = 0; i < 10; i++) {
			this.fleet.subscribe(i * 121 * SECOND);
			assertThat(this.fleet.problem(i * 121 * SECOND)).isNull();
		}
	}

	@Test
	void isConfirmedOnlyIfThisNodeHearsItself() {
		assertThat(this.fleet.isConfirmed(0)).isFalse();
		hear(2, 1, End.NONE);
		assertThat(this.fleet.isConfirmed(0)).isFalse();
		hearSelf(0);
		assertThat(this.fleet.isConfirmed(2 * SECOND)).isTrue();
	}

	@Test
	void isNotConfirmedUntilOthersHadTimeToAnswer() {
		hearSelf(0);
		assertThat(this.fleet.isConfirmed(2 * SECOND - 1)).isFalse();
	}

	@Test
	void nodesAreListedByTheirEnd() {
		this.keys.hear(sealed(new End(0, 100, "a".repeat(32))));
		this.keys.merge(new TicketKeyHash.Content(100, 0, false, java.util.Map.of()), 0);
		hear(2, 1, new End(0, 100, "a".repeat(32)));
		hear(3, 1, new End(0, 101, "0".repeat(32)));
		hear(4, 1, End.ofGeneration(1));
		hear(5, 1, new End(0, 99, "f".repeat(32)));
		hear(6, 1, null);
		assertThat(this.fleet.nodes(0).self()).isEqualTo("0000000000000001");
		assertThat(this.fleet.nodes(0).confirmed()).containsExactly("0000000000000002", "0000000000000003",
				"0000000000000004");
		assertThat(this.fleet.nodes(0).unconfirmed()).containsExactly("0000000000000005");
		assertThat(this.fleet.nodes(0).otherFormat()).containsExactly("0000000000000006");
	}

	@Test
	void silentNodeIsForgottenAfterThreePolls() {
		hear(2, 1, End.NONE);
		assertThat(this.fleet.nodes(90 * SECOND - 1).confirmed()).hasSize(1);
		assertThat(this.fleet.nodes(90 * SECOND).confirmed()).isEmpty();
	}

	@Test
	void stoppingNodeIsForgottenImmediately() {
		hear(2, 1, End.NONE);
		this.fleet.hear(new Announcement(2, 2, Duration.ZERO, false, End.NONE), this.keys, 0);
		assertThat(this.fleet.nodes(0).confirmed()).isEmpty();
	}

	@Test
	void memoryIsLimitedAndNothingIsClaimedBeyond() {
		hearSelf(0);
		for (int i = 2; i < 5000; i++) {
			hear(i, 1, End.NONE);
		}
		assertThat(this.fleet.nodes(0).confirmed()).hasSize(Fleet.MAXIMUM_NODES);
		assertThat(this.fleet.isConfirmed(2 * SECOND)).isFalse();
	}

	private void hear(long node, long number, @Nullable End end) {
		assertThat(this.fleet.hear(new Announcement(node, number, Duration.ofSeconds(90), false, end), this.keys, 0))
			.isEqualTo(node <= Fleet.MAXIMUM_NODES);
	}

	private Announcement hearSelf(long now) {
		Announcement next = this.fleet.next(false, false);
		Announcement announcement = new Announcement(next.node(), next.number(), next.validity(), false, End.NONE);
		assertThat(this.fleet.hear(announcement, this.keys, now)).isTrue();
		return announcement;
	}

	private static String sealed(End end) {
		return records().sealAnnouncement(new Announcement(9, 1, Duration.ZERO, false, end), end);
	}

	private static SealedRecords records() {
		return new SealedRecords(new TicketSecret(AbstractRedisTests.SECRET), RedisTicketKeySource.FORMAT, "test",
				new SecureRandom());
	}

	private static SharedKeys keys() {
		return new SharedKeys(records(),
				new RedisTicketKeyOptions(List.of(new TicketSecret(AbstractRedisTests.SECRET)),
						new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), "test",
						Duration.ofSeconds(30), new SecureRandom()),
				true);
	}

}
