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

import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

import javax.crypto.spec.SecretKeySpec;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketFleet.Clock;
import dev.uncontended.tls.tickets.TicketFleet.Replica;
import org.jspecify.annotations.Nullable;

/**
 * A random schedule of a fleet and its store in virtual time. Nodes sync command by
 * command, so that anything can happen between two commands. The store fails, refuses
 * writes, loses data and replies, returns to earlier data, and splits. Nodes start, stop,
 * are suspended and partitioned, and change their secrets and generation.
 * <p>
 * A judge that knows nothing of the protocol verifies:
 * <ul>
 * <li>A node that has confirmed an end accepts no ticket issued before the call that
 * ended the sessions.</li>
 * <li>If a node reports {@link Reach#ALL_NODES}, no node that runs and can report accepts
 * a ticket issued before the end.</li>
 * <li>No session ends without a cause.</li>
 * <li>After all faults, all nodes agree, are up, and confirm.</li>
 * </ul>
 */
final class TicketSchedule implements AutoCloseable {

	static final TicketKeyRotation ROTATION = new TicketKeyRotation(Duration.ofSeconds(60), Duration.ofSeconds(120));

	private static final double MINUTE = 60;

	/** Longer than a key decrypts, on nodes whose clocks are wrong. */
	private static final double EXPIRED = 1000;

	private static final long BASE = Instant.parse("2026-11-20T00:00:00Z").toEpochMilli();

	private static final TicketSecret FIRST = new TicketSecret("the secret of the schedules, 32 bytes");

	private static final TicketSecret SECOND = new TicketSecret("another secret of the schedules, 32 bytes");

	/** The steps of a change of the secret. */
	private static final List<List<TicketSecret>> PHASES = List.of(List.of(FIRST), List.of(FIRST, SECOND),
			List.of(SECOND, FIRST), List.of(SECOND));

	private final Random random;

	private final SecureRandom secureRandom;

	private final int maximumNodes;

	/** The probability of a fault in each step. */
	private final double faults;

	private final List<SimulatedNode> nodes = new ArrayList<>();

	/** When the first ticket under each key was issued. */
	private final Map<Ticket, Double> tickets = new LinkedHashMap<>();

	/** When each known end was requested. */
	private final Map<Long, Double> ends = new HashMap<>();

	private MemoryTicketStore server = new MemoryTicketStore();

	private @Nullable MemoryTicketStore otherSide;

	private final List<MemoryTicketStore> backups = new ArrayList<>();

	private double time;

	private long commands;

	/** Ends that coincide with the start of a node are more likely. */
	private double lastStart;

	private boolean down;

	private boolean readOnly;

	private boolean healing;

	private int phase;

	private int generation;

	int accepted;

	int claims;

	@Nullable String violation;

	TicketSchedule(long seed, int maximumNodes) throws NoSuchAlgorithmException {
		this.random = new Random(seed);
		// Repeats its output for each seed.
		this.secureRandom = SecureRandom.getInstance("SHA1PRNG");
		this.secureRandom.setSeed(seed);
		this.maximumNodes = maximumNodes;
		this.faults = pick(0.005, 0.02, 0.05, 0.15);
		int nodes = 1 + this.random.nextInt(maximumNodes);
		for (int i = 0; i < nodes; i++) {
			start();
		}
	}

	private double now() {
		return this.time;
	}

	/** Returns when an end was requested. */
	private double requested(long end) {
		return this.ends.getOrDefault(end, Double.NEGATIVE_INFINITY);
	}

	private MemoryTicketStore anyBackup() {
		return this.backups.get(this.random.nextInt(this.backups.size()));
	}

	/** Records the first violation. */
	private void violated(String rule) {
		if (this.violation == null) {
			this.violation = rule;
		}
	}

	private double pick(double... values) {
		return values[this.random.nextInt(values.length)];
	}

	private SimulatedNode any() {
		return this.nodes.get(this.random.nextInt(this.nodes.size()));
	}

