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

import java.time.Duration;
import java.util.List;
import java.util.Map;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketSeal.Report;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies what nodes do in each failure that the documents list.
 */
class TicketFailureTests {

	private static final Duration INTERVAL = ManualTicketKeys.ROTATION.interval();

	private final MemoryTicketStore store = new MemoryTicketStore();

	private final ManualTicketKeys first = ManualTicketKeys.shared(this.store);

	private final ManualTicketKeys second = ManualTicketKeys.shared(this.store);

	TicketFailureTests() {
		sync();
		ManualTicketKeys.watch(this.first, this.second);
		assertThat(this.second.names()).isEqualTo(this.first.names());
	}

	/** Syncs both nodes twice, so that they know the last reports of each other. */
	private void sync() {
		for (int i = 0; i < 2; i++) {
			this.first.sync();
			this.second.sync();
		}
	}

	private void advance(Duration time) {
		this.first.advance(time);
		this.second.advance(time);
	}

	/** Returns a further node, which has read the store. */
	private ManualTicketKeys start() {
		ManualTicketKeys node = ManualTicketKeys.shared(this.store);
		node.sync();
		return node;
	}

	/** Ends all sessions on both nodes, and returns the name of the key before. */
	private String end() {
		String before = this.first.encrypting();
		this.first.keys().endAll();
		sync();
		return before;
	}

	private void assertAgreed() {
		sync();
		assertThat(this.second.names()).isEqualTo(this.first.names());
		assertThat(List.of(this.first.status().up(), this.second.status().up())).containsOnly(true);
	}

	@Test
	void keysRotateInAgreementWithoutStore() {
		String before = this.first.encrypting();
		this.store.down = true;
		assertThat(this.first.sync()).isFalse();
		assertThat(this.first.status().up()).isTrue();
		advance(INTERVAL);
		sync();
		assertThat(this.first.encrypting()).isNotEqualTo(before).isEqualTo(this.second.encrypting());
		advance(INTERVAL.multipliedBy(60));
		sync();
		assertThat(this.first.names()).isEqualTo(this.second.names());
		assertThat(this.first.status().up()).isFalse();
		assertThat(this.first.status().lastFailure()).contains("IllegalStateException").doesNotContain("down");
		this.store.down = false;
		assertAgreed();
	}

	@Test
	void endWithoutReportIsUnconfirmedUntilNextSync() {
		this.first.keys().endAll();
		this.first.sync();
		this.store.afterReports.add(() -> this.store.readOnly = true);
		this.second.sync();
		this.first.sync();
		assertThat(this.second.encrypting()).isEqualTo(this.first.encrypting());
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(this.second.id());
		this.store.readOnly = false;
		this.second.sync();
		this.first.sync();
		assertThat(this.first.status().nodes().unconfirmed()).isEmpty();
	}

	@Test
	void nodesPartUntilStoreReturnsIfOnlySomeHaveReadNewSeed() {
		advance(INTERVAL);
		this.first.sync();
		this.store.down = true;
		advance(INTERVAL);
		sync();
		assertThat(this.second.encrypting()).isNotEqualTo(this.first.encrypting());
		this.store.down = false;
		assertAgreed();
	}

