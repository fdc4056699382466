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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

import dev.uncontended.tls.session.Reach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TicketKeys}.
 */
class TicketKeysTests {

	private static final Duration INTERVAL = ManualTicketKeys.ROTATION.interval();

	private static final String OTHER_SECRET = "another secret of it, of 32 byte";

	private final MemoryTicketStore store = new MemoryTicketStore();

	private final RecordedLog log = new RecordedLog();

	@AfterEach
	void closeLog() {
		this.log.close();
	}

	@Test
	void localKeysRotateAndExpire() {
		ManualTicketKeys keys = ManualTicketKeys.local();
		String before = keys.encrypting();
		keys.advance(INTERVAL).sync();
		assertThat(keys.encrypting()).isNotEqualTo(before);
		assertThat(keys.names()).contains(before);
		assertThat(keys.status().rotations()).isOne();
		keys.advance(ManualTicketKeys.ROTATION.lifetime()).sync();
		assertThat(keys.names()).doesNotContain(before);
		assertThat(keys.status().up()).isTrue();
		assertThat(keys.status().nodes()).isNull();
	}

	@Test
	void endReplacesLocalKeys() {
		ManualTicketKeys keys = ManualTicketKeys.local();
		List<String> before = keys.names();
		assertThat(keys.keys().endAll()).isEqualTo(Reach.THIS_NODE);
		assertThat(keys.names()).doesNotContainAnyElementsOf(before);
		assertThat(keys.status().lastEnd()).isEqualTo(Reach.THIS_NODE);
	}

	@Test
	void derivedKeysAreEqualOnAllNodesAndInAllGenerationsDifferent() {
		ManualTicketKeys keys = ManualTicketKeys.derived(0, ManualTicketKeys.SECRET);
		List<String> before = keys.names();
		assertThat(ManualTicketKeys.derived(0, ManualTicketKeys.SECRET).names()).isEqualTo(before);
		assertThat(ManualTicketKeys.derived(1, ManualTicketKeys.SECRET).names()).doesNotContainAnyElementsOf(before);
		keys.sync();
		assertThat(keys.names()).isEqualTo(before);
	}

	@Test
	void firstSecretEncryptsAndAllDecrypt() {
		ManualTicketKeys old = ManualTicketKeys.derived(0, ManualTicketKeys.SECRET);
		ManualTicketKeys both = ManualTicketKeys.derived(0, OTHER_SECRET, ManualTicketKeys.SECRET);
		assertThat(both.names()).containsAll(old.names());
		assertThat(old.names()).doesNotContain(both.encrypting());
	}

	@Test
	void nodeSharesNoDerivedKeysAfterEnd() {
		ManualTicketKeys keys = ManualTicketKeys.derived(0, ManualTicketKeys.SECRET);
		List<String> before = keys.names();
		assertThat(keys.keys().endAll()).isEqualTo(Reach.THIS_NODE);
		keys.advance(INTERVAL.multipliedBy(3)).sync();
		assertThat(keys.names()).doesNotContainAnyElementsOf(before)
			.doesNotContainAnyElementsOf(
					ManualTicketKeys.derived(0, ManualTicketKeys.SECRET).advance(INTERVAL.multipliedBy(3)).names());
		assertThat(this.log.messages("This node shares no TLS ticket keys until it restarts")).hasSize(1);
	}

