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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyStatus.Nodes;
import dev.uncontended.tls.tickets.TicketSeal.Report;
import org.jspecify.annotations.Nullable;

/**
 * Decides which {@link TicketState} a node uses, and what it knows of the other nodes.
 * Performs no input or output. Thread-safe.
 * <p>
 * A node must not claim that an end of all sessions has reached all nodes while it may
 * not know a node. It knows all nodes if, for as long as a report is valid, all of its
 * syncs have succeeded and the store has lost none of its own reports: by then, each
 * running node has reported again.
 */
final class TicketFleet {

	/** The shortest time for which a node that does not report counts as running. */
	private static final Duration SHORTEST_VALIDITY = Duration.ofSeconds(60);

	/** The time after which the reports of a silent node are removed. */
	private static final long SILENCE = Duration.ofMinutes(10).toNanos();

	/** Redis may lose data once, or twice after a failover. */
	private static final int TOLERATED_LOSSES = 2;

	private final TicketKeyRotation rotation;

	private final Duration pollInterval;

	private final int generation;

	private final SecureRandom random;

	private final Clock clock;

	private TicketState state;

	/** For each secret, the last state known to have been in the store. */
	private final List<@Nullable TicketState> stored = new ArrayList<>();

	/** The digest of the ends that all TLS contexts of this node have applied. */
	private long applied;

	private long self;

	private long sequence;

	private final Map<Long, Node> nodes = new HashMap<>();

	/** Since when this node has missed no report, or {@code null}. */
	private @Nullable Long watchingSince;

	private long lastSync;

	private boolean lost;

	private int losses;

	/**
	 * Creates a fleet that knows no other node.
	 * @param secrets the number of secrets, each of which protects a copy of the state in
	 * the store; 0 without a store
	 * @param generation the configured generation
	 */
	TicketFleet(int secrets, int generation, TicketKeyRotation rotation, Duration pollInterval, SecureRandom random,
			Clock clock) {
		this.rotation = rotation;
		this.pollInterval = pollInterval;
		this.generation = generation;
		this.random = random;
		this.clock = clock;
		this.state = TicketState.fresh(random);
		for (int i = 0; i < secrets; i++) {
			this.stored.add(null);
		}
		start();
	}

	/** Starts under a new id, because copies of a checkpoint need different ids. */
	synchronized void start() {
		this.self = this.random.nextLong();
		this.watchingSince = null;
	}

	synchronized long self() {
		return this.self;
	}

	synchronized TicketState state() {
		return this.state;
	}

	/** Ends all sessions. */
	synchronized void end() {
		this.state = this.state.ended(this.generation, wallTime(), this.random);
	}

	/**
	 * Follows the states in the store. A state of a lower generation than the configured
	 * one is not followed, because its sessions have ended for this node.
	 * @param read the state of each secret, {@code null} if there is none
	 * @return the state that the store should have. Without a store, it takes effect at
	 * once
	 */
	synchronized TicketState read(List<@Nullable TicketState> read) {
		this.lost = false;
		TicketState next = this.state;
		for (int i = 0; i < read.size(); i++) {
			TicketState found = read.get(i);
			TicketState before = this.stored.get(i);
			this.lost |= before != null && (found == null || !before.follow(found).equals(found));
			this.stored.set(i, found);
			next = next.merge(found, this.random);
			if (found == null || found.generation() >= this.generation) {
				this.state = this.state.follow(found);
			}
		}
		if (next.generation() < this.generation) {
			next = next.ended(this.generation, wallTime(), this.random);
		}
		next = next.reseeded(this.rotation, this.pollInterval.multipliedBy(2), wallTime(), this.random);
		if (read.isEmpty()) {
			this.state = next;
		}
		return next;
	}

	/**
	 * Records that the store has a state. Follows it: a new state takes effect only after
	 * other nodes can read it.
	 */
	synchronized void written(int secret, TicketState state) {
		this.stored.set(secret, state);
		this.state = this.state.follow(state);
	}

