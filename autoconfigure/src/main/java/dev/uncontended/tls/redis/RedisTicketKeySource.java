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
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.redis.Fleet.Recurrence;
import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeyNodes;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketSecret;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import dev.uncontended.tls.tickets.internal.TicketClock;
import dev.uncontended.tls.tickets.internal.TicketKeyRing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.Lifecycle;
import org.springframework.dao.QueryTimeoutException;
import org.springframework.data.redis.RedisConnectionFailureException;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * A {@link TicketKeySource} of random keys that nodes share through Redis.
 * <p>
 * Each {@linkplain RedisTicketKeyOptions#secrets() secret} has its own Redis hash. The
 * hash contains the last end of all sessions, and the keys created since that end,
 * encrypted with the secret. Nodes poll the hashes: they read and update each hash
 * periodically and on request. The <em>activation</em> of a key is the time when it
 * starts to encrypt. If the first secret's hash contains no key that awaits activation, a
 * polling node adds a key, well before its activation, so that all nodes can read it in
 * time. Only the first key, and the first key after an end, is activated immediately.
 * <p>
 * No single view decides which end is the last one, because a program that writes to
 * Redis can show an earlier hash to some nodes. After each poll, a node therefore
 * publishes an {@link Announcement} of the end that it has applied, sealed with each
 * secret. An end that a node reads or hears ends all older sessions. A node is DOWN if it
 * keeps reading earlier ends than it knows, if it does not hear its own announcements, or
 * if its subscription keeps ending: then it may miss an end. After each lost
 * subscription, it asks the other nodes to announce themselves again. A new node asks as
 * well, and uses a key of its own until the others have had the time to answer.
 * <p>
 * {@link #endAll()} writes the end to each hash, announces it, and waits until each node
 * heard within the last three polls has announced this or a later end. The answer names
 * these nodes. Replayed announcements can only add nodes that have not confirmed, because
 * an announcement of an end cannot exist before the end.
 * <p>
 * An end contains the generation of its secret, and a higher generation is a later end. A
 * node with a lower generation therefore applies and preserves the end of a higher
 * generation.
 */
public final class RedisTicketKeySource implements TicketKeySource, Lifecycle {

	private static final Log logger = LogFactory.getLog(RedisTicketKeySource.class);

	/**
	 * The version of the Redis hash's content. Nodes with another format share nothing,
	 * but hear each other.
	 */
	static final int FORMAT = 3;

	private static final int MAXIMUM_EXCHANGES = 5;

	private static final int REMEMBERED_ENDS = 64;

	private static final int TOLERATED_TIMEOUTS = 3;

	private final ConnectionCheck connectionCheck;

	private final RedisTicketKeyOptions options;

	private final TicketClock clock;

	private final Waits waits;

	final TicketKeyRing ring;

	private final List<Runnable> endListeners = new CopyOnWriteArrayList<>();

	// This object's monitor guards each SharedKeys, the fleet, and the fields below that
	// are neither final nor volatile. It also orders the updates of the ring. No thread
	// uses Redis while it holds the monitor.

	/** The hash and keys of each secret. Only the first secret's keys encrypt tickets. */
	private final List<Shared> shared = new ArrayList<>();

	private final Fleet fleet;

	private final Recurrence hiddenEnds;

	/** The ids of the last ends that this node has applied. */
	private final Set<String> appliedEnds = new HashSet<>();

	/** The ends requested on this node that wait for confirmations, by id. */
	private final Map<String, CompletableFuture<Reach>> pendingEnds = new HashMap<>();

	private ScheduledKey ownKey;

	/** How far the last end requested on this node has reached. */
	private @Nullable Reach reach;

	private volatile TicketKeyNodes nodes;

	/**
	 * Whether the listeners must still be notified of another node's end of all sessions.
	 */
	private volatile boolean unreported;

	/** Whether a listener has failed to apply the last end of another node. */
	private volatile boolean incomplete;

	/**
	 * Whether all hashes have been read at least once. Until then, this node does not
	 * copy ends between hashes, because another hash may contain a later end.
	 */
	private volatile boolean started;

	/** Whether the next announcement asks the other nodes to answer. */
	private volatile boolean asking;

	/** The number of polls in a row that timed out although a new connection worked. */
	private volatile int timeouts;

	private boolean closed;

	final Messages messages;

	final Polls polls;

	private final TicketKeyLog log;

	/** Creates a source and starts its threads. Does not block on Redis. */
	public RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options) {
		this(connectionFactory, options, FORMAT, TicketClock.system(), Waits.DEFAULT);
	}

	RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options, int format,
			TicketClock clock, Waits waits) {
		this.connectionCheck = new ConnectionCheck(connectionFactory);
		this.options = options;
		this.clock = clock;
		this.waits = waits;
		this.log = new TicketKeyLog(clock);
		this.fleet = new Fleet(options.pollInterval(), waits.answers());
		this.nodes = this.fleet.nodes(clock.elapsedNanos());
		this.hiddenEnds = new Recurrence(options.pollInterval());
		StringRedisTemplate redis = new StringRedisTemplate(connectionFactory);
		for (TicketSecret secret : options.secrets()) {
			SealedRecords records = new SealedRecords(secret, format, options.keyPrefix(), options.random());
			this.shared.add(new Shared(new TicketKeyHash(redis, records.hash(), options.timeToLive()),
					new SharedKeys(records, options, this.shared.isEmpty())));
		}
		this.ownKey = ScheduledKey.generate(options.random(), clock.elapsedNanos());
		List<ScheduledKey> first = List.of(this.ownKey);
		this.ring = new TicketKeyRing(clock, (keys, now) -> keys.isEmpty() ? first : keys);
		this.polls = new Polls(waits.poll(), this::exchange, this::fail);
		this.messages = new Messages(connectionFactory, redis, options.keyPrefix() + ":changes", this::receive,
				this::subscribed);
		start();
	}

	@Override
	public void start() {
		if (!isRunning()) {
			synchronized (this) {
				this.fleet.start(this.options.random().nextLong());
				this.nodes = this.fleet.nodes(this.clock.elapsedNanos());
				this.asking = true;
			}
			this.polls.start(this.options.pollInterval());
		}
	}

	/**
	 * Stops periodic polls, and unsubscribes from messages. The keys read so far still
	 * rotate.
	 */
	@Override
	public void stop() {
		if (isRunning()) {
			this.connectionCheck.stop();
			this.polls.stop(this::leave, this.messages::stop);
		}
	}

	private void leave() {
		if (status().isUp()) {
			this.messages.send(announcement(false, true));
		}
	}

	@Override
	public boolean isRunning() {
		return this.polls.isRunning();
	}

	private void exchange() {
		Poll poll = new Poll();
		try {
			for (int i = 0; i == 0 || (i < MAXIMUM_EXCHANGES && hasPendingEnd()); i++) {
				this.shared.forEach((shared) -> exchange(shared, poll));
			}
		}
		finally {
			if (this.unreported) {
				this.polls.execute(this::reportEnd);
			}
		}
		this.started = true;
		record(poll);
		this.polls.execute(() -> this.polls.attempt(this.waits.poll(), () -> announce(poll.urgent)));
	}

	private void exchange(Shared shared, Poll poll) {
		Changes changes = merge(shared, shared.hash.exchange(Changes.NONE), poll);
		poll.hidesEnd |= changes.hidesEnd();
		for (int i = 0; i < MAXIMUM_EXCHANGES && !changes.isEmpty() && !poll.refused; i++) {
			poll.urgent |= changes.urgent();
			changes = merge(shared, shared.hash.exchange(changes), poll);
		}
		poll.lacksKey |= !changes.newKey().isEmpty();
	}

	private Changes merge(Shared shared, Content content, Poll poll) {
		Changes changes;
		boolean ended = false;
		boolean lower = false;
		synchronized (this) {
			if (this.closed) {
				return Changes.NONE;
			}
			long now = this.clock.elapsedNanos();
			changes = shared.keys.merge(content, now);
			if (shared.keys.hasNews() && !this.appliedEnds.contains(shared.keys.end().id())) {
				endForOtherNode(shared.keys.end(), now);
				ended = this.started;
				lower = shared.keys.isOfLowerGeneration();
			}
			else {
				this.ring.update((ignored) -> schedule(now));
			}
			shared.keys.applyNews();
		}
		if (ended) {
			logger.info("Ending all TLS sessions, requested by another node");
		}
		if (lower) {
			logger.warn("The generation of the secret on this node is lower than on other nodes, now or earlier."
					+ " The higher generation applies. Do not lower the generation.");
		}
		poll.refused |= content.refused();
		this.log.rejected(changes.rejected());
		return changes;
	}

	private void endForOtherNode(End end, long now) {
		if (this.started) {
			this.shared.forEach((shared) -> shared.keys.passOn(end));
		}
		end(now);
		this.unreported = true;
		this.incomplete = true;
		remember(end.id());
	}

	private void remember(String id) {
		if (this.appliedEnds.size() == REMEMBERED_ENDS) {
			this.appliedEnds.clear();
		}
		this.appliedEnds.add(id);
	}

	private void end(long now) {
		this.ownKey = ScheduledKey.generate(this.options.random(), now);
		this.ring.end((ignored) -> schedule(now));
	}

	/**
	 * Returns the keys from all hashes and this node's own key. The own key encrypts
	 * until a key from the first secret's hash is activated, and then only decrypts.
	 */
	private List<ScheduledKey> schedule(long now) {
		if (!this.fleet.isSettled(now)) {
			return List.of(this.ownKey);
		}
		if (this.shared.get(0).keys.anyActivated(now)) {
			this.ownKey = this.ownKey.expiringBy(now + this.options.rotation().lifetime().toNanos()).decryptingOnly();
		}
		else if (this.ownKey.activation() == ScheduledKey.NEVER) {
			this.ownKey = ScheduledKey.generate(this.options.random(), now);
		}
		List<ScheduledKey> keys = new ArrayList<>();
		this.shared.forEach((shared) -> keys.addAll(shared.keys.schedule()));
		keys.add(this.ownKey);
		return keys;
	}

	private void reportEnd() {
		if (this.unreported) {
			this.unreported = false;
			this.incomplete = this.endListeners.stream().filter((listener) -> !run(listener)).count() > 0;
		}
	}

	private boolean run(Runnable listener) {
		try {
			listener.run();
			return true;
		}
		catch (RuntimeException | Error ex) {
			this.ring.recordFailure(ex);
			logger.warn("Failed to end the TLS sessions of a server, requested by another node", ex);
			return false;
		}
	}

	private synchronized boolean hasPendingEnd() {
		return this.shared.stream().anyMatch((shared) -> shared.keys.hasPendingEnd());
	}

	private void record(Poll poll) {
		String problem = problem(poll);
		this.ring.recordReached(problem);
		this.log.reached(problem);
		this.timeouts = 0;
		if (poll.refused) {
			answer(Reach.THIS_NODE);
		}
	}

	private synchronized @Nullable String problem(Poll poll) {
		long now = this.clock.elapsedNanos();
		if (poll.hidesEnd) {
			this.hiddenEnds.record(now);
		}
		recordConfirmations();
		String problem = poll.problem(this.hiddenEnds.isFrequent(now));
		return (problem != null) ? problem : this.fleet.problem(now);
	}

	/** Subscribes to the other nodes' announcements, and announces this node. */
	private void announce(boolean urgent) {
		if (isRunning()) {
			if (unsubscribeIfDeaf()) {
				this.messages.stop();
			}
			this.messages.listen();
			boolean asking = this.asking;
			this.asking = false;
			this.asking |= !this.messages.send(announcement(urgent || asking, false)) && asking;
		}
	}

	/**
	 * Returns whether to repeat the subscription. The driver does not repeat a
	 * subscription that Redis has refused.
	 */
	private synchronized boolean unsubscribeIfDeaf() {
		if (!this.fleet.isDeaf()) {
			return false;
		}
		this.fleet.unsubscribe();
		this.asking = true;
		return true;
	}

	private synchronized String announcement(boolean urgent, boolean stopping) {
		if (!this.incomplete && this.ring.isCurrent()) {
			this.shared.forEach((shared) -> shared.keys.confirm());
		}
		Announcement announcement = this.fleet.next(urgent, stopping);
		return this.shared.stream()
			.map((shared) -> shared.keys.announce(announcement))
			.collect(Collectors.joining(" "));
	}

	private synchronized void receive(String[] announcements) {
		for (String sealed : announcements) {
			this.shared.forEach((shared) -> receive(sealed, shared.keys));
		}
	}

	private void receive(String sealed, SharedKeys keys) {
		long now = this.clock.elapsedNanos();
		Announcement announcement = keys.hear(sealed);
		if (announcement == null || !this.fleet.hear(announcement, keys, now)) {
			return;
		}
		if (this.fleet.isSelf(announcement)) {
			if (!this.fleet.isSettled(now)) {
				this.polls.schedule(this.waits.answers());
			}
		}
		else if (announcement.urgent() || keys.isBehind()) {
			this.polls.request();
		}
		recordConfirmations();
	}

	/** Asks the other nodes to repeat what this node may have missed. */
	private synchronized void subscribed() {
		if (this.fleet.subscribe(this.clock.elapsedNanos())) {
			this.asking = true;
			this.polls.request();
		}
	}

	synchronized boolean isSettled() {
		return this.fleet.isSettled(this.clock.elapsedNanos());
	}

	private void fail(Throwable failure) {
		long time = this.clock.elapsedNanos();
		answer(Reach.THIS_NODE);
		if (isRunning()) {
			Throwable reason = reason(failure);
			this.ring.recordFailure(this.log.failed(reason), reason, time);
			replaceDeadConnection(reason);
		}
	}

	/**
	 * Replaces the driver's connections if commands keep timing out although a new
	 * connection works. Otherwise, the driver would keep connections to an address that
	 * no longer answers until TCP gives up, after about 15 minutes.
	 */
	private void replaceDeadConnection(Throwable failure) {
		boolean timeout = failure instanceof TimeoutException || failure instanceof QueryTimeoutException;
		boolean dead = timeout && this.connectionCheck.hasConnected();
		this.timeouts = dead ? this.timeouts + 1 : 0;
		if (this.timeouts == TOLERATED_TIMEOUTS) {
			this.timeouts = 0;
			logger.warn("Replacing the connection to Redis, which does not answer although new connections do");
			this.connectionCheck.replaceSharedConnection();
			this.polls.attempt(this.waits.poll(), this.messages::stop);
		}
	}

	/**
	 * Returns the failure to connect to Redis if connecting fails, and otherwise the
	 * given failure. Does not connect if the given failure is an {@link Error} or an
	 * error reply of Redis.
	 */
	private Throwable reason(Throwable failure) {
		if (failure instanceof Error || TicketKeyLog.isReply(failure)) {
			return failure;
		}
		Throwable reason = this.connectionCheck.failure(this.waits.connect());
		return (reason instanceof RedisConnectionFailureException) ? reason : failure;
	}

	@Override
	public Registration subscribe(TicketKeyListener listener) {
		return this.ring.subscribe(listener);
	}

	@Override
	public Registration onRemoteEnd(Runnable listener) {
		this.endListeners.add(listener);
		return () -> this.endListeners.remove(listener);
	}

	@Override
	public Reach endAll() {
		String id = SealedRecords.randomId(this.options.random());
		CompletableFuture<Reach> answer = new CompletableFuture<>();
		synchronized (this) {
			remember(id);
			this.shared.forEach((shared) -> shared.keys.end(id));
			this.pendingEnds.put(id, answer);
			end(this.clock.elapsedNanos());
		}
		this.polls.submit();
		try {
			answer.get(this.waits.end().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			logger.debug("Not all nodes have confirmed the end of all TLS sessions", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return recordEnd(id, answer);
	}

	private synchronized Reach recordEnd(String id, CompletableFuture<Reach> answer) {
		this.pendingEnds.remove(id);
		Reach reach = answer.getNow(confirmed());
		record(reach);
		return reach;
	}

	private synchronized void answer(Reach reach) {
		this.pendingEnds.values().forEach((answer) -> answer.complete(reach));
	}

	private void record(Reach reach) {
		this.reach = reach;
		this.ring.recordEnd(reach);
	}

	/** Returns how far the last end requested on this node has reached. */
	private Reach confirmed() {
		long now = this.clock.elapsedNanos();
		this.nodes = this.fleet.nodes(now);
		if (hasPendingEnd()) {
			return Reach.THIS_NODE;
		}
		return this.fleet.isConfirmed(now) ? Reach.ALL_NODES : Reach.CONFIRMED_NODES;
	}

	private synchronized void recordConfirmations() {
		Reach reach = confirmed();
		if (reach == Reach.ALL_NODES) {
			answer(reach);
		}
		if (this.reach != null && reach.compareTo(this.reach) > 0) {
			record(reach);
		}
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("redis", this.options.pollInterval().plus(this.waits.poll().multipliedBy(2)),
				this.nodes);
	}

	/** Stops polling, and destroys the keys and secrets. */
	@Override
	public void close() {
		stop();
		synchronized (this) {
			this.closed = true;
		}
		this.polls.close();
		this.ring.close();
		this.options.secrets().forEach(TicketSecret::destroy);
	}

	private record Shared(TicketKeyHash hash, SharedKeys keys) {
	}

	/** What a poll has found. Only the poll's thread uses it. */
	private static final class Poll {

		/** Whether other nodes should read the changes immediately. */
		private boolean urgent;

		/** Whether this node could not add a key that a Redis hash needs. */
		private boolean lacksKey;

		private boolean hidesEnd;

		private boolean refused;

		@Nullable String problem(boolean endIsHidden) {
			if (this.refused) {
				return "Redis refuses writes";
			}
			if (this.lacksKey) {
				return "Failed to add a TLS ticket key: another program keeps changing the hash";
			}
			return endIsHidden ? "Another program keeps replacing the last end of all TLS sessions in Redis"
					+ " with an earlier one" : null;
		}

	}

	/**
	 * The timeouts for Redis.
	 *
	 * @param poll how long a poll waits for Redis
	 * @param connect how long a failed poll waits for the {@link ConnectionCheck}
	 * @param end how long {@link RedisTicketKeySource#endAll()} waits for confirmations
	 * @param answers how long a new node waits for other nodes' announcements
	 */
	record Waits(Duration poll, Duration connect, Duration end, Duration answers) {

		static final Waits DEFAULT = new Waits(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(2),
				Duration.ofSeconds(2));

	}

}