	@Test
	void endsAndKeysCrossFromSecretToSecret() {
		ManualTicketKeys old = ManualTicketKeys.shared(this.store);
		ManualTicketKeys both = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET, ManualTicketKeys.SECRET);
		ManualTicketKeys young = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET);
		for (ManualTicketKeys node : List.of(old, both, young)) {
			node.sync();
		}
		assertThat(List.of(both.names(), young.names())).containsOnly(old.names());
		young.keys().endAll();
		for (ManualTicketKeys node : List.of(young, both, old)) {
			node.sync();
		}
		assertThat(List.of(both.names(), young.names())).containsOnly(old.names());
	}

	@Test
	void nodesWithOtherSecretShareNothing() {
		ManualTicketKeys first = ManualTicketKeys.shared(this.store);
		ManualTicketKeys second = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET);
		first.sync();
		second.sync();
		assertThat(second.names()).doesNotContainAnyElementsOf(first.names());
		assertThat(second.status().nodes().confirmed()).containsExactly(second.id());
	}

	@Test
	void higherGenerationEndsSessionsOnceAndLowerOneFollows() {
		ManualTicketKeys lower = ManualTicketKeys.shared(this.store);
		lower.sync();
		List<String> before = lower.names();
		for (int i = 0; i < 2; i++) {
			ManualTicketKeys higher = ManualTicketKeys.shared(this.store, 5, ManualTicketKeys.SECRET);
			higher.sync();
			lower.sync();
			assertThat(lower.names()).isEqualTo(higher.names()).doesNotContainAnyElementsOf(before);
		}
		assertThat(lower.keys().ends()).isOne();
	}

	@Test
	void nodeOfHigherGenerationNeverAcceptsKeysOfLowerOne() {
		ManualTicketKeys lower = ManualTicketKeys.shared(this.store);
		lower.sync();
		this.store.readOnly = true;
		ManualTicketKeys higher = ManualTicketKeys.shared(this.store, 5, ManualTicketKeys.SECRET);
		higher.sync();
		assertThat(higher.names()).doesNotContainAnyElementsOf(lower.names());
	}

	@Test
	void endsOfOtherNodeAreReportedToListenersUntilTheySucceed() {
		ManualTicketKeys first = ManualTicketKeys.shared(this.store);
		ManualTicketKeys second = ManualTicketKeys.shared(this.store);
		AtomicInteger calls = new AtomicInteger();
		AtomicBoolean failing = new AtomicBoolean(true);
		second.keys().onRemoteEnd(() -> {
			calls.incrementAndGet();
			if (failing.get()) {
				throw new IllegalStateException("of the test");
			}
		});
		first.sync();
		second.sync();
		assertThat(calls).hasValue(0);
		first.keys().endAll();
		first.sync();
		second.sync();
		first.sync();
		assertThat(first.status().nodes().unconfirmed()).containsExactly(second.id());
		failing.set(false);
		int before = calls.get();
		second.sync();
		second.sync();
		first.sync();
		assertThat(calls).hasValue(before + 1);
		assertThat(first.status().nodes().unconfirmed()).isEmpty();
		assertThat(this.log.messages("Failed to end the TLS sessions of a server, requested by another node"))
			.isNotEmpty();
		second.keys().endAll();
		second.sync();
		assertThat(calls).hasValue(before + 1);
	}

	@Test
	void endsFromBeforeStartAreNotReportedToListeners() {
		ManualTicketKeys first = ManualTicketKeys.shared(this.store);
		ManualTicketKeys second = ManualTicketKeys.shared(this.store);
		AtomicInteger calls = new AtomicInteger();
		second.keys().onRemoteEnd(calls::incrementAndGet);
		first.keys().endAll();
		first.sync();
		second.sync();
		assertThat(second.names()).isEqualTo(first.names());
		assertThat(calls).hasValue(0);
	}

	@Test
	void contextThatFailsIsUnconfirmedAndRetried() {
		ManualTicketKeys first = ManualTicketKeys.shared(this.store);
		ManualTicketKeys second = ManualTicketKeys.shared(this.store);
		AtomicBoolean failing = new AtomicBoolean();
		first.sync();
		second.sync();
		second.keys().connect(second.keys().ends(), (keys) -> {
			if (failing.get()) {
				throw new IllegalStateException("of the test");
			}
		});
		first.keys().endAll();
		first.sync();
		failing.set(true);
		second.sync();
		first.sync();
		assertThat(second.status().up()).isFalse();
		assertThat(second.status().lastFailure()).contains("TLS context").doesNotContain("of the test");
		assertThat(first.status().nodes().unconfirmed()).containsExactly(second.id());
		failing.set(false);
		second.sync();
		first.sync();
		assertThat(second.status().up()).isTrue();
		assertThat(first.status().nodes().unconfirmed()).isEmpty();
	}

	@Test
	void connectedContextReceivesKeysOnceUntilTheyChange() {
		ManualTicketKeys keys = ManualTicketKeys.local();
		AtomicInteger calls = new AtomicInteger();
		TicketKeys.Connection connection = keys.keys().connect(0, (received) -> calls.incrementAndGet());
		connection.refresh();
		assertThat(calls).hasValue(1);
		keys.advance(INTERVAL);
		connection.refresh();
		connection.refresh();
		assertThat(calls).hasValue(2);
		connection.remove();
		keys.advance(INTERVAL);
		connection.refresh();
		keys.sync();
		assertThat(calls).hasValue(2);
	}

	@Test
	void contextFromBeforeEndReceivesKeyOfItsOwn() {
		ManualTicketKeys keys = ManualTicketKeys.local();
		List<List<TicketKey>> received = new ArrayList<>();
		TicketKeys.Connection before = keys.keys().connect(0, received::add);
		keys.keys().endAll();
		assertThat(received.get(1)).hasSize(1);
		before.refresh();
		keys.advance(INTERVAL).sync();
		assertThat(received).hasSize(2);
		keys.keys().connect(0, received::add);
		assertThat(received.get(2)).hasSize(1).doesNotContainAnyElementsOf(received.get(1));
	}

	@Test
	void invalidReportsAreRemoved() {
		ManualTicketKeys keys = ManualTicketKeys.shared(this.store);
		keys.sync();
		String name = ManualTicketKeys.seal(ManualTicketKeys.SECRET).reportsName();
		this.store.report(name, "other", "garbage");
		this.store.report(name, TicketSeal.field(1), this.store.reports(name).get(keys.id()));
		keys.sync();
		assertThat(this.store.reports(name)).containsOnlyKeys(keys.id());
	}

	@Test
	void reportsOfNodeThatReturnedToSnapshotAreNews() {
		ManualTicketKeys keys = ManualTicketKeys.shared(this.store);
		keys.sync();
		TicketSeal seal = ManualTicketKeys.seal(ManualTicketKeys.SECRET);
		String report = this.store.reports(seal.reportsName()).get(keys.id());
		assertThat(seal.openReport(report).sequence()).isEqualTo(keys.wallTime().toEpochMilli() + 1);
	}

	@Test
	void reportsOfSilentNodesAreRemovedAfterTenMinutes() {
		ManualTicketKeys keys = ManualTicketKeys.shared(this.store);
		ManualTicketKeys stopped = ManualTicketKeys.shared(this.store);
		stopped.sync();
		String name = ManualTicketKeys.seal(ManualTicketKeys.SECRET).reportsName();
		keys.sync();
		keys.advance(Duration.ofMinutes(9)).sync();
		assertThat(this.store.reports(name)).hasSize(2);
		keys.advance(Duration.ofMinutes(1)).sync();
		assertThat(this.store.reports(name)).containsOnlyKeys(keys.id());
	}

	@Test
	void invalidStateIsReplaced() {
		ManualTicketKeys keys = ManualTicketKeys.shared(this.store);
		keys.sync();
		this.store.strings.replaceAll((name, value) -> "garbage");
		keys.sync();
		ManualTicketKeys other = ManualTicketKeys.shared(this.store);
		other.sync();
		assertThat(other.names()).isEqualTo(keys.names());
	}

	@Test
	void failureAndRecoveryAreLoggedOnce() {
		ManualTicketKeys keys = ManualTicketKeys.shared(this.store);
		this.store.down = true;
		for (int i = 0; i < 3; i++) {
			keys.sync();
		}
		this.store.down = false;
		keys.sync();
		keys.sync();
		assertThat(keys.status().failures()).isEqualTo(3);
		assertThat(this.log
			.messages("Failed to exchange keys with redis; continuing with the known TLS ticket keys: java.lang."))
			.hasSize(1);
		assertThat(this.log.messages("Exchanging TLS ticket keys with redis again")).hasSize(1);
	}

	@Test
	void startReadsStoreAndCloseLeavesFleet() {
		TicketKeys keys = started();
		ManualTicketKeys other = ManualTicketKeys.shared(this.store);
		other.sync();
		assertThat(other.status().nodes().confirmed()).hasSize(2);
		assertThat(keys.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		String before = keys.status().nodes().self();
		keys.close();
		assertThat(keys.isRunning()).isFalse();
		other.sync();
		assertThat(other.status().nodes().unconfirmed()).isEmpty();
		assertThat(other.status().nodes().confirmed()).containsExactly(other.id());
		keys.start();
		assertThat(keys.status().nodes().self()).isNotEqualTo(before);
		keys.close();
	}

	private TicketKeys started() {
		TicketKeys keys = TicketKeys.shared(this.store, "test", Duration.ofHours(1),
				List.of(new TicketSecret(ManualTicketKeys.SECRET)), 0, ManualTicketKeys.ROTATION, new SecureRandom());
		keys.start();
		return keys;
	}

	@Test
	void endByOtherNodeWhileStoppedIsReportedToListeners() {
		AtomicInteger calls = new AtomicInteger();
		TicketKeys keys = started();
		keys.onRemoteEnd(calls::incrementAndGet);
		keys.close();
		ManualTicketKeys other = ManualTicketKeys.shared(this.store);
		other.sync();
		other.keys().endAll();
		other.sync();
		assertThat(calls).hasValue(0);
		keys.start();
		assertThat(calls).hasValue(1);
		keys.close();
	}

	@Test
	void endWaitsForNodesThatConfirm() {
		ManualTicketKeys other = ManualTicketKeys.shared(this.store);
		other.sync();
		// The other node syncs whenever this node does.
		try (TicketKeys keys = started()) {
			this.store.beforeReports = other::sync;
			assertThat(keys.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
			assertThat(keys.status().nodes().confirmed()).hasSize(2);
		}
	}

	@Test
	void secretsAreRequired() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> TicketKeys.derived(List.of(), 0, ManualTicketKeys.ROTATION, new SecureRandom()))
			.withMessage("secrets must not be empty");
	}

}
