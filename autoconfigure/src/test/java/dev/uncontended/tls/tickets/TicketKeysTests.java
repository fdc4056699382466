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
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;

import dev.uncontended.tls.session.Reach;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

/**
 * Tests for {@link TicketKeys}.
 */
class TicketKeysTests {

	private static final Duration INTERVAL = ManualTicketKeys.ROTATION.interval();

	private static final String OTHER_SECRET = "another secret of it, of 32 byte";

	private final MemoryTicketStore store = new MemoryTicketStore();

	private final ManualTicketKeys first = ManualTicketKeys.shared(this.store);

	private final ManualTicketKeys second = ManualTicketKeys.shared(this.store);

	private final Logger logger = Logger.getLogger(TicketKeys.class.getName());

	private final List<String> log = new CopyOnWriteArrayList<>();

	TicketKeysTests() {
		this.logger.setFilter((message) -> !this.log.add(message.getMessage()));
	}

	@AfterEach
	void removeFilter() {
		this.logger.setFilter(null);
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
		assertThat(this.log).singleElement(STRING).startsWith("This node shares no TLS ticket keys until it restarts");
	}

	@Test
	void endsAndKeysCrossFromSecretToSecret() {
		ManualTicketKeys both = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET, ManualTicketKeys.SECRET);
		ManualTicketKeys young = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET);
		for (ManualTicketKeys node : List.of(this.first, both, young)) {
			node.sync();
		}
		assertThat(List.of(both.names(), young.names())).containsOnly(this.first.names());
		young.keys().endAll();
		for (ManualTicketKeys node : List.of(young, both, this.first)) {
			node.sync();
		}
		assertThat(List.of(both.names(), young.names())).containsOnly(this.first.names());
	}

	@Test
	void nodesWithOtherSecretShareNothing() {
		ManualTicketKeys other = ManualTicketKeys.shared(this.store, 0, OTHER_SECRET);
		this.first.sync();
		other.sync();
		assertThat(other.names()).doesNotContainAnyElementsOf(this.first.names());
		assertThat(other.status().nodes().confirmed()).containsExactly(other.id());
	}

	@Test
	void higherGenerationEndsSessionsOnceAndLowerOneFollows() {
		this.first.sync();
		List<String> before = this.first.names();
		for (int i = 0; i < 2; i++) {
			ManualTicketKeys higher = ManualTicketKeys.shared(this.store, 5, ManualTicketKeys.SECRET);
			higher.sync();
			this.first.sync();
			assertThat(this.first.names()).isEqualTo(higher.names()).doesNotContainAnyElementsOf(before);
		}
		assertThat(this.first.keys().ends()).isOne();
	}

	@Test
	void nodeWarnsOnceOfHigherGeneration() {
		ManualTicketKeys higher = ManualTicketKeys.shared(this.store, 5, ManualTicketKeys.SECRET);
		higher.sync();
		higher.sync();
		assertThat(this.log).noneMatch((message) -> message.contains("Configure the same generation"));
		this.first.sync();
		this.first.sync();
		assertThat(this.log).filteredOn((message) -> message.contains("Configure the same generation"))
			.singleElement(STRING)
			.contains("generation 5");
	}

	@Test
	void pollIntervalIsLimited() {
		for (Duration interval : List.of(Duration.ZERO, Duration.ofSeconds(21))) {
			assertThatIllegalArgumentException().isThrownBy(() -> TicketKeys.shared(this.store, "test", interval,
					List.of(new TicketSecret(ManualTicketKeys.SECRET)), 0, ManualTicketKeys.ROTATION,
					new SecureRandom()));
		}
	}

	@Test
	void nodeOfHigherGenerationNeverAcceptsKeysOfLowerOne() {
		this.first.sync();
		this.store.readOnly = true;
		ManualTicketKeys higher = ManualTicketKeys.shared(this.store, 5, ManualTicketKeys.SECRET);
		higher.sync();
		assertThat(higher.names()).doesNotContainAnyElementsOf(this.first.names());
	}

	@Test
	void endsOfOtherNodeAreReportedToListenersUntilTheySucceed() {
		AtomicInteger calls = new AtomicInteger();
		AtomicBoolean failing = new AtomicBoolean(true);
		this.second.keys().onRemoteEnd(() -> {
			calls.incrementAndGet();
			if (failing.get()) {
				throw new IllegalStateException("of the test");
			}
		});
		this.first.sync();
		this.second.sync();
		assertThat(calls).hasValue(0);
		this.first.keys().endAll();
		this.first.sync();
		this.second.sync();
		this.first.sync();
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(this.second.id());
		failing.set(false);
		int before = calls.get();
		this.second.sync();
		this.second.sync();
		this.first.sync();
		assertThat(calls).hasValue(before + 1);
		assertThat(this.first.status().nodes().unconfirmed()).isEmpty();
		assertThat(this.log).contains("Failed to end the TLS sessions of a server, requested by another node");
		this.second.keys().endAll();
		this.second.sync();
		assertThat(calls).hasValue(before + 1);
	}

	@Test
	void eachOfManyEndsReachesOtherNodeOnceAndDoesNotReturn() {
		AtomicInteger returned = new AtomicInteger();
		AtomicInteger received = new AtomicInteger();
		this.first.keys().onRemoteEnd(returned::incrementAndGet);
		this.second.keys().onRemoteEnd(received::incrementAndGet);
		this.first.sync();
		this.second.sync();
		for (int i = 1; i <= 200; i++) {
			this.first.keys().endAll();
			for (int sync = 0; sync < 2; sync++) {
				this.first.sync();
				this.second.sync();
			}
			assertThat(this.first.keys().ends()).isEqualTo(i);
		}
		assertThat(returned).hasValue(0);
		assertThat(received).hasValue(200);
		assertThat(this.second.names()).isEqualTo(this.first.names());
	}

	@Test
	void endsFromBeforeStartAreNotReportedToListeners() {
		AtomicInteger calls = new AtomicInteger();
		this.second.keys().onRemoteEnd(calls::incrementAndGet);
		this.first.keys().endAll();
		this.first.sync();
		this.second.sync();
		assertThat(this.second.names()).isEqualTo(this.first.names());
		assertThat(calls).hasValue(0);
	}

	@Test
	void contextThatFailsIsUnconfirmedAndRetried() {
		AtomicBoolean failing = new AtomicBoolean();
		this.first.sync();
		this.second.sync();
		this.second.keys().connect(this.second.keys().ends(), (keys) -> {
			if (failing.get()) {
				throw new IllegalStateException("of the test");
			}
		});
		this.first.keys().endAll();
		this.first.sync();
		failing.set(true);
		this.second.sync();
		this.first.sync();
		assertThat(this.second.status().up()).isFalse();
		assertThat(this.second.status().lastFailure()).contains("TLS context").doesNotContain("of the test");
		assertThat(this.first.status().nodes().unconfirmed()).containsExactly(this.second.id());
		failing.set(false);
		this.second.sync();
		this.first.sync();
		assertThat(this.second.status().up()).isTrue();
		assertThat(this.first.status().nodes().unconfirmed()).isEmpty();
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
		this.first.sync();
		String name = ManualTicketKeys.seal(ManualTicketKeys.SECRET).reportsName();
		this.store.report(name, "other", "garbage");
		this.store.report(name, TicketSeal.field(1), this.store.reports(name).get(this.first.id()));
		this.first.sync();
		assertThat(this.store.reports(name)).containsOnlyKeys(this.first.id());
	}

	@Test
	void reportsOfNodeThatReturnedToSnapshotAreNews() {
		this.first.sync();
		TicketSeal seal = ManualTicketKeys.seal(ManualTicketKeys.SECRET);
		String report = this.store.reports(seal.reportsName()).get(this.first.id());
		assertThat(seal.openReport(report).sequence()).isEqualTo(this.first.wallTime().toEpochMilli() + 1);
	}

	@Test
	void reportsOfSilentNodesAreRemovedAfterMinute() {
		this.second.sync();
		String name = ManualTicketKeys.seal(ManualTicketKeys.SECRET).reportsName();
		this.first.sync();
		this.first.advance(Duration.ofSeconds(59)).sync();
		assertThat(this.store.reports(name)).hasSize(2);
		this.first.advance(Duration.ofSeconds(1)).sync();
		assertThat(this.store.reports(name)).containsOnlyKeys(this.first.id());
	}

	@Test
	void failureAndRecoveryAreLoggedOnce() {
		this.store.down = true;
		for (int i = 0; i < 3; i++) {
			this.first.sync();
		}
		this.store.down = false;
		this.first.sync();
		this.first.sync();
		assertThat(this.first.status().failures()).isEqualTo(3);
		assertThat(this.log).containsExactly(
				"Failed to exchange keys with redis: java.lang.IllegalStateException; continuing with the known TLS ticket keys",
				"Exchanging TLS ticket keys with redis again");
	}

	@Test
	void startReadsStoreAndCloseLeavesFleet() {
		TicketKeys keys = started();
		this.first.sync();
		assertThat(this.first.status().nodes().confirmed()).hasSize(2);
		assertThat(keys.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
		String before = keys.status().nodes().self();
		keys.close();
		assertThat(keys.isRunning()).isFalse();
		this.first.sync();
		assertThat(this.first.status().nodes().unconfirmed()).isEmpty();
		assertThat(this.first.status().nodes().confirmed()).containsExactly(this.first.id());
		keys.start();
		assertThat(keys.status().nodes().self()).isNotEqualTo(before);
		keys.close();
	}

	private TicketKeys started() {
		TicketKeys keys = TicketKeys.shared(this.store, "test", TicketKeys.MAXIMUM_POLL_INTERVAL,
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
		this.first.sync();
		this.first.keys().endAll();
		this.first.sync();
		assertThat(calls).hasValue(0);
		keys.start();
		assertThat(calls).hasValue(1);
		keys.close();
	}

	@Test
	void endWaitsForNodesThatConfirm() {
		this.first.sync();
		// The other node syncs after this node has waited in vain once.
		try (TicketKeys keys = started()) {
			this.store.afterReports.add(this.first::sync);
			assertThat(keys.endAll()).isEqualTo(Reach.CONFIRMED_NODES);
			assertThat(keys.status().nodes().confirmed()).hasSize(2);
		}
	}

}
