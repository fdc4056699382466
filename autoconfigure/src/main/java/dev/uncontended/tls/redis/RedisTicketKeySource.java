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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketSecret;
import dev.uncontended.tls.tickets.internal.ScheduledKey;
import dev.uncontended.tls.tickets.internal.TicketClock;
import dev.uncontended.tls.tickets.internal.TicketKeyRing;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

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
 * periodically and on request.
 * <p>
 * The <em>activation</em> of a key is the time when it starts to encrypt. If the first
 * secret's hash contains no key that awaits activation, a polling node adds a key. The
 * first key, and the first key after an end of all sessions, is activated immediately.
 * All other keys are added well before their activation, so that all nodes can read them
 * in time.
 * <p>
 * A new node encrypts with a random key of its own until it has read an activated key.
 * While Redis is down, a node still activates the keys that it has read. The last of
 * these keys remains in use.
 * <p>
 * A node that ends all sessions writes the end to each hash, and sends a message on a
 * Redis channel. Nodes that receive the message poll within about a second. Each node
 * that reads the end drops older keys, and replaces its own random key.
 */
public final class RedisTicketKeySource implements TicketKeySource, Lifecycle {

	private static final Log logger = LogFactory.getLog(RedisTicketKeySource.class);

	private static final int MAXIMUM_EXCHANGES = 5;

	private static final int REMEMBERED_ENDS = 64;

	private static final int TOLERATED_TIMEOUTS = 3;

	/** A longer message is not read. A sealed end has about 100 characters. */
	private static final int MAXIMUM_MESSAGE_LENGTH = 4096;

	private final ConnectionCheck connectionCheck;

	private final RedisTicketKeyOptions options;

	private final TicketClock clock;

	private final Waits waits;

	final TicketKeyRing ring;

	private final List<Runnable> endListeners = new CopyOnWriteArrayList<>();

	// This object's monitor guards each SharedKeys, the remembered ends, and the fields
	// below that are neither final nor volatile. It also orders the updates of the ring.
	// No thread uses Redis while it holds the monitor.

	/**
	 * The hash and keys of each secret. Only the first secret's keys encrypt tickets.
	 */
	private final List<Shared> shared = new ArrayList<>();

	private final Deque<String> rememberedEnds = new ArrayDeque<>();

	private ScheduledKey ownKey;

	/**
	 * The number of ends of all sessions requested on this node.
	 */
	private volatile long ends;

	/**
	 * How many ends of all sessions requested on this node are complete: each hash
	 * contains the end, or a later end.
	 */
	private long completeEnds;

	/**
	 * The nodes reached by the last complete end.
	 */
	private Reach reach = Reach.THIS_NODE;

	/**
	 * Whether the listeners must still be notified of another node's end of all sessions.
	 */
	private volatile boolean unreported;

	/**
	 * Whether all hashes have been read at least once. Until then, this node does not
	 * copy ends between hashes, because another hash may contain a later end.
	 */
	private volatile boolean started;

	/**
	 * The number of polls in a row that timed out although a new connection worked.
	 */
	private volatile int timeouts;

	private boolean closed;

	final Messages messages;

	final Polls polls;

	private final TicketKeyLog log;