	private boolean chance(double probability) {
		return this.random.nextDouble() < probability;
	}

	private void start() {
		this.lastStart = this.time;
		this.nodes.add(new SimulatedNode());
	}

	/**
	 * Runs the schedule until a rule is violated.
	 */
	void run(int steps) {
		for (int i = 0; i < steps && this.violation == null; i++) {
			this.time += pick(0.05, 0.2, 1, 3, 6);
			if (chance(this.faults)) {
				fault();
			}
			else if (chance((this.time - this.lastStart < 3) ? 0.5 : 0.03)) {
				any().delete();
			}
			else if (chance(0.02)) {
				change();
			}
			advance();
		}
		if (this.violation == null) {
			heal();
		}
	}

	private void fault() {
		switch (this.random.nextInt(10)) {
			case 0 -> any().suspend(pick(3, 20, 90));
			case 1 -> any().cut(pick(3, 20, 90));
			case 2 -> {
				this.down = !this.down;
			}
			case 3 -> {
				this.readOnly = !this.readOnly;
			}
			case 4 -> reset(new MemoryTicketStore());
			case 5 -> this.server.hashes.clear();
			case 6 -> {
				if (!this.backups.isEmpty()) {
					reset(anyBackup());
				}
			}
			case 7 -> any().fool(pick(20, 90));
			case 8 -> split();
			case 9 -> {
				any().skew = (long) pick(0, 0, -50, 50, 200) * 1000;
			}
			default -> throw new IllegalStateException();
		}
	}

	private void reset(MemoryTicketStore server) {
		this.backups.add(this.server.copy());
		this.server.restore(server);
	}

	/** Splits the store in two, or makes all nodes use one side. */
	private void split() {
		if (this.otherSide == null) {
			this.otherSide = this.server.copy();
			for (SimulatedNode node : this.nodes) {
				if (chance(0.5)) {
					node.use(this.otherSide);
				}
			}
		}
		else {
			MemoryTicketStore winner = chance(0.5) ? this.server : this.otherSide;
			this.server = winner;
			this.otherSide = null;
			this.nodes.forEach((node) -> node.use(winner));
		}
	}

	private void change() {
		switch (this.random.nextInt(6)) {
			case 0, 1 -> {
				if (this.nodes.size() < this.maximumNodes + 2) {
					start();
				}
			}
			case 2 -> this.backups.add(this.server.copy());
			case 3 -> {
				if (this.nodes.size() > 1) {
					any().stop(chance(0.5));
				}
			}
			case 4 -> {
				if (chance(0.2)) {
					this.generation++;
				}
			}
			default -> {
				List<SimulatedNode> old = this.nodes.stream().filter((node) -> node.phase < this.phase).toList();
				if (!old.isEmpty()) {
					old.get(0).stop(chance(0.5));
					start();
				}
				else if (this.phase + 1 < PHASES.size()) {
					this.phase++;
				}
			}
		}
	}

	private void advance() {
		List<SimulatedNode> order = new ArrayList<>(this.nodes);
		Collections.shuffle(order, this.random);
		for (SimulatedNode node : order) {
			node.advance((int) pick(1, 2, 6, 20));
			if (chance(0.3)) {
				node.issue();
			}
			node.acceptSome();
		}
		this.tickets.values().removeIf((issued) -> now() - issued > EXPIRED);
	}

	/** Ends all faults, and verifies that all nodes agree. */
	private void heal() {
		this.healing = true;
		this.down = false;
		this.readOnly = false;
		if (this.otherSide != null) {
			split();
		}
		this.nodes.stream().filter((node) -> node.phase < this.phase).toList().forEach((node) -> {
			node.stop(false);
			start();
		});
		this.nodes.forEach(SimulatedNode::heal);
		for (int i = 0; i < 300 && this.violation == null; i++) {
			this.time += 1;
			this.nodes.forEach((node) -> node.advance(3));
		}
		Set<Set<Long>> states = new HashSet<>();
		Set<SecretKeySpec> seeds = new HashSet<>();
		for (SimulatedNode node : this.nodes) {
			states.add(node.fleet.state().ends());
			seeds.add(node.fleet.state().seed(ROTATION, ROTATION.epoch(node.wallTime())));
			if (node.problem || node.fleet.problem() != null) {
				violated("a node is down after healing");
			}
			if (node.fleet.reach() != Reach.ALL_NODES) {
				violated("no confirmation after healing: " + node.fleet.reach() + " " + node.fleet.nodes());
			}
		}
		if (states.size() + seeds.size() > 2) {
			violated("no agreement after healing");
		}
	}

