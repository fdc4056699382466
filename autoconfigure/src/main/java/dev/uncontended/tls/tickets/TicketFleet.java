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
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongSupplier;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyStatus.Nodes;
import dev.uncontended.tls.tickets.TicketSeal.Report;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges the {@link TicketState} and reports of the nodes through a
 * {@link TicketStore}, and decides which state this node uses. Thread-safe.
 * <p>
 * The order of a sync matters. A node first reports itself, so that whoever ends all
 * sessions waits for it. Then it follows the states in the store, and applies them,
 * before it reports which ends it has applied. It reads the reports before it writes its
 * own, so that it sees if the store has lost or reverted the last one.
 * <p>
 * A node must not claim that an end of all sessions has reached all nodes while it may
 * not know a node. It knows all nodes if, for as long as a report is valid, all of its
 * syncs have succeeded and the store has lost none of its own reports: by then, each
 * running node has reported again.
 */
final class TicketFleet {

	/**
	 * The time for which a node that does not report counts as running, and after which
	 * its report is removed. The same on all nodes, because each waits for that long
	 * until it knows all others. Three of the longest poll intervals, and longer than
	 * drivers wait at most, 30 seconds, before they connect again after an outage.
	 */
	static final Duration VALIDITY = Duration.ofSeconds(60);

	/** Redis may lose data once, or twice after a failover. */
	private static final int TOLERATED_LOSSES = 2;

	private final List<Replica> replicas;

	private final int generation;

	private final TicketKeyRotation rotation;

	private final Duration pollInterval;

	private final SecureRandom random;

	private final Clock clock;

	/**
	 * Held during a sync. This object's monitor is never held while the store is used.
	 */
	private final Object syncing = new Object();

	private TicketState state;

	/** The digest of the ends that all TLS contexts of this node have applied. */
	private long applied;

	private long self;

	/** Whether this node has reported itself under its id. */
	private boolean joined;

	private long sequence;

	private final Map<Long, Node> nodes = new TreeMap<>();

	/** Since when this node has missed no report, or {@code null}. */
	private @Nullable Long watchingSince;

	private long lastRead;

	private boolean lost;

	private int losses;

	private @Nullable RuntimeException refused;

	/**
	 * Creates a fleet that knows no other node.
	 * @param replicas the copies of the state in the store, none without a store
	 * @param generation the configured generation
	 */
	TicketFleet(List<Replica> replicas, int generation, TicketKeyRotation rotation, Duration pollInterval,
			SecureRandom random, Clock clock) {
		this.replicas = replicas;
		this.generation = generation;
		this.rotation = rotation;
		this.pollInterval = pollInterval;
		this.random = random;
		this.clock = clock;
		this.state = TicketState.fresh(random);
		this.lastRead = now();
		start();
	}

	/** Starts under a new id, because copies of a checkpoint need different ids. */
	void start() {
		synchronized (this.syncing) {
			this.joined = false;
			this.replicas.forEach((replica) -> replica.report = null);
			synchronized (this) {
				this.self = this.random.nextLong();
				this.watchingSince = null;
			}
		}
	}

	/** Returns whether nodes share keys through a store. */
	boolean isShared() {
		return !this.replicas.isEmpty();
	}

	synchronized TicketState state() {
		return this.state;
	}

	/** Ends all sessions. */
	synchronized void end() {
		this.state = this.state.ended(this.generation, wallTime(), this.random);
	}

	/** Records that all TLS contexts of this node have applied the current ends. */
	synchronized void apply() {
		this.applied = this.state.digest();
	}

	/**
	 * Reads everything from the store, and writes what should be there.
	 * @param apply applies the current state to the TLS contexts, and calls
	 * {@link #apply()} if it succeeds
	 * @return why the store refused a write, or {@code null}
	 * @throws RuntimeException if the store fails in another way
	 */
	@Nullable RuntimeException sync(Runnable apply) {
		synchronized (this.syncing) {
			this.refused = null;
			boolean read = false;
			try {
				this.joined = this.joined || report(false);
				exchangeStates(apply);
				this.replicas.forEach(this::readReports);
				report(false);
				read = true;
			}
			finally {
				synced(read);
			}
			return this.refused;
		}
	}