	/**
	 * Creates a source and starts its threads. Does not block on Redis.
	 */
	public RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options) {
		this(connectionFactory, options, TicketClock.system(), Waits.DEFAULT);
	}

	RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options, TicketClock clock,
			Waits waits) {
		this.connectionCheck = new ConnectionCheck(connectionFactory);
		this.options = options;
		this.clock = clock;
		this.waits = waits;
		this.log = new TicketKeyLog(clock);
		StringRedisTemplate redis = new StringRedisTemplate(connectionFactory);
		for (TicketSecret secret : options.secrets()) {
			SealedRecords records = new SealedRecords(secret, options.keyPrefix(), options.random());
			this.shared.add(new Shared(new TicketKeyHash(redis, records.hash(), options.timeToLive()),
					new SharedKeys(records, options, this.shared.isEmpty())));
		}
		this.ownKey = ScheduledKey.generate(options.random(), clock.elapsedNanos());
		List<ScheduledKey> first = List.of(this.ownKey);
		this.ring = new TicketKeyRing(clock, (keys, now) -> keys.isEmpty() ? first : keys);
		this.polls = new Polls(waits.poll(), this::exchange, this::fail);
		this.messages = new Messages(connectionFactory, redis, options.keyPrefix() + ":changes", this::receive);
		start();
	}

	@Override
	public void start() {
		if (!isRunning()) {
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
			this.polls.stop(this.messages::stop);
		}
	}

	@Override
	public boolean isRunning() {
		return this.polls.isRunning();
	}

	private void exchange() {
		boolean urgent = false;
		boolean lacksKey = false;
		long ends = 0;
		try {
			for (int i = 0; i == 0 || (i < MAXIMUM_EXCHANGES && hasPendingEnd()); i++) {
				ends = this.ends;
				for (Shared shared : this.shared) {
					Exchanged exchanged = exchange(shared);
					urgent |= exchanged.urgent();
					lacksKey |= exchanged.lacksKey();
				}
			}
		}
		finally {
			if (this.unreported) {
				this.polls.execute(this::reportEnd);
			}
		}
		this.started = true;
		if (!lacksKey) {
			recordExchange();
		}
		// Even if a key is lacking, so that a program that keeps changing the hash cannot
		// hide an end.
		recordEnds(ends,
				(urgent && this.messages.send(sealedEnds())) ? Reach.ALL_NODES : Reach.ALL_NODES_WITHIN_POLL_INTERVAL);
		this.polls.execute(() -> this.polls.attempt(this.waits.poll(), this::listen));
		if (lacksKey) {
			throw new IllegalStateException("Failed to add a TLS ticket key: another program keeps changing the hash");
		}
	}

	private void recordExchange() {
		if (isEndHidden()) {
			IllegalStateException failure = new IllegalStateException(
					"Another program keeps replacing the last end of all TLS sessions in Redis with an earlier one");
			this.ring.recordFailure(this.log.failed(failure), failure, this.clock.elapsedNanos());
		}
		else {
			this.ring.recordSuccess();
			this.log.reached();
		}
		this.timeouts = 0;
	}

	private synchronized boolean isEndHidden() {
		return this.shared.stream().anyMatch((shared) -> shared.keys.isEndHidden());
	}

	private synchronized String sealedEnds() {
		return this.shared.stream()
			.flatMap((shared) -> shared.keys.sealedEnd().stream())
			.collect(Collectors.joining(" "));
	}

	/**
	 * Requests a poll, which also applies the ends in the message.
	 */
	private void receive(byte[] message) {
		if (message.length <= MAXIMUM_MESSAGE_LENGTH) {
			announce(new String(message, StandardCharsets.US_ASCII).split(" "));
		}
		this.polls.request();
	}

	private synchronized void announce(String[] sealedEnds) {
		for (String sealed : sealedEnds) {
			this.shared.forEach((shared) -> shared.keys.announce(sealed));
		}
	}

	private void listen() {
		if (isRunning()) {
			this.messages.listen();
		}
	}

	private Exchanged exchange(Shared shared) {
		boolean urgent = false;
		Changes changes = merge(shared, shared.hash.exchange(Changes.NONE));
		recordRead(shared, changes);
		for (int i = 0; i < MAXIMUM_EXCHANGES && !changes.isEmpty(); i++) {
			urgent |= changes.urgent();
			changes = merge(shared, shared.hash.exchange(changes));
		}
		return new Exchanged(urgent, !changes.newKey().isEmpty());
	}

	private synchronized void recordRead(Shared shared, Changes changes) {
		shared.keys.recordRead(changes.hidesEnd(), this.clock.elapsedNanos());
	}

	private Changes merge(Shared shared, Content content) {
		Changes changes;
		boolean ended = false;
		synchronized (this) {
			if (this.closed) {
				return Changes.NONE;
			}
			long now = this.clock.elapsedNanos();
			changes = shared.keys.merge(content, now);
			End remoteEnd = shared.keys.remoteEnd();
			if (remoteEnd != null && !this.rememberedEnds.contains(remoteEnd.id())) {
				ended = endForOtherNode(remoteEnd, now);
			}
			else {
				this.ring.update((ignored) -> schedule(now));
			}
			shared.keys.appliedRemoteEnd();
		}
		if (ended) {
			logger.info("Ending all TLS sessions, requested by another node");
		}
		this.log.rejected(changes.rejected());
		return changes;
	}

	/**
	 * Applies another node's end of all sessions, and returns whether to log it.
	 */
	private boolean endForOtherNode(End remoteEnd, long now) {
		if (this.started) {
			this.shared.forEach((shared) -> shared.keys.passOn(remoteEnd));
		}
		end(now);
		this.unreported = true;
		remember(remoteEnd.id());
		return this.started;
	}

	private void remember(String id) {
		this.rememberedEnds.add(id);
		if (this.rememberedEnds.size() > REMEMBERED_ENDS) {
			this.rememberedEnds.remove();
		}
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
			this.endListeners.forEach(this::run);
		}
	}

	private void run(Runnable listener) {
		try {
			listener.run();
		}
		catch (RuntimeException | Error ex) {
			this.ring.recordFailure(ex);
			logger.warn("Failed to end the TLS sessions of a server, requested by another node", ex);
		}
	}

	private synchronized boolean hasPendingEnd() {
		return this.shared.stream().anyMatch((shared) -> shared.keys.hasPendingEnd());
	}

	private synchronized void recordEnds(long ends, Reach reach) {
		long complete = hasPendingEnd() ? ends : this.ends;
		if (complete > this.completeEnds) {
			this.completeEnds = complete;
			this.reach = reach;
			if (complete == this.ends) {
				this.ring.recordEnd(reach);
			}
		}
	}

	private void fail(Throwable failure) {
		long time = this.clock.elapsedNanos();
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
		long end;
		synchronized (this) {
			String id = SealedRecords.randomId(this.options.random());
			remember(id);
			this.shared.forEach((shared) -> shared.keys.end(id));
			end = ++this.ends;
			end(this.clock.elapsedNanos());
		}
		try {
			this.polls.submit().get(this.waits.end().toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			logger.debug("Failed to notify other nodes of the end of all TLS sessions", ex);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return reachOf(end);
	}

	private synchronized Reach reachOf(long end) {
		if (this.completeEnds < end) {
			if (end == this.ends) {
				this.ring.recordEnd(Reach.THIS_NODE);
			}
			return Reach.THIS_NODE;
		}
		return this.reach;
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("redis", this.options.pollInterval().plus(this.waits.poll().multipliedBy(2)));
	}

	/**
	 * Stops polling, and destroys the keys and secrets.
	 */
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

	/**
	 * The result of exchanging keys with a Redis hash.
	 *
	 * @param urgent whether other nodes should read the changes immediately
	 * @param lacksKey whether this node could not add a key that a Redis hash needs
	 */
	private record Exchanged(boolean urgent, boolean lacksKey) {
	}

	/**
	 * The timeouts for Redis.
	 *
	 * @param poll how long a poll waits for Redis
	 * @param connect how long a failed poll waits for the {@link ConnectionCheck}
	 * @param end how long {@link RedisTicketKeySource#endAll()} waits for its poll
	 */
	record Waits(Duration poll, Duration connect, Duration end) {

		static final Waits DEFAULT = new Waits(Duration.ofSeconds(3), Duration.ofSeconds(1), Duration.ofSeconds(2));

	}

}