	@Override
	public void close() {
		this.nodes.forEach((node) -> node.coroutine.kill());
	}

	/** A ticket, identified by the key that encrypts it. */
	private record Ticket(SecretKeySpec seed, long epoch) {

	}

	private record Sent(double time, long command, MemoryTicketStore server, String name) {

	}

	/**
	 * A node, which is its own view of the store and its own clock.
	 */
	private final class SimulatedNode implements TicketStore {

		private final int phase = TicketSchedule.this.phase;

		private final double started = now();

		/** Different intervals cost sessions, but no promise. */
		private final Duration poll = Duration.ofSeconds((long) pick(5, 5, 5, 20));

		private final TicketFleet fleet;

		private final List<TicketSeal> seals;

		private final Coroutine coroutine = new Coroutine(this::sync);

		/** What each TLS context of this node uses. One of them may fail. */
		private final TicketState[] contexts;

		private long skew = (long) pick(0, 0, 0, -50, 50) * 1000;

		private MemoryTicketStore server = (TicketSchedule.this.otherSide != null && chance(0.5))
				? TicketSchedule.this.otherSide : TicketSchedule.this.server;

		private MemoryTicketStore shown = this.server;

		private double shownUntil;

		private double suspendedUntil;

		private double cutUntil;

		/** Since when this node can report. */
		private double ableSince = this.started;

		private final List<Sent> reports = new ArrayList<>();

		/** When this node last read the reports. */
		private long readReports;

		private @Nullable MemoryTicketStore readFrom;

		/** When and from where this node first read a state. */
		private long firstRead = Long.MAX_VALUE;

		private @Nullable MemoryTicketStore firstReadFrom;

		private boolean refusedToJoin;

		private boolean joining;

		/** Until when a TLS context takes no keys. */
		private double failingUntil;

		private double next = this.started;

		private double deleting = Double.NEGATIVE_INFINITY;

		/** The time of the latest call whose end this node has confirmed. */
		private double confirmed = Double.NEGATIVE_INFINITY;

		private boolean problem;

		SimulatedNode() {
			List<TicketSecret> secrets = PHASES.get(this.phase);
			this.seals = secrets.stream()
				.map((secret) -> new TicketSeal(secret, "test", TicketSchedule.this.secureRandom))
				.toList();
			this.fleet = new TicketFleet(this.seals.stream().map((seal) -> new Replica(this, seal)).toList(),
					TicketSchedule.this.generation, ROTATION, this.poll, TicketSchedule.this.secureRandom,
					new Clock(() -> (long) (now() * 1e9), this::wallTime));
			this.contexts = new TicketState[] { this.fleet.state(), this.fleet.state() };
		}

		private void sync() {
			try {
				this.problem = this.fleet.sync(this::apply) != null;
			}
			catch (IllegalStateException ex) {
				this.problem = true;
			}
			this.next = now() + ((now() - this.deleting < 8) ? 0.25 : this.poll.toSeconds());
			judgeReach();
		}

		private void apply() {
			TicketState state = this.fleet.state();
			this.contexts[0] = state;
			if (chance(TicketSchedule.this.faults / 2)) {
				this.failingUntil = now() + pick(3, 20);
			}
			if (TicketSchedule.this.healing || this.failingUntil <= now()) {
				this.contexts[1] = state;
			}
			if (this.contexts[1].equals(state)) {
				this.fleet.apply();
				judgeCauses(state);
				confirm(state);
			}
		}

