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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.uncontended.tls.redis.SharedKeys.Merge;
import dev.uncontended.tls.redis.TicketKeyHash.Changes;
import dev.uncontended.tls.redis.TicketKeyHash.Content;
import dev.uncontended.tls.tickets.ScheduledKey;
import dev.uncontended.tls.tickets.TicketClock;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyRing;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketSecret;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

/**
 * {@link TicketKeySource} of random keys that nodes share through Redis.
 * <p>
 * Each secret has a hash in Redis, which holds the last end of all sessions and the keys
 * made since. Every record is sealed under the secret with its times; what does not open
 * counts as absent and is removed. There is no leader and no lock: at each poll a node
 * takes over what it does not know, puts back what the hash lacks, and adds a key if none
 * is waiting for its activation. So each key is known to all nodes a rotation before the
 * first of them uses it, and all use it from the same moment: the node learns the time of
 * Redis when it first reads the key, and counts on from there by its own monotonic clock.
 * <p>
 * A node never waits for Redis. It starts with a random key of its own, and uses the
 * shared ones when it first reads them. While Redis is down it continues with the keys
 * that it knows; the ring activates them on a thread of its own.
 * <p>
 * An end of all sessions has an id and, in each hash, a number; the highest number
 * counts, and voids all keys made before. A node that learns of an end from one hash
 * forgets all its keys, and passes the end on to the hashes of its other secrets. A
 * message on a channel makes other nodes poll at once.
 */
public final class RedisTicketKeySource implements TicketKeySource {

	private static final Log logger = LogFactory.getLog(RedisTicketKeySource.class);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

	private static final int MAXIMUM_EXCHANGES = 5;

	private static final int REMEMBERED_ENDS = 64;

	private final RedisTicketKeyOptions options;

	private final TicketClock clock;

	private final TicketKeyRing ring;

	private final List<Runnable> endListeners = new CopyOnWriteArrayList<>();

	/**
	 * Guards the fields below, and that the ring gets what follows from them in order.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * One for each secret; those of the first encrypt.
	 */
	private final List<Shared> shared = new ArrayList<>();

	private final Deque<String> rememberedEnds = new ArrayDeque<>();

	private ScheduledKey ownKey;

	private boolean untold;

	/**
	 * Whether all hashes have been read since the start. The ends that a node reads first
	 * are not passed on: it cannot know which of them is the latest.
	 */
	private volatile boolean started;

	private final Messages messages;

	private final Polls<Reach> polls;

	private final TicketKeyLog log;

