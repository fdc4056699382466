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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import dev.uncontended.tls.tickets.TicketSeal.Report;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the states and reports of a {@link TicketFleet} with a {@link TicketStore}.
 * <p>
 * The order matters. A node first reports itself, so that whoever ends all sessions waits
 * for it. Then it follows the states in the store, and applies them, before it reports
 * which ends it has applied. It reads the reports before it writes its own, so that it
 * sees if the store has lost or reverted the last one.
 */
final class TicketSync {

	private final TicketFleet fleet;

	private final TicketStore store;

	private final List<Replica> replicas;

	private final Runnable apply;

	private final Duration timeToLive;

	/** The id under which this node has reported itself, or {@code null}. */
	private @Nullable Long joined;

	private @Nullable RuntimeException refused;

	/**
	 * Creates an object that has not joined the fleet.
	 * @param seals the seal of each secret
	 * @param apply applies the fleet's current state to the TLS contexts, and calls
	 * {@link TicketFleet#apply()} if it succeeds
	 * @param timeToLive the time after which the store deletes a state that no node
	 * changes
	 */
	TicketSync(TicketFleet fleet, List<TicketSeal> seals, TicketStore store, Runnable apply, Duration timeToLive) {
		this.fleet = fleet;
		this.store = store;
		this.replicas = seals.stream().map(Replica::new).toList();
		this.apply = apply;
		this.timeToLive = timeToLive;
	}

	/**
	 * Reads everything from the store, and writes what should be there.
	 * @return why the store refused a write, or {@code null}
	 * @throws RuntimeException if reading fails
	 */
	synchronized @Nullable RuntimeException run() {
		this.refused = null;
		boolean read = false;
		try {
			join();
			exchangeStates();
			this.replicas.forEach(this::readReports);
			report(false);
			read = true;
		}
		finally {
			this.fleet.synced(read && this.refused == null);
		}
		return this.refused;
	}

	/** Reports that this node stops. */
	synchronized void leave() {
		report(true);
	}

	private void join() {
		Long self = this.fleet.self();
		if (!self.equals(this.joined)) {
			this.replicas.forEach((replica) -> replica.report = null);
			this.joined = report(false) ? self : null;
		}
	}

	private void exchangeStates() {
		List<@Nullable TicketState> read = new ArrayList<>();
		for (Replica replica : this.replicas) {
			read.add(replica.seal.openState(this.store.get(replica.seal.stateName())));
		}
		TicketState next = this.fleet.read(read);
		this.apply.run();
		for (int i = 0; i < read.size(); i++) {
			Replica replica = this.replicas.get(i);
			if (!next.equals(read.get(i)) && write(
					() -> this.store.set(replica.seal.stateName(), replica.seal.seal(next), this.timeToLive))) {
				this.fleet.written(i, next);
			}
		}
		this.apply.run();
	}

	private void readReports(Replica replica) {
		String name = replica.seal.reportsName();
		String own = TicketSeal.field(this.fleet.self());
		Map<String, String> reports = this.store.reports(name);
		if (replica.report != null && !replica.report.equals(reports.get(own))) {
			this.fleet.lose();
		}
		List<String> removals = new ArrayList<>();
		reports.forEach((node, value) -> {
			Report report = replica.seal.openReport(value);
			boolean kept = report != null && TicketSeal.field(report.node()).equals(node) && this.fleet.hear(report);
			if (!kept && !node.equals(own)) {
				removals.add(node);
			}
		});
		if (!removals.isEmpty()) {
			write(() -> this.store.remove(name, removals));
		}
	}

	private boolean report(boolean left) {
		Report report = this.fleet.report(left);
		String node = TicketSeal.field(report.node());
		boolean written = true;
		for (Replica replica : this.replicas) {
			String value = replica.seal.seal(report);
			String before = replica.report;
			// Unknown until the store has answered.
			replica.report = null;
			written &= write(() -> {
				if (this.store.report(replica.seal.reportsName(), node, value) && before != null) {
					this.fleet.lose();
				}
				replica.report = value;
			});
		}
		return written;
	}

	/** If the store refuses a write, everything else is still read. */
	private boolean write(Runnable write) {
		try {
			write.run();
			return true;
		}
		catch (RuntimeException ex) {
			this.refused = Objects.requireNonNullElse(this.refused, ex);
			return false;
		}
	}

	/** A copy of the state and the reports, protected by one secret. */
	private static final class Replica {

		private final TicketSeal seal;

		/** This node's report in the store, if known. */
		private @Nullable String report;

		Replica(TicketSeal seal) {
			this.seal = seal;
		}

	}

}