		private void confirm(TicketState state) {
			for (long end : state.ends()) {
				this.confirmed = Math.max(this.confirmed, requested(end));
			}
		}

		private void judgeCauses(TicketState state) {
			for (long end : state.ends()) {
				if (!TicketSchedule.this.ends.containsKey(end)) {
					if (state.generation() == 0) {
						violated("an end without a cause");
					}
					TicketSchedule.this.ends.put(end, Double.NEGATIVE_INFINITY);
				}
			}
		}

		/** A node confirms what it reports. */
		private void confirmReported(String report) {
			for (TicketSeal seal : this.seals) {
				TicketSeal.Report opened = seal.openReport(report);
				if (opened != null && opened.digest() == this.fleet.state().digest()) {
					confirm(this.fleet.state());
				}
			}
		}

		void delete() {
			if (this.suspendedUntil > now()) {
				return;
			}
			Set<Long> before = new HashSet<>(this.fleet.state().ends());
			this.fleet.end();
			this.fleet.state()
				.ends()
				.stream()
				.filter((end) -> !before.contains(end))
				.forEach((end) -> TicketSchedule.this.ends.put(end, now()));
			apply();
			this.deleting = now();
			this.next = now();
		}

		private void judgeReach() {
			TicketState state = this.fleet.state();
			if (state.ends().isEmpty() || this.fleet.reach() != Reach.ALL_NODES) {
				return;
			}
			TicketSchedule.this.claims++;
			double latest = state.ends().stream().mapToDouble(TicketSchedule.this::requested).max().orElseThrow();
			for (SimulatedNode node : TicketSchedule.this.nodes) {
				if (node != this && node.started < latest && node.canReportTo(this)
						&& TicketSchedule.this.tickets.entrySet()
							.stream()
							.anyMatch((ticket) -> ticket.getValue() < latest && node.decrypts(ticket.getKey()))) {
					violated("ALL_NODES is false, node " + TicketSchedule.this.nodes.indexOf(node) + " at " + now());
				}
			}
		}

		private boolean canReportTo(SimulatedNode other) {
			return this.reports.stream()
				.anyMatch((report) -> report.server() == other.readFrom && report.command() < other.readReports
						&& now() - report.time() < MINUTE - 5 && other.reads(report.name()))
					|| (this.server == other.readFrom && this.suspendedUntil <= now() && this.cutUntil <= now()
							&& now() - this.ableSince > MINUTE)
					|| (this.firstReadFrom == other.readFrom && this.firstRead < other.readReports
							&& !this.refusedToJoin && now() - this.started < MINUTE - 5);
		}

		/** Nodes with different secrets write reports under different names. */
		private boolean reads(String name) {
			return this.seals.stream().anyMatch((seal) -> seal.reportsName().equals(name));
		}

		void issue() {
			if (this.suspendedUntil <= now()) {
				TicketState context = this.contexts[TicketSchedule.this.random.nextInt(2)];
				long epoch = ROTATION.epoch(wallTime());
				TicketSchedule.this.tickets.putIfAbsent(new Ticket(context.seed(ROTATION, epoch), epoch), now());
			}
		}

		void acceptSome() {
			if (this.suspendedUntil > now()) {
				return;
			}
			List<Ticket> tickets = new ArrayList<>(TicketSchedule.this.tickets.keySet());
			for (int i = 0; i < Math.min(8, tickets.size()); i++) {
				Ticket ticket = tickets.get(TicketSchedule.this.random.nextInt(tickets.size()));
				if (decrypts(ticket)) {
					TicketSchedule.this.accepted++;
					double issued = TicketSchedule.this.tickets.get(ticket);
					if (issued < this.confirmed) {
						violated("accepts a ticket of " + issued + " at " + now() + ", confirmed an end of "
								+ this.confirmed);
					}
				}
			}
		}