	@Test
	void endIsRetriedWhileStoreRefusesWrites() {
		this.store.readOnly = true;
		String before = this.first.encrypting();
		assertThat(this.first.keys().endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(this.first.names()).doesNotContain(before);
		this.first.sync();
		assertThat(this.first.status().age()).isZero();
		assertThat(this.first.status().up()).isFalse();
		assertThat(this.first.status().lastFailure()).startsWith("redis refuses writes");
		this.second.sync();
		assertThat(this.second.names()).contains(before);
		this.store.readOnly = false;
		assertAgreed();
		assertThat(this.second.names()).doesNotContain(before);
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
		ManualTicketKeys.watch(this.first, this.second);
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
	}

	@Test
	void writeWithoutReplyIsNoRefusal() {
		this.store.afterReports.add(() -> this.store.down = true);
		assertThat(this.first.sync()).isFalse();
		assertThat(this.first.status().lastFailure()).startsWith("Failed to exchange keys with redis");
		assertThat(this.first.status().up()).isTrue();
		this.first.advance(Duration.ofSeconds(21)).sync();
		assertThat(this.first.status().up()).isFalse();
	}

	@Test
	void keysRotateInAgreementWhileStoreRefusesWrites() {
		this.store.readOnly = true;
		for (int i = 0; i < 4; i++) {
			advance(INTERVAL);
			sync();
			assertThat(this.second.names()).isEqualTo(this.first.names());
		}
	}

	@Test
	void suspendedNodeIsUnconfirmedForMinuteAndThenUnlisted() {
		String before = this.second.encrypting();
		this.first.keys().endAll();
		this.first.sync();
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(this.second.id());
		for (int i = 0; i < 20; i++) {
			this.first.advance(ManualTicketKeys.POLL).sync();
		}
		assertThat(this.first.status().nodes().unconfirmed()).isEmpty();
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
		this.second.advance(Duration.ofSeconds(100));
		assertThat(this.second.names()).contains(before);
		this.second.sync();
		assertThat(this.second.names()).doesNotContain(before);
		assertAgreed();
	}

	@Test
	void nodeThatHasBeenSuspendedKnowsNoNodeUntilItsNextSync() {
		this.first.keys().endAll();
		this.first.sync();
		this.first.advance(Duration.ofSeconds(100));
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	@Test
	void nodesAcceptTicketsOfNodeWhoseClockIsWrongByAnHour() {
		for (Duration skew : List.of(Duration.ofHours(1), Duration.ofHours(-2))) {
			this.second.setWallClockForward(skew);
			for (int i = 0; i < 30; i++) {
				advance(Duration.ofHours(1));
				sync();
				assertThat(this.first.names()).contains(this.second.encrypting());
				assertThat(this.second.names()).contains(this.first.encrypting());
			}
		}
		assertThat(this.first.status().up()).isTrue();
	}

	@Test
	void clockAheadOfLifetimeCostsFullHandshakesOnly() {
		this.second.setWallClockForward(Duration.ofDays(9));
		sync();
		advance(INTERVAL);
		sync();
		assertThat(this.first.status().up()).isTrue();
		this.second.setWallClockForward(Duration.ofDays(-9));
		sync();
		assertAgreed();
	}

	@Test
	void endsAtOnceMergeUnderOneFreshSeed() {
		this.store.down = true;
		this.first.keys().endAll();
		this.second.keys().endAll();
		String own = this.first.encrypting();
		this.store.down = false;
		assertAgreed();
		assertThat(this.first.names()).doesNotContain(own);
		ManualTicketKeys.watch(this.first, this.second);
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
		assertThat(this.second.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
	}

	@Test
	void endThatFailoverOrRestoreLosesIsWrittenBack() {
		MemoryTicketStore replica = this.store.copy();
		String before = end();
		this.store.restore(replica);
		ManualTicketKeys started = start();
		assertThat(started.names()).contains(before);
		assertAgreed();
		assertThat(this.first.names()).doesNotContain(before);
		started.sync();
		assertThat(started.names()).isEqualTo(this.first.names());
	}

	@Test
	void endsOnBothSidesOfSplitStoreMerge() {
		MemoryTicketStore other = this.store.copy();
		String before = this.first.encrypting();
		this.first.keys().endAll();
		this.first.sync();
		MemoryTicketStore side = this.store.copy();
		this.store.restore(other);
		this.second.keys().endAll();
		this.second.sync();
		this.store.restore(side);
		assertAgreed();
		assertThat(this.first.names()).doesNotContain(before);
	}

	@Test
	void emptiedStoreIsFilledAgainAndWithholdsAllNodes() {
		List<String> before = this.first.names();
		this.store.restore(new MemoryTicketStore());
		this.first.keys().endAll();
		this.first.sync();
		// The second node has not reported again.
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
		assertAgreed();
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
		ManualTicketKeys.watch(this.first, this.second);
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.ALL_NODES);
		assertThat(this.first.names()).doesNotContainAnyElementsOf(before);
	}

	@Test
	void returnToEarlierReportsWithholdsAllNodes() {
		MemoryTicketStore backup = this.store.copy();
		this.first.sync();
		start();
		this.store.restore(backup);
		end();
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	@Test
	void endWaitsForNodeThatHasJustReadTheState() {
		ManualTicketKeys started = ManualTicketKeys.shared(this.store);
		this.store.afterGet.add(this::end);
		started.sync();
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(started.id());
	}

	@Test
	void lossBetweenReadingAndWritingOfReportsWithholdsAllNodes() {
		this.store.afterReports.add(() -> {
			start();
			this.store.hashes.clear();
		});
		this.first.sync();
		end();
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	@Test
	void restoredStoreRevivesSessionsIfNoNodeRanUnlessGenerationRises() {
		MemoryTicketStore backup = this.store.copy();
		String before = end();
		this.store.restore(backup);
		ManualTicketKeys started = start();
		assertThat(started.names()).contains(before);
		assertThat(started.status().up()).isTrue();
		ManualTicketKeys raised = ManualTicketKeys.shared(this.store, 1, ManualTicketKeys.SECRET);
		raised.sync();
		assertThat(raised.names()).doesNotContain(before);
		started.sync();
		assertThat(started.names()).isEqualTo(raised.names());
	}

	@Test
	void partitionedNodeIsDownAndAcceptsOldSessions() {
		MemoryTicketStore cut = this.store.copy();
		cut.down = true;
		ManualTicketKeys partitioned = ManualTicketKeys.shared(cut);
		String before = partitioned.encrypting();
		this.first.keys().endAll();
		for (int i = 0; i < 5; i++) {
			partitioned.advance(ManualTicketKeys.POLL).sync();
		}
		assertThat(partitioned.encrypting()).isEqualTo(before);
		assertThat(partitioned.status().up()).isFalse();
	}

	@Test
	void replayedStateMovesNoNodeThatKnowsTheEndAndIsNoticedAtThirdSync() {
		MemoryTicketStore old = this.store.copy();
		String before = end();
		for (int i = 1; i <= 3; i++) {
			this.store.strings.putAll(old.strings);
			this.first.sync();
			assertThat(this.first.names()).doesNotContain(before);
			assertThat(this.first.status().up()).isEqualTo(i < 3);
		}
		assertThat(this.first.status().lastFailure()).contains("Another program keeps replacing");
		this.store.strings.putAll(old.strings);
		ManualTicketKeys fooled = start();
		assertThat(fooled.names()).contains(before);
		assertAgreed();
	}

	@Test
	void stateReplayedToOneNodeIsNotConfirmed() {
		Map<String, String> old = this.store.copy().strings;
		String before = this.second.encrypting();
		this.first.keys().endAll();
		this.first.sync();
		Map<String, String> current = this.store.copy().strings;
		this.store.strings.putAll(old);
		this.second.sync();
		assertThat(this.second.names()).contains(before);
		assertThat(this.second.status().up()).isTrue();
		this.store.strings.putAll(current);
		this.first.sync();
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(this.second.id());
		this.second.sync();
		this.store.strings.putAll(old);
		this.second.sync();
		assertThat(this.second.names()).doesNotContain(before);
	}

	@Test
	void nodesOfOtherFormatPreventAllNodes() {
		TicketSeal seal = ManualTicketKeys.seal(ManualTicketKeys.SECRET);
		for (int i = 0; i < 14; i++) {
			this.store.report(seal.reportsName(), TicketSeal.field(7), seal.seal(new Report(7, i, false, 5, 60, 0)));
			this.first.advance(ManualTicketKeys.POLL).sync();
		}
		end();
		assertThat(this.first.status().nodes().otherFormat()).containsExactly(TicketSeal.field(7));
		assertThat(this.first.status().lastEnd()).isEqualTo(Reach.CONFIRMED_NODES);
		assertThat(this.first.status().up()).isTrue();
	}

}
