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

import java.time.Duration;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

import dev.uncontended.tls.tickets.TicketKeyNodes;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that this node hears, itself included. Times are nanoseconds of this node's
 * monotonic clock. Not thread-safe.
 */
final class Fleet {

	/** Limits the memory that replayed announcements of earlier nodes can use. */
	static final int MAXIMUM_NODES = 4096;

	/** The number of polls after which a node that has not been heard is not running. */
	private static final int POLLS = 3;

	/** With short poll intervals, as many polls as fit into this time. */
	private static final Duration SHORTEST_SILENCE = Duration.ofSeconds(3);

	private long self;

	private final long polls;

	private final Duration validity;

	private final long settling;

	private final Recurrence losses;

	private final Map<Long, Node> nodes = new HashMap<>();

	/** The number of this node's last announcement. */
	private long sent;

	/** The number of this node's last announcement that it has heard. */
	private long heard;

	private @Nullable Long firstHeard;

	private boolean subscribed;

	/**
	 * Creates a fleet without nodes.
	 * @param settling the time in which running nodes answer this node's first
	 * announcement
	 */
	Fleet(Duration pollInterval, Duration settling) {
		this.polls = Math.max(POLLS, SHORTEST_SILENCE.dividedBy(pollInterval));
		this.validity = pollInterval.multipliedBy(this.polls);
		this.settling = settling.toNanos();
		this.losses = new Recurrence(pollInterval);
	}

	/** Returns the next announcement of this node, without an end. */
	Announcement next(boolean urgent, boolean stopping) {
		return new Announcement(this.self, ++this.sent, stopping ? Duration.ZERO : this.validity, urgent, null);
	}

	/**
	 * Records an announcement, unless this node has heard a later one of the same node.
	 * @return whether the announcement is recorded
	 */
	boolean hear(Announcement announcement, SharedKeys keys, long now) {
		this.nodes.values().removeIf((node) -> node.validUntil() <= now);
		Node known = this.nodes.get(announcement.node());
		if ((known != null) ? announcement.number() <= known.number() : this.nodes.size() == MAXIMUM_NODES) {
			return false;
		}
		this.nodes.put(announcement.node(),
				new Node(announcement.number(), now + announcement.validity().toNanos(), keys, announcement.end()));
		if (announcement.node() == this.self) {
			this.heard = announcement.number();
			this.firstHeard = (this.firstHeard != null) ? this.firstHeard : Long.valueOf(now);
		}
		return true;
	}

	boolean isSelf(Announcement announcement) {
		return announcement.node() == this.self;
	}

	/**
	 * Records that this node has subscribed to the channel.
	 * @return whether it had lost its subscription, and so may have missed announcements
	 */
	boolean subscribe(long now) {
		boolean lost = this.subscribed;
		this.subscribed = true;
		if (lost) {
			this.losses.record(now);
		}
		return lost;
	}

	/** Records that this node ends its subscription itself. */
	void unsubscribe() {
		this.subscribed = false;
	}

	/**
	 * Starts to hear, with a new id. Copies of a process that was restored from a
	 * checkpoint need different ids.
	 */
	void start(long self) {
		this.self = self;
		this.nodes.clear();
		this.heard = this.sent;
		this.subscribed = false;
	}

	/**
	 * Returns whether this node can use the keys in Redis: either running nodes have had
	 * the time to announce an end that Redis hides, or this node cannot hear.
	 */
	boolean isSettled(long now) {
		return (this.firstHeard != null) ? now - this.firstHeard >= this.settling : isDeaf();
	}

	/**
	 * Returns whether this node has heard none of its announcements for three polls, at
	 * the third poll before its announcement.
	 */
	boolean isDeaf() {
		return this.sent - this.heard >= this.polls - 1;
	}

	/** Returns why this node may not hear an end of all sessions, or {@code null}. */
	@Nullable String problem(long now) {
		if (isDeaf()) {
			return "This node does not hear its own messages through Redis";
		}
		return this.losses.isFrequent(now) ? "The subscription to messages through Redis keeps ending" : null;
	}

	/**
	 * Returns whether all nodes, including this one, have announced the last end that
	 * this node knows.
	 */
	boolean isConfirmed(long now) {
		TicketKeyNodes nodes = nodes(now);
		return nodes.confirmed().size() == this.nodes.size() && nodes.confirmed().contains(nodes.self())
				&& this.nodes.size() < MAXIMUM_NODES && isSettled(now) && problem(now) == null;
	}

	TicketKeyNodes nodes(long now) {
		this.nodes.values().removeIf((node) -> node.validUntil() <= now);
		return new TicketKeyNodes(name(this.self), names(Node::hasConfirmed),
				names((node) -> node.end() != null && !node.hasConfirmed()), names((node) -> node.end() == null));
	}

	private List<String> names(Predicate<Node> condition) {
		return this.nodes.entrySet()
			.stream()
			.filter((node) -> condition.test(node.getValue()))
			.map((node) -> name(node.getKey()))
			.sorted()
			.toList();
	}

	private static String name(long id) {
		return HexFormat.of().toHexDigits(id);
	}

	private record Node(long number, long validUntil, SharedKeys keys, @Nullable End end) {

		boolean hasConfirmed() {
			return this.end != null && this.end.compareTo(this.keys.end()) >= 0;
		}

	}

	/**
	 * Counts events that may occur once or twice, for example if Redis restarts, but not
	 * again and again. Four poll intervals without an event end the count.
	 */
	static final class Recurrence {

		private static final int TOLERATED = 2;

		private final long period;

		private int count;

		private long last;

		Recurrence(Duration pollInterval) {
			this.period = pollInterval.multipliedBy(4).toNanos();
		}

		void record(long now) {
			this.count = (now - this.last > this.period) ? 1 : this.count + 1;
			this.last = now;
		}

		boolean isFrequent(long now) {
			return this.count > TOLERATED && now - this.last <= this.period;
		}

	}

}