		private boolean decrypts(Ticket ticket) {
			long time = wallTime();
			return ticket.epoch() >= ROTATION.epoch(time - ROTATION.lifetime().toMillis())
					&& ticket.epoch() <= ROTATION.epoch(time) + 1 && Arrays.stream(this.contexts)
						.anyMatch((context) -> context.seed(ROTATION, ticket.epoch()).equals(ticket.seed()));
		}

		void advance(int commands) {
			if (this.suspendedUntil <= now() && (this.coroutine.isRunning() || this.next <= now())) {
				this.coroutine.resume(commands);
			}
		}

		void suspend(double seconds) {
			this.suspendedUntil = now() + seconds;
			this.ableSince = Math.max(this.ableSince, this.suspendedUntil);
		}

		void cut(double seconds) {
			this.cutUntil = now() + seconds;
			this.ableSince = Math.max(this.ableSince, this.cutUntil);
		}

		/** Shows the state of a backup to this node. */
		void fool(double seconds) {
			if (!TicketSchedule.this.backups.isEmpty()) {
				this.shown = anyBackup();
				this.shownUntil = now() + seconds;
			}
		}

		void use(MemoryTicketStore server) {
			if (this.server != server) {
				this.server = server;
				this.ableSince = Math.max(this.ableSince, now());
			}
		}

		void heal() {
			this.suspendedUntil = 0;
			this.cutUntil = 0;
			this.shownUntil = 0;
			this.skew = 0;
		}

		void stop(boolean orderly) {
			TicketSchedule.this.nodes.remove(this);
			this.coroutine.kill();
			if (orderly) {
				try {
					this.fleet.leave();
				}
				catch (IllegalStateException ex) {
					// The others notice its silence.
				}
			}
		}

		private MemoryTicketStore reach() {
			this.coroutine.pause();
			TicketSchedule.this.commands++;
			if (TicketSchedule.this.down || this.cutUntil > now()) {
				throw new IllegalStateException("unreachable");
			}
			return this.server;
		}

		private MemoryTicketStore reachForWriting() {
			MemoryTicketStore server = reach();
			if (TicketSchedule.this.readOnly) {
				throw new IllegalStateException(MemoryTicketStore.REFUSAL);
			}
			return server;
		}

		private void loseReply() {
			if (!TicketSchedule.this.healing && chance(TicketSchedule.this.faults / 2)) {
				throw new IllegalStateException("unreachable");
			}
		}

		@Override
		public @Nullable String get(String name) {
			MemoryTicketStore server = reach();
			if (this.firstRead == Long.MAX_VALUE) {
				this.firstRead = TicketSchedule.this.commands;
				this.firstReadFrom = server;
				this.refusedToJoin = this.joining && this.reports.isEmpty();
			}
			if (this.shownUntil > now()) {
				server = this.shown;
			}
			else if (!TicketSchedule.this.healing && chance(TicketSchedule.this.faults / 2)
					&& !TicketSchedule.this.backups.isEmpty()) {
				server = TicketSchedule.this.backups.get(TicketSchedule.this.backups.size() - 1);
			}
			return server.get(name);
		}

		@Override
		public void set(String name, String value, Duration timeToLive) {
			reachForWriting().set(name, value, timeToLive);
			loseReply();
		}

		@Override
		public Map<String, String> reports(String name) {
			MemoryTicketStore server = reach();
			this.readReports = TicketSchedule.this.commands;
			this.readFrom = server;
			return server.reports(name);
		}

		@Override
		public boolean report(String name, String node, String report) {
			this.joining = true;
			MemoryTicketStore server = reachForWriting();
			this.reports.add(0, new Sent(now(), TicketSchedule.this.commands, server, name));
			confirmReported(report);
			boolean created = server.report(name, node, report);
			loseReply();
			return created;
		}

		@Override
		public void remove(String name, Collection<String> nodes) {
			reachForWriting().remove(name, nodes);
		}

		@Override
		public boolean isRefusal(RuntimeException failure) {
			return this.server.isRefusal(failure);
		}

		private long wallTime() {
			return BASE + (long) (now() * 1e3) + this.skew;
		}

	}

}
