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
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import dev.uncontended.tls.redis.SharedKeys.Merge;
import dev.uncontended.tls.redis.SharedKeys.Question;
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

import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.task.SimpleAsyncTaskExecutor;
import org.springframework.core.task.SyncTaskExecutor;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.listener.ChannelTopic;
import org.springframework.data.redis.listener.RedisMessageListenerContainer;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * {@link TicketKeySource} of random keys that nodes share through Redis.
 * <p>
 * There is no leader and no lock. Every node reads the hash of its secret at each poll,
 * and the script that does so adds a key, offered by the node that comes first, whenever
 * none is waiting for its activation. So a key is known to all nodes a rotation before
 * the first of them uses it, and all use it from the same moment: Redis tells its time
 * with each answer, and a node counts on from there by its own monotonic clock. Clocks of
 * nodes may differ.
 * <p>
 * A node never waits for Redis. It starts with a random key of its own, and takes up the
 * shared ones when it first reads them. When Redis is down it goes on with the keys that
 * it knows; the ring activates them in time on a thread of its own, while the thread that
 * polls may hang. When Redis comes back without its data, the keys that nodes know go on
 * too, until the first new one, which is activated once every node has had the time to
 * read it.
 * <p>
 * {@link #invalidateAll()} starts a new generation of keys. The node forgets its keys at
 * once, and tells Redis at the next poll that works. A node that reads of a new
 * generation forgets all keys of before, its own included. A message on a channel makes
 * other nodes poll at once; without it they learn of the new generation at their next
 * poll.
 */
public final class RedisTicketKeySource implements TicketKeySource {

	private static final Log logger = LogFactory.getLog(RedisTicketKeySource.class);

	private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

	private final RedisTicketKeyOptions options;

	private final TicketClock clock;

	private final StringRedisTemplate redis;

	private final TicketKeyRing ring;

	/**
	 * Guards the two fields below, and that the ring gets what follows from them in
	 * order.
	 */
	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * One for each secret; those of the first encrypt.
	 */
	private final List<SharedKeys> sharedKeys;

	private ScheduledKey ownKey;

	private final ScheduledThreadPoolExecutor executor;

	private final AtomicBoolean pollRequested = new AtomicBoolean();

	private final RedisMessageListenerContainer listener;

	/**
	 * These four are used by the thread that polls alone.
	 */
	private boolean reached;

	private boolean failing;

	private int listeningAttempts;

	private int pollsUntilListening;

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
		this.redis = new StringRedisTemplate(connectionFactory);
		this.sharedKeys = options.secrets().stream().map(this::sharedKeys).toList();
		this.ownKey = generate(clock.elapsedNanos());
		List<ScheduledKey> first = List.of(this.ownKey);
		this.ring = new TicketKeyRing(clock, (keys, now) -> keys.isEmpty() ? first : keys);
		this.listener = listener(connectionFactory);
		CustomizableThreadFactory threads = new CustomizableThreadFactory("uncontended-ticket-keys-redis-");
		threads.setDaemon(true);
		this.executor = new ScheduledThreadPoolExecutor(1, threads);
		this.executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
		this.executor.scheduleWithFixedDelay(this::poll, 0, options.pollInterval().toMillis(), TimeUnit.MILLISECONDS);
	}

	private SharedKeys sharedKeys(TicketSecret secret) {
		return new SharedKeys(new TicketKeyHash(this.redis, this.options.keyPrefix(), secret, this.options.rotation(),
				this.options.lead(), this.options.random()), this.options.rotation().lifetime());
	}

	private RedisMessageListenerContainer listener(RedisConnectionFactory connectionFactory) {
		RedisMessageListenerContainer container = new RedisMessageListenerContainer();
		container.setBeanName("uncontended-ticket-keys-listener-");
		container.setConnectionFactory(connectionFactory);
		container.setTaskExecutor(new SyncTaskExecutor());
		// A driver that waits for messages does so on a thread of its own.
		SimpleAsyncTaskExecutor waiting = new SimpleAsyncTaskExecutor("uncontended-ticket-keys-listener-");
		waiting.setDaemon(true);
		container.setSubscriptionExecutor(waiting);
		container.addMessageListener((message, pattern) -> requestPoll(), new ChannelTopic(channel()));
		container.afterPropertiesSet();
		return container;
	}

	private String channel() {
		return this.options.keyPrefix() + ":changes";
	}

	private ScheduledKey generate(long activation) {
		return new ScheduledKey(TicketKey.generate(this.options.random()), activation, ScheduledKey.UNKNOWN);
	}

	void requestPoll() {
		if (this.pollRequested.compareAndSet(false, true)) {
			this.executor.execute(() -> {
				this.pollRequested.set(false);
				poll();
			});
		}
	}

	/**
	 * Exchanges what this node knows for what Redis knows.
	 * @return the nodes that know the same by then
	 */
	private Reach poll() {
		try {
			boolean end = false;
			boolean first = false;
			for (SharedKeys keys : this.sharedKeys) {
				Exchange exchange = exchange(keys);
				end |= exchange.end();
				first |= exchange.first();
			}
			this.reached = true;
			this.ring.recordSuccess();
			if (this.failing) {
				this.failing = false;
				logger.info("Redis has been reached again for the keys of TLS session tickets");
			}
			Reach reach = ((end || first) && announce()) ? Reach.ALL_NODES : Reach.ALL_NODES_WITHIN_POLL_INTERVAL;
			if (end) {
				this.ring.recordEnd(reach);
			}
			listen();
			return reach;
		}
		catch (RuntimeException | Error ex) {
			if (!this.executor.isShutdown()) {
				fail(ex);
			}
			return Reach.THIS_NODE;
		}
	}

	private void fail(Throwable ex) {
		this.ring.recordFailure(ex);
		if (!this.failing) {
			this.failing = true;
			logger.warn("Redis cannot be reached for the keys of TLS session tickets, those that are known go on: "
					+ NestedExceptionUtils.getMostSpecificCause(ex));
		}
	}

	/**
	 * Reads the keys of one secret, and renews them if it is the first one.
	 * @return what other nodes should know at once
	 */
	private Exchange exchange(SharedKeys keys) {
		Question question;
		Duration delay;
		this.lock.lock();
		try {
			question = keys.question();
			delay = keys.anyActivated(this.clock.elapsedNanos()) ? this.options.lead() : Duration.ZERO;
		}
		finally {
			this.lock.unlock();
		}
		Content content = (keys == this.sharedKeys.get(0)) ? keys.hash().readOrAdd(question, delay)
				: keys.hash().read(question);
		List<String> rejected = merge(keys, question, content);
		if (!rejected.isEmpty()) {
			logger.warn(rejected.size() + " entries in Redis were not keys of TLS session tickets and are removed");
			keys.hash().remove(rejected);
		}
		return new Exchange(question.end() != null, content.isCandidateActivated());
	}

	private List<String> merge(SharedKeys keys, Question question, Content content) {
		this.lock.lock();
		try {
			long now = this.clock.elapsedNanos();
			Merge merge = keys.merge(question, content, now);
			if (merge.ended()) {
				this.ownKey = generate(now);
				if (this.reached) {
					logger.info("Another node has ended all TLS sessions");
				}
			}
			updateRing(now);
			return merge.rejected();
		}
		finally {
			this.lock.unlock();
		}
	}

	/**
	 * The node's own key encrypts until a shared one does, and decrypts for a while after
	 * that. Keys of other secrets than the first decrypt only.
	 */
	private void updateRing(long now) {
		SharedKeys first = this.sharedKeys.get(0);
		if (first.anyActivated(now)) {
			this.ownKey = this.ownKey.expiringBy(now + this.options.rotation().lifetime().toNanos()).decryptingOnly();
		}
		else if (this.ownKey.activation() == ScheduledKey.NEVER) {
			this.ownKey = generate(now);
		}
		List<ScheduledKey> keys = new ArrayList<>(first.keys());
		this.sharedKeys.stream()
			.skip(1)
			.flatMap((others) -> others.keys().stream())
			.map(ScheduledKey::decryptingOnly)
			.forEach(keys::add);
		keys.add(this.ownKey);
		this.ring.update((ignored) -> keys);
	}

	/**
	 * Listens to other nodes, if that is possible. A container that cannot subscribe when
	 * it is started has to be started again; since it logs each failure, ever more polls
	 * go by between two attempts.
	 */
	private void listen() {
		if (this.listener.isRunning() || --this.pollsUntilListening > 0) {
			return;
		}
		try {
			this.listener.start();
			this.listeningAttempts = 0;
		}
		catch (RuntimeException ex) {
			this.listener.stop();
			logger.debug("No messages can be received from Redis", ex);
			this.pollsUntilListening = 1 << Math.min(this.listeningAttempts++, 10);
		}
	}

	boolean isListening() {
		return this.listener.isListening();
	}

	/**
	 * Tells other nodes to poll. Whether they listen is not known, since a Cluster counts
	 * the receivers of one server only; they can if this node can.
	 */
	private boolean announce() {
		try {
			this.redis.convertAndSend(channel(), "");
			return isListening();
		}
		catch (RuntimeException ex) {
			logger.debug("No message can be sent through Redis", ex);
			return false;
		}
	}

	@Override
	public Runnable subscribe(Consumer<List<TicketKey>> consumer) {
		return this.ring.subscribe(consumer);
	}

	@Override
	public Reach invalidateAll() {
		this.lock.lock();
		try {
			long now = this.clock.elapsedNanos();
			this.sharedKeys.forEach(SharedKeys::end);
			this.ownKey = generate(now);
			updateRing(now);
		}
		finally {
			this.lock.unlock();
		}
		this.ring.recordEnd(Reach.THIS_NODE);
		try {
			return submitPoll().get(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS);
		}
		catch (TimeoutException | ExecutionException ex) {
			return Reach.THIS_NODE;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return Reach.THIS_NODE;
		}
	}

	Future<Reach> submitPoll() {
		return this.executor.submit(this::poll);
	}

	@Override
	public TicketKeyStatus status() {
		return this.ring.status("redis");
	}

	@Override
	public void close() {
		this.executor.shutdownNow();
		this.ring.close();
		this.options.secrets().forEach(TicketSecret::destroy);
		try {
			this.listener.destroy();
		}
		catch (Exception ex) {
			logger.debug("The listener could not be closed", ex);
		}
	}

	TicketKeyRing ring() {
		return this.ring;
	}

	/**
	 * What has happened to the keys of one secret.
	 *
	 * @param end whether Redis has been told to end them
	 * @param first whether this node has brought the first of them
	 */
	private record Exchange(boolean end, boolean first) {
	}

}