	/**
	 * Creates a source and starts its threads. Does not wait for Redis.
	 * @param connectionFactory what connects to Redis
	 * @param options the rest
	 */
	public RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options) {
		this(connectionFactory, options, TicketClock.system());
	}

	RedisTicketKeySource(RedisConnectionFactory connectionFactory, RedisTicketKeyOptions options, TicketClock clock) {
		this.options = options;
		this.clock = clock;
		this.log = new TicketKeyLog(clock);
		StringRedisTemplate redis = new StringRedisTemplate(connectionFactory);
		for (TicketSecret secret : options.secrets()) {
			SealedRecords records = new SealedRecords(secret, options.keyPrefix(), options.random());
			this.shared.add(new Shared(new TicketKeyHash(redis, records.hash(), options.timeToLive()),
					new SharedKeys(records, options, this.shared.isEmpty())));
		}
		this.ownKey = generate(clock.elapsedNanos());
		List<ScheduledKey> first = List.of(this.ownKey);
		this.ring = new TicketKeyRing(clock, (keys, now) -> keys.isEmpty() ? first : keys);
		this.polls = new Polls<>(this::exchange, this::fail);
		this.messages = new Messages(connectionFactory, redis, options.keyPrefix() + ":changes", this.polls::request);
		this.polls.start(options.pollInterval());
	}

	private ScheduledKey generate(long activation) {
		return new ScheduledKey(TicketKey.generate(this.options.random()), activation, ScheduledKey.UNKNOWN);
	}

	/**
	 * Exchanges what this node knows for what Redis knows.
	 * @return the nodes that know the same by then
	 */
	private Reach exchange() {
		boolean urgent = false;
		for (int i = 0; i == 0 || (i < MAXIMUM_EXCHANGES && hasUntoldEnd()); i++) {
			for (Shared shared : this.shared) {
				urgent |= exchange(shared);
			}
		}
		this.started = true;
		this.ring.recordSuccess();
		this.log.reached();
		Reach reach = (urgent && this.messages.send()) ? Reach.ALL_NODES : Reach.ALL_NODES_WITHIN_POLL_INTERVAL;
		recordToldEnd(reach);
		this.polls.attempt(this.messages::listen);
		return reach;
	}

	private boolean exchange(Shared shared) {
		boolean urgent = false;
		Changes changes = merge(shared, shared.hash.exchange(Changes.NONE));
		for (int i = 0; i < MAXIMUM_EXCHANGES && !changes.isEmpty(); i++) {
			urgent |= changes.urgent();
			changes = merge(shared, shared.hash.exchange(changes));
		}
		if (!changes.newKey().isEmpty()) {
			throw new IllegalStateException("Another program keeps changing the keys");
		}
		return urgent;
	}

	private Changes merge(Shared shared, Content content) {
		Merge merge;
		boolean ended;
		this.lock.lock();
		try {
			long now = this.clock.elapsedNanos();
			merge = shared.keys.merge(content, now);
			String remoteEnd = merge.remoteEnd();
			ended = remoteEnd != null && remember(remoteEnd);
			if (remoteEnd != null && ended) {
				if (this.started) {
					for (Shared other : this.shared) {
						other.keys.passOn(remoteEnd);
					}
				}
				end(now);
			}
			else {
				this.ring.update((ignored) -> schedule(now));
			}
		}
		finally {
			this.lock.unlock();
		}
		this.log.rejected(merge.rejected());
		if (ended) {
			if (this.started) {
				logger.info("Another node has ended all TLS sessions");
			}
			this.polls.execute(() -> this.endListeners.forEach(this::run));
		}
		return merge.changes();
	}

	/**
	 * Remembers an end. It arrives by each hash, and counts once.
	 */
	private boolean remember(String id) {
		if (this.rememberedEnds.contains(id)) {
			return false;
		}
		this.rememberedEnds.add(id);
		if (this.rememberedEnds.size() > REMEMBERED_ENDS) {
			this.rememberedEnds.remove();
		}
		return true;
	}

	private void end(long now) {
		this.ownKey = generate(now);
		this.ring.end((ignored) -> schedule(now));
	}

	/**
	 * The node's own key encrypts until a shared one does, and decrypts for a while after
	 * that.
	 */
	private List<ScheduledKey> schedule(long now) {
		if (this.shared.get(0).keys.anyActivated(now)) {
			this.ownKey = this.ownKey.expiringBy(now + this.options.rotation().lifetime().toNanos()).decryptingOnly();
		}
		else if (this.ownKey.activation() == ScheduledKey.NEVER) {
			this.ownKey = generate(now);
		}
		List<ScheduledKey> keys = new ArrayList<>();
		this.shared.forEach((shared) -> keys.addAll(shared.keys.schedule()));
		keys.add(this.ownKey);
		return keys;
	}

	private void run(Runnable listener) {
		try {
			listener.run();
		}
		catch (RuntimeException | Error ex) {
			this.ring.recordFailure(ex);
			logger.warn("Failed to end the TLS sessions of a server after another node has ended all", ex);
		}
	}

	private boolean hasUntoldEnd() {
		this.lock.lock();
		try {
			return this.shared.stream().anyMatch((shared) -> shared.keys.hasUntoldEnd());
		}
		finally {
			this.lock.unlock();
		}
	}

	private void recordToldEnd(Reach reach) {
		this.lock.lock();
		try {
			if (this.untold && !hasUntoldEnd()) {
				this.untold = false;
				this.ring.recordEnd(reach);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private Reach fail(Throwable ex) {
		if (!this.polls.isClosed()) {
			this.ring.recordFailure(ex);
			this.log.failed(ex);
		}
		return Reach.THIS_NODE;
	}

	@Override
	public Runnable subscribe(Consumer<List<TicketKey>> consumer) {
		return this.ring.subscribe(consumer);
	}

	@Override
	public Runnable onRemoteEnd(Runnable listener) {
		this.endListeners.add(listener);
		return () -> this.endListeners.remove(listener);
	}

	@Override
	public Reach invalidateAll() {
		this.lock.lock();
		try {
			String id = SealedRecords.randomId(this.options.random());
			remember(id);
			this.shared.forEach((shared) -> shared.keys.end(id));
			this.untold = true;
			end(this.clock.elapsedNanos());
			this.ring.recordEnd(Reach.THIS_NODE);
		}
		finally {
			this.lock.unlock();
		}
		try {
			return this.polls.submit().get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return Reach.THIS_NODE;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Reach.THIS_NODE;
		}
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("redis", this.options.pollInterval().plus(Polls.TIMEOUT.multipliedBy(2)));
	}

	/**
	 * Stops polling, and destroys the keys and the secrets.
	 */
	@Override
	public void close() {
		this.polls.close();
		this.ring.close();
		this.options.secrets().forEach(TicketSecret::destroy);
		this.messages.close();
	}

	Future<Reach> submitPoll() {
		return this.polls.submit();
	}

	boolean isListening() {
		return this.messages.isHeard();
	}

	TicketKeyRing ring() {
		return this.ring;
	}

	/**
	 * What nodes share with one secret.
	 *
	 * @param hash the hash in Redis
	 * @param keys what this node knows of it
	 */
	private record Shared(TicketKeyHash hash, SharedKeys keys) {
	}

}
