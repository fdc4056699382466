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
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.internal.TicketClock;
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

	private final TicketClock clock;

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
	 * @param secrets the number of secrets, each of which protects a copy of the state
	 * @param generation the configured generation
	 */
	TicketFleet(int secrets, int generation, TicketKeyRotation rotation, Duration pollInterval, SecureRandom random,
			TicketClock clock) {
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
	 * @return the state that the store should have
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
		return next.reseeded(this.rotation, this.pollInterval.multipliedBy(2), wallTime(), this.random);
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
	synchronized TicketReport report(boolean left) {
		// After a virtual machine has returned to a snapshot, its reports are news.
		this.sequence = Math.max(this.sequence + 1, wallTime());
		return new TicketReport(this.self, this.sequence, left, TicketSeal.FORMAT, (int) validity().toSeconds(),
				this.applied);
	}

	synchronized void hear(TicketReport report) {
		Node known = this.nodes.get(report.node());
		if (report.node() != this.self && (known == null || report.sequence() > known.report().sequence())) {
			this.nodes.put(report.node(), new Node(report, now()));
		}
	}

	/** Records that the store has lost a report of this node. */
	synchronized void lose() {
		this.lost = true;
	}

	/** Forgets the nodes that have been silent for long, and returns their ids. */
	synchronized Set<Long> forgetSilentNodes() {
		long now = now();
		Set<Long> silent = this.nodes.entrySet()
			.stream()
			.filter((node) -> now - node.getValue().heard() > SILENCE)
			.map(Map.Entry::getKey)
			.collect(Collectors.toSet());
		this.nodes.keySet().removeAll(silent);
		return silent;
	}

	/** Records a sync that has read and written everything. */
	synchronized void succeed() {
		long now = now();
		this.losses = this.lost ? this.losses + 1 : 0;
		if (this.lost || (this.watchingSince != null && now - this.lastSync > maximumAge().toNanos())) {
			this.watchingSince = null;
		}
		else if (this.watchingSince == null) {
			this.watchingSince = now;
		}
		this.lastSync = now;
	}

	/** Records a sync that could not read or write everything. */
	synchronized void fail() {
		this.watchingSince = null;
	}

	/** Returns whether another program keeps replacing what this node has written. */
	synchronized boolean isReverted() {
		return this.losses > TOLERATED_LOSSES;
	}

	/**
	 * Returns whether this node follows a higher generation than it is configured with.
	 */
	synchronized boolean isOfLowerGeneration() {
		return this.state.generation() > this.generation;
	}

	/** Returns how far the ends that this node knows have reached. */
	synchronized Reach reach() {
		if (!this.stored.stream().allMatch((stored) -> stored != null && stored.includes(this.state))) {
			return Reach.THIS_NODE;
		}
		boolean watching = this.watchingSince != null && now() - this.watchingSince >= validity().toNanos();
		boolean confirmed = this.applied == this.state.digest()
				&& this.nodes.values().stream().filter(this::isLive).allMatch(this::hasConfirmed);
		return (watching && confirmed) ? Reach.ALL_NODES : Reach.CONFIRMED_NODES;
	}

	/** Returns the nodes that are running, as far as this node knows. */
	synchronized TicketKeyNodes nodes() {
		List<String> confirmed = names(this::hasConfirmed);
		List<String> unconfirmed = names((node) -> hasFormat(node) && !hasConfirmed(node));
		((this.applied == this.state.digest()) ? confirmed : unconfirmed).add(TicketSeal.field(this.self));
		return new TicketKeyNodes(TicketSeal.field(this.self), confirmed.stream().sorted().toList(),
				unconfirmed.stream().sorted().toList(), names((node) -> !hasFormat(node)).stream().sorted().toList());
	}

	private List<String> names(Predicate<Node> condition) {
		return this.nodes.values()
			.stream()
			.filter(this::isLive)
			.filter(condition)
			.map((node) -> TicketSeal.field(node.report().node()))
			.collect(Collectors.toCollection(ArrayList::new));
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
		return this.clock.elapsedNanos();
	}

	private long wallTime() {
		return this.clock.wallTime().toEpochMilli();
	}

	private record Node(TicketReport report, long heard) {

	}

}