	/**
	 * Reports that this node stops.
	 * @throws RuntimeException if the store fails and does not refuse the report
	 */
	void leave() {
		synchronized (this.syncing) {
			if (this.joined) {
				report(true);
			}
		}
	}

	private void exchangeStates(Runnable apply) {
		List<@Nullable TicketState> read = new ArrayList<>();
		for (Replica replica : this.replicas) {
			read.add(replica.seal.openState(replica.store.get(replica.seal.stateName())));
		}
		TicketState next = follow(read);
		apply.run();
		Duration timeToLive = this.rotation.interval().multipliedBy(3).plus(this.rotation.lifetime());
		for (Replica replica : this.replicas) {
			if (!next.equals(replica.state) && write(replica,
					() -> replica.store.set(replica.seal.stateName(), replica.seal.seal(next), timeToLive))) {
				// It takes effect only now that other nodes can read it.
				synchronized (this) {
					replica.state = next;
					this.state = this.state.follow(next);
				}
			}
		}
		apply.run();
	}

	/**
	 * Follows the states in the store. A state of a lower generation than the configured
	 * one is not followed, because its sessions have ended for this node.
	 * @param read the state of each replica, {@code null} if there is none
	 * @return the state that the store should have. Without a store, it takes effect at
	 * once
	 */
	private synchronized TicketState follow(List<@Nullable TicketState> read) {
		this.lost = false;
		TicketState next = this.state;
		for (int i = 0; i < read.size(); i++) {
			TicketState found = read.get(i);
			Replica replica = this.replicas.get(i);
			this.lost |= replica.state != null && (found == null || !replica.state.follow(found).equals(found));
			replica.state = found;
			next = next.merge(found, this.random);
			if (found == null || found.generation() >= this.generation) {
				this.state = this.state.follow(found);
			}
		}
		if (next.generation() < this.generation) {
			next = next.ended(this.generation, wallTime(), this.random);
		}
		next = next.reseeded(this.rotation, this.pollInterval.multipliedBy(2), wallTime(), this.random);
		if (!isShared()) {
			this.state = next;
		}
		return next;
	}

	private void readReports(Replica replica) {
		String name = replica.seal.reportsName();
		String own = TicketSeal.field(this.self);
		Map<String, String> reports = replica.store.reports(name);
		this.lost |= replica.report != null && !replica.report.equals(reports.get(own));
		List<String> removals = new ArrayList<>();
		reports.forEach((node, value) -> {
			Report report = replica.seal.openReport(value);
			boolean kept = report != null && TicketSeal.field(report.node()).equals(node) && hear(report);
			if (!kept && !node.equals(own)) {
				removals.add(node);
			}
		});
		if (!removals.isEmpty()) {
			write(replica, () -> replica.store.remove(name, removals));
		}
	}

	/** Returns whether a report is news, or its node has not been silent for too long. */
	private synchronized boolean hear(Report report) {
		Node known = this.nodes.get(report.node());
		if (known != null && report.sequence() <= known.report().sequence()) {
			return now() - known.heard() < VALIDITY.toNanos();
		}
		if (report.node() != this.self) {
			this.nodes.put(report.node(), new Node(report, now()));
		}
		return true;
	}

	private boolean report(boolean left) {
		Report report = nextReport(left);
		String node = TicketSeal.field(report.node());
		boolean written = true;
		for (Replica replica : this.replicas) {
			String value = replica.seal.seal(report);
			String before = replica.report;
			// Unknown until the store has answered.
			replica.report = null;
			written &= write(replica, () -> {
				this.lost |= replica.store.report(replica.seal.reportsName(), node, value) && before != null;
				replica.report = value;
			});
		}
		return written;
	}

	private synchronized Report nextReport(boolean left) {
		// After a virtual machine has returned to a snapshot, its reports are news.
		this.sequence = Math.max(this.sequence + 1, wallTime());
		return new Report(this.self, this.sequence, left, TicketSeal.FORMAT, (int) VALIDITY.toSeconds(), this.applied);
	}