	/** Records that all TLS contexts of this node have applied the current ends. */
	synchronized void apply() {
		this.applied = this.state.digest();
	}

	/** Returns the next report of this node. */
	synchronized Report report(boolean left) {
		// After a virtual machine has returned to a snapshot, its reports are news.
		this.sequence = Math.max(this.sequence + 1, wallTime());
		return new Report(this.self, this.sequence, left, TicketSeal.FORMAT, (int) validity().toSeconds(),
				this.applied);
	}

	/**
	 * Records the report of a node.
	 * @return {@code false} if the node has been silent for so long that its report can
	 * be removed
	 */
	synchronized boolean hear(Report report) {
		Node known = this.nodes.get(report.node());
		if (report.node() != this.self && (known == null || report.sequence() > known.report().sequence())) {
			this.nodes.put(report.node(), new Node(report, now()));
		}
		else if (known != null) {
			return now() - known.heard() < SILENCE;
		}
		return true;
	}

	/** Records that the store has lost a report of this node. */
	synchronized void lose() {
		this.lost = true;
	}

	/**
	 * Records the end of a sync.
	 * @param complete whether the sync has read and written everything
	 */
	synchronized void synced(boolean complete) {
		long now = now();
		this.nodes.values().removeIf((node) -> now - node.heard() > 2 * SILENCE);
		if (!complete || this.lost || now - this.lastSync > maximumAge().toNanos()) {
			this.watchingSince = null;
		}
		else if (this.watchingSince == null) {
			this.watchingSince = now;
		}
		if (complete) {
			this.losses = this.lost ? this.losses + 1 : 0;
			this.lastSync = now;
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
		boolean watching = this.watchingSince != null && now() - this.watchingSince >= validity().toNanos();
		return (watching && isConfirmed()) ? Reach.ALL_NODES : Reach.CONFIRMED_NODES;
	}

	private boolean isStored() {
		return !this.stored.isEmpty()
				&& this.stored.stream().allMatch((stored) -> stored != null && stored.includes(this.state));
	}

	/** Returns whether all nodes that this node knows have applied its ends. */
	synchronized boolean isConfirmed() {
		return isStored() && this.applied == this.state.digest()
				&& this.nodes.values().stream().filter(this::isLive).allMatch(this::hasConfirmed);
	}

	/** Returns the running nodes that this node knows. */
	synchronized Nodes nodes() {
		List<String> confirmed = new ArrayList<>();
		List<String> unconfirmed = new ArrayList<>();
		List<String> otherFormat = new ArrayList<>();
		((this.applied == this.state.digest()) ? confirmed : unconfirmed).add(TicketSeal.field(this.self));
		this.nodes.values().stream().filter(this::isLive).forEach((node) -> {
			List<String> nodes = hasConfirmed(node) ? confirmed : unconfirmed;
			(hasFormat(node) ? nodes : otherFormat).add(TicketSeal.field(node.report().node()));
		});
		return new Nodes(TicketSeal.field(this.self), sorted(confirmed), sorted(unconfirmed), sorted(otherFormat));
	}

	private static List<String> sorted(List<String> nodes) {
		return nodes.stream().sorted().toList();
	}

	private boolean isLive(Node node) {
		return !node.report().left() && now() - node.heard() < Duration.ofSeconds(node.report().validity()).toNanos();
	}

	private boolean hasConfirmed(Node node) {
		return hasFormat(node) && node.report().digest() == this.state.digest();
	}

	private static boolean hasFormat(Node node) {
		return node.report().format() == TicketSeal.FORMAT;
	}

	/** Returns the time after which a node whose syncs fail is out of date. */
	Duration maximumAge() {
		return this.pollInterval.multipliedBy(3).plusSeconds(5);
	}

	private Duration validity() {
		Duration polls = this.pollInterval.multipliedBy(3);
		return (polls.compareTo(SHORTEST_VALIDITY) > 0) ? polls : SHORTEST_VALIDITY;
	}

	private long now() {
		return this.clock.nanos().getAsLong();
	}

	private long wallTime() {
		return this.clock.millis().getAsLong();
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
