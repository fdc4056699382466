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
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

import org.jspecify.annotations.Nullable;

/**
 * Exchanges the states and reports of a {@link TicketFleet} with a {@link TicketStore}.
 * One thread uses it.
 * <p>
 * The order matters. A node first reports itself, so that whoever ends all sessions waits
 * for it. Then it follows the states in the store, and applies them, before it reports
 * which ends it has applied. It reads the reports before it writes its own, so that it
 * sees if the store has lost or reverted the last one.
 */
final class TicketSync {

	private final TicketFleet fleet;

	private final List<Replica> replicas;

	private final TicketStore store;

	private final Runnable apply;

	private final Duration timeToLive;

	private boolean joined;

	private @Nullable RuntimeException refused;

	private int invalid;

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
		this.replicas = seals.stream().map(Replica::new).toList();
		this.store = store;
		this.apply = apply;
		this.timeToLive = timeToLive;
	}

	/**
	 * Reads everything from the store, and writes what should be there.
	 * @return why the store refused a write, or {@code null}
	 * @throws RuntimeException if reading fails
	 */
	@Nullable RuntimeException run() {
		this.refused = null;
		this.invalid = 0;
		try {
			if (!this.joined) {
				this.joined = report(false);
			}
			exchangeStates();
			this.replicas.forEach(this::readReports);
			report(false);
			removeReports();
		}
		catch (RuntimeException | Error ex) {
			this.fleet.fail();
			throw ex;
		}
		if (this.refused != null) {
			this.fleet.fail();
		}
		else {
			this.fleet.succeed();
		}
		return this.refused;
	}

	/** Reports that this node stops. */
	void leave() {
		report(true);
		this.joined = false;
		this.replicas.forEach((replica) -> replica.report = null);
	}

	/** Returns the number of invalid reports that the last sync has found. */
	int invalid() {
		return this.invalid;
	}

	private void exchangeStates() {
		List<@Nullable TicketState> read = new ArrayList<>();
		for (Replica replica : this.replicas) {
			read.add(replica.seal.openState(this.store.get(replica.seal.stateName())));
		}
		TicketState next = this.fleet.read(read);
		this.apply.run();
		for (int i = 0; i < read.size(); i++) {
			if (!next.equals(read.get(i))) {
				TicketSeal seal = this.replicas.get(i).seal;
				if (write(() -> this.store.set(seal.stateName(), seal.seal(next), this.timeToLive))) {
					this.fleet.written(i, next);
				}
			}
		}
		this.apply.run();
	}

	private void readReports(Replica replica) {
		Map<String, String> reports = this.store.reports(replica.seal.reportsName());
		String own = TicketSeal.field(this.fleet.self());
		if (replica.report != null && !replica.report.equals(reports.get(own))) {
			this.fleet.lose();
		}
		reports.forEach((field, value) -> {
			TicketReport report = replica.seal.openReport(value);
			if (report != null && TicketSeal.field(report.node()).equals(field)) {
				this.fleet.hear(report);
				replica.fields.add(field);
			}
			else if (!field.equals(own)) {
				replica.removals.add(field);
				this.invalid++;
			}
		});
	}

	private boolean report(boolean left) {
		TicketReport report = this.fleet.report(left);
		boolean written = true;
		for (Replica replica : this.replicas) {
			String value = replica.seal.seal(report);
			// Unknown until the store has answered.
			String before = replica.report;
			replica.report = null;
			written &= write(() -> {
				boolean created = this.store.report(replica.seal.reportsName(), TicketSeal.field(report.node()), value);
				if (created && before != null) {
					this.fleet.lose();
				}
				replica.report = value;
			});
		}
		return written;
	}

	private void removeReports() {
		List<String> silent = this.fleet.forgetSilentNodes().stream().map(TicketSeal::field).toList();
		for (Replica replica : this.replicas) {
			replica.fields.retainAll(silent);
			replica.removals.addAll(replica.fields);
			if (!replica.removals.isEmpty()) {
				write(() -> this.store.remove(replica.seal.reportsName(), List.copyOf(replica.removals)));
			}
			replica.fields.clear();
			replica.removals.clear();
		}
	}

	/**
	 * Writes to the store. If the store can still be read afterwards, it refuses writes.
	 */
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

		private final Set<String> fields = new HashSet<>();

		private final Set<String> removals = new HashSet<>();

		Replica(TicketSeal seal) {
			this.seal = seal;
		}

	}

}