	/** If the store refuses a write, everything else is still read. */
	private boolean write(Replica replica, Runnable write) {
		try {
			write.run();
			return true;
		}
		catch (RuntimeException ex) {
			if (!replica.store.isRefusal(ex)) {
				throw ex;
			}
			this.refused = Objects.requireNonNullElse(this.refused, ex);
			return false;
		}
	}

	private synchronized void synced(boolean read) {
		long now = now();
		boolean complete = read && this.refused == null;
		this.nodes.values().removeIf((node) -> now - node.heard() > 2 * VALIDITY.toNanos());
		if (!complete || this.lost || age().compareTo(maximumAge()) > 0) {
			this.watchingSince = null;
		}
		else if (this.watchingSince == null) {
			this.watchingSince = now;
		}
		if (complete) {
			this.losses = this.lost ? this.losses + 1 : 0;
		}
		if (read) {
			this.lastRead = now;
		}
	}

	/** Returns why this node is not up although it uses the store, or {@code null}. */
	synchronized @Nullable String problem() {
		return (this.losses > TOLERATED_LOSSES) ? "Another program keeps replacing what this node has stored" : null;
	}

	/** Returns how far the ends that this node knows have reached. */
	synchronized Reach reach() {
		if (!isStored()) {
			return Reach.THIS_NODE;
		}
		boolean watching = this.watchingSince != null && now() - this.watchingSince >= VALIDITY.toNanos()
				&& age().compareTo(maximumAge()) <= 0;
		return (watching && isConfirmed()) ? Reach.ALL_NODES : Reach.CONFIRMED_NODES;
	}

	private boolean isStored() {
		return isShared() && this.replicas.stream()
			.allMatch((replica) -> replica.state != null && replica.state.includes(this.state));
	}

	/** Returns whether all nodes that this node knows have applied its ends. */
	synchronized boolean isConfirmed() {
		Nodes nodes = nodes();
		return isStored() && nodes.unconfirmed().isEmpty() && nodes.otherFormat().isEmpty();
	}

	/** Returns the running nodes that this node knows. */
	synchronized Nodes nodes() {
		List<String> confirmed = new ArrayList<>();
		List<String> unconfirmed = new ArrayList<>();
		List<String> otherFormat = new ArrayList<>();
		long digest = this.state.digest();
		((this.applied == digest) ? confirmed : unconfirmed).add(TicketSeal.field(this.self));
		this.nodes.values().stream().filter(this::isLive).map(Node::report).forEach((report) -> {
			List<String> nodes = (report.digest() == digest) ? confirmed : unconfirmed;
			((report.format() == TicketSeal.FORMAT) ? nodes : otherFormat).add(TicketSeal.field(report.node()));
		});
		return new Nodes(TicketSeal.field(this.self), confirmed, unconfirmed, otherFormat);
	}

	private boolean isLive(Node node) {
		return !node.report().left() && now() - node.heard() < Duration.ofSeconds(node.report().validity()).toNanos();
	}

	/** Returns the time since this node last read the store or, if never, was created. */
	synchronized Duration age() {
		return Duration.ofNanos(now() - this.lastRead);
	}

	/** Returns the age from which on a node is out of date. */
	Duration maximumAge() {
		return this.pollInterval.multipliedBy(3).plusSeconds(5);
	}

	private long now() {
		return this.clock.nanos().getAsLong();
	}

	private long wallTime() {
		return this.clock.millis().getAsLong();
	}

	/** A copy of the state and the reports in a store, protected by one secret. */
	static final class Replica {

		private final TicketStore store;

		private final TicketSeal seal;

		/** The last state known to be in the store. */
		private @Nullable TicketState state;

		/** This node's report in the store, if known. */
		private @Nullable String report;

		Replica(TicketStore store, TicketSeal seal) {
			this.store = store;
			this.seal = seal;
		}

	}

	/**
	 * The clocks of a node.
	 *
	 * @param nanos the monotonic clock
	 * @param millis the wall clock, in milliseconds since 1970, which may jump
	 */
	record Clock(LongSupplier nanos, LongSupplier millis) {

		static final Clock SYSTEM = new Clock(System::nanoTime, System::currentTimeMillis);

	}

	private record Node(Report report, long heard) {

	}

}
