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

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketFleet.Clock;
import dev.uncontended.tls.tickets.TicketFleet.Replica;
import org.jspecify.annotations.Nullable;

/**
 * The keys that encrypt TLS session tickets. At each rotation, a new key starts to
 * encrypt. The previous key then only decrypts, until its
 * {@linkplain TicketKeyRotation#lifetime() lifetime} ends.
 * <p>
 * Keys are derived from seeds and the wall clock. With shared storage, nodes exchange the
 * seeds of future keys, and the ends of all sessions, every poll interval. While the
 * storage fails, handshakes continue, and the keys of all nodes rotate in agreement.
 * <p>
 * Thread-safe. Only {@link #start()}, {@link #close()} and {@link #endAll()} wait for the
 * shared storage, for a limited time. Instances must be started and closed.
 */
public final class TicketKeys implements AutoCloseable {

	/**
	 * The maximum time between two reads of shared storage. Within a minute, each node
	 * then reports several times, so that a node knows all running nodes after a minute.
	 */
	public static final Duration MAXIMUM_POLL_INTERVAL = TicketFleet.VALIDITY.dividedBy(3);

	private static final Logger logger = System.getLogger(TicketKeys.class.getName());

	private static final Duration LONGEST_START = Duration.ofSeconds(3);

	private static final Duration LONGEST_STOP = Duration.ofSeconds(1);

	private static final Duration LONGEST_END = Duration.ofSeconds(15);

	/** The time between two looks at the clock without shared storage. */
	static final Duration LOCAL_INTERVAL = Duration.ofMinutes(1);

	/** The milliseconds between two syncs while an end waits for other nodes. */
	private static final long PAUSE = 250;

	private final String source;

	/** States derived from secrets, which apply until the first end of all sessions. */
	private final List<TicketState> derived;

	private final Duration pollInterval;

	private final TicketFleet fleet;

	private final TicketRing ring;

	private final List<Runnable> endListeners = new CopyOnWriteArrayList<>();

	/** Runs the syncs; {@code null} if stopped. */
	private volatile @Nullable ScheduledThreadPoolExecutor executor;

	private volatile boolean stopping;

	/** Whether the listeners must still be notified of another node's end. */
	private volatile boolean unreported;

	// The fleet's monitor guards the changes of the ring and the following fields.

	private long failures;

	private @Nullable String failure;

	/** The highest generation, which this node has been configured with or warned of. */
	private int generation;

	/** Whether the failure makes this node DOWN at once, and not only by its age. */
	private boolean down;

	/**
	 * Creates keys of any source.
	 * @param replicas the copies of the keys in shared storage, none without storage
	 */
	TicketKeys(String source, List<TicketState> derived, List<Replica> replicas, int generation, Duration pollInterval,
			TicketKeyRotation rotation, SecureRandom random, Clock clock) {
		this.source = source;
		this.generation = generation;
		this.derived = derived;
		this.pollInterval = Collections.min(List.of(pollInterval, rotation.interval()));
		this.fleet = new TicketFleet(replicas, generation, rotation, this.pollInterval, random, clock);
		this.ring = new TicketRing(rotation, random, clock, states());
	}

	/**
	 * Creates random keys of this process, which are lost on a restart.
	 * @param rotation how long a key encrypts and decrypts
	 * @param random the generator of keys
	 * @return the keys
	 */
	public static TicketKeys local(TicketKeyRotation rotation, SecureRandom random) {
		return new TicketKeys("local", List.of(), List.of(), 0, LOCAL_INTERVAL, rotation, random, Clock.SYSTEM);
	}

	/**
	 * Creates keys that are derived from secrets. Nodes with the same secrets, generation
	 * and rotation interval derive the same keys. After {@link #endAll()}, this node uses
	 * random keys until it restarts, and shares none. To end the sessions of all nodes,
	 * configure another generation on all nodes.
	 * @param secrets the secrets, at least one. The keys of the first secret encrypt, and
	 * the keys of all secrets decrypt
	 * @param generation the generation. Each has keys of its own
	 * @param rotation how long a key encrypts and decrypts
	 * @param random the generator of keys after {@link #endAll()}
	 * @return the keys
	 */
	public static TicketKeys derived(List<TicketSecret> secrets, int generation, TicketKeyRotation rotation,
			SecureRandom random) {
		return new TicketKeys("secret", derive(secrets, generation), List.of(), 0, LOCAL_INTERVAL, rotation, random,
				Clock.SYSTEM);
	}

	static List<TicketState> derive(List<TicketSecret> secrets, int generation) {
		return map(secrets, (secret) -> TicketState.of(secret.derive("seed, generation " + generation, 32)));
	}

	/**
	 * Creates random keys that nodes with a common secret share through storage.
	 * @param store the shared storage
	 * @param keyPrefix the prefix of the names in the storage
	 * @param pollInterval the time between two reads of the storage, the same on all
	 * nodes, at most {@link #MAXIMUM_POLL_INTERVAL} and half the
	 * {@linkplain TicketKeyRotation#interval() rotation interval}
	 * @param secrets the secrets, at least one. Each protects a copy of the seeds in the
	 * storage
	 * @param generation the generation. The first node of a higher generation ends all
	 * sessions
	 * @param rotation how long a key encrypts and decrypts, the same on all nodes
	 * @param random the generator of keys, ids and nonces
	 * @return the keys
	 * @throws IllegalArgumentException if the poll interval is too long, or less than 1
	 * millisecond
	 */
	public static TicketKeys shared(TicketStore store, String keyPrefix, Duration pollInterval,
			List<TicketSecret> secrets, int generation, TicketKeyRotation rotation, SecureRandom random) {
		if (pollInterval.compareTo(Duration.ofMillis(1)) < 0 || pollInterval.compareTo(MAXIMUM_POLL_INTERVAL) > 0
				|| pollInterval.compareTo(rotation.interval().dividedBy(2)) > 0) {
			throw new IllegalArgumentException("pollInterval must be from 1ms to " + MAXIMUM_POLL_INTERVAL.toSeconds()
					+ "s and at most half the rotation interval " + rotation.interval() + ", but was " + pollInterval);
		}
		return new TicketKeys("redis", List.of(), replicate(store, keyPrefix, secrets, random), generation,
				pollInterval, rotation, random, Clock.SYSTEM);
	}

	static List<Replica> replicate(TicketStore store, String keyPrefix, List<TicketSecret> secrets,
			SecureRandom random) {
		return map(secrets, (secret) -> new Replica(store, new TicketSeal(secret, keyPrefix, random)));
	}

	private static <T> List<T> map(List<TicketSecret> secrets, Function<TicketSecret, T> function) {
		if (secrets.isEmpty()) {
			throw new IllegalArgumentException("secrets must not be empty");
		}
		return secrets.stream().map(function).toList();
	}

	/**
	 * Starts to rotate the keys and to read shared storage, and waits for the first read,
	 * for at most three seconds. Has no effect if already started.
	 */
	public void start() {
		if (!isRunning()) {
			this.stopping = false;
			ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
				Thread thread = new Thread(task, "uncontended-ticket-keys");
				thread.setDaemon(true);
				return thread;
			}, new ThreadPoolExecutor.DiscardPolicy());
			this.executor = executor;
			executor.execute(this.fleet::start);
			Future<?> first = executor.submit(this::sync);
			long poll = this.pollInterval.toMillis();
			executor.scheduleWithFixedDelay(this::sync, poll, poll, TimeUnit.MILLISECONDS);
			await(first, LONGEST_START);
		}
	}

	/**
	 * Reports to the other nodes that this node stops, and no longer reads shared
	 * storage. The known keys still rotate. Can be started again.
	 */
	@Override
	public void close() {
		ScheduledThreadPoolExecutor executor = this.executor;
		this.executor = null;
		if (executor != null) {
			this.stopping = true;
			Future<?> last = executor.submit(this.fleet::leave);
			executor.shutdown();
			await(last, LONGEST_STOP);
			executor.shutdownNow();
		}
	}

	/**
	 * Returns whether these keys are started.
	 * @return {@code true} after {@link #start()}, until {@link #close()}
	 */
	public boolean isRunning() {
		return this.executor != null;
	}

	/** Waits for a task, and cancels it if it has not ended in time. */
	private static boolean await(Future<?> task, Duration timeout) {
		try {
			task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
			return true;
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
		catch (ExecutionException | TimeoutException ex) {
			task.cancel(false);
			return false;
		}
	}

	private List<TicketState> states() {
		TicketState state = this.fleet.state();
		return (state.ends().isEmpty() && !this.derived.isEmpty()) ? this.derived : List.of(state);
	}

	TicketRing ring() {
		return this.ring;
	}

	void sync() {
		try {
			RuntimeException refused = this.fleet.sync(this::apply);
			Throwable failure = this.ring.failure();
			if (failure != null) {
				record("Failed to set the keys of a TLS context", failure, true);
			}
			else {
				record((refused != null) ? this.source + " refuses writes" : this.fleet.problem(), refused, true);
			}
		}
		catch (RuntimeException | Error ex) {
			if (!this.stopping) {
				record("Failed to exchange keys with " + this.source, ex, false);
			}
		}
	}

	/**
	 * Records the problem of a sync, or that there was none, and logs it if it is news.
	 * The status and the log contain only the types of exceptions, because messages may
	 * contain secrets: Redis repeats the arguments of a command that it does not know.
	 */
	private void record(@Nullable String problem, @Nullable Throwable cause, boolean down) {
		Throwable root = cause;
		while (root != null && root.getCause() != null) {
			root = root.getCause();
		}
		String failure = (root != null) ? problem + ": " + root.getClass().getName() : problem;
		synchronized (this.fleet) {
			if (failure != null && !failure.equals(this.failure)) {
				logger.log(Level.WARNING, failure + "; continuing with the known TLS ticket keys");
			}
			else if (failure == null && this.failure != null) {
				logger.log(Level.INFO, "Exchanging TLS ticket keys with " + this.source + " again");
			}
			this.failures += (failure != null) ? 1 : 0;
			this.failure = failure;
			this.down = failure != null && down;
		}
	}

	/**
	 * Applies the state of the fleet, and notifies listeners if another node has ended
	 * all sessions. Called by syncs.
	 */
	private void apply() {
		int followed;
		boolean higher;
		synchronized (this.fleet) {
			this.unreported |= this.ring.use(states());
			followed = this.fleet.state().generation();
			higher = followed > this.generation;
			this.generation = Math.max(this.generation, followed);
		}
		if (higher) {
			logger.log(Level.WARNING, "Following another node to the generation " + followed
					+ " of TLS ticket keys. Configure the same generation on all nodes.");
		}
		if (this.unreported) {
			logger.log(Level.INFO, "Ending all TLS sessions, requested by another node or a higher generation");
			try {
				this.endListeners.forEach(Runnable::run);
				this.unreported = false;
			}
			catch (RuntimeException | Error ex) {
				logger.log(Level.WARNING, "Failed to end the TLS sessions of a server, requested by another node", ex);
			}
		}
		synchronized (this.fleet) {
			if (!this.unreported && this.ring.failure() == null) {
				this.fleet.apply();
			}
		}
	}

	/**
	 * Adds a listener that runs after another node has ended all sessions and this node
	 * has replaced its keys. If a listener throws an exception, this node does not
	 * confirm the end, and runs the listeners again after the next read.
	 * @param listener the listener, which delays the next read if it blocks
	 * @return removes the listener
	 */
	public Runnable onRemoteEnd(Runnable listener) {
		this.endListeners.add(listener);
		return () -> this.endListeners.remove(listener);
	}

	/**
	 * Connects a TLS context, which receives the current keys before this method returns.
	 * @param ends the value of {@link #ends()} when the context was created. After a
	 * later end, the context receives a random key that no other context has
	 * @param context receives the keys, of which the first encrypts and all decrypt. It
	 * must copy them during the call and must not block
	 * @return the connection of the context
	 */
	public Connection connect(long ends, Consumer<List<TicketKey>> context) {
		return this.ring.connect(ends, context);
	}

	/**
	 * Returns the number of ends of all sessions that this node has applied.
	 * @return the number of ends
	 */
	public long ends() {
		return this.ring.ends();
	}

	/**
	 * Ends all sessions: replaces all keys, so that existing tickets cannot be decrypted.
	 * With shared storage, waits until all known nodes have confirmed, at most for the
	 * poll interval and 3 seconds, or for 15 seconds.
	 * @return the nodes whose sessions have ended
	 */
	public Reach endAll() {
		synchronized (this.fleet) {
			this.fleet.end();
			this.ring.use(states());
		}
		if (!this.derived.isEmpty()) {
			logger.log(Level.WARNING, "This node shares no TLS ticket keys until it restarts, because its sessions"
					+ " have been ended. Raise the generation on all nodes.");
		}
		awaitConfirmations();
		return this.fleet.reach();
	}

	private void awaitConfirmations() {
		long deadline = System.nanoTime()
				+ Collections.min(List.of(this.pollInterval.plusSeconds(3), LONGEST_END)).toNanos();
		ScheduledThreadPoolExecutor executor = this.executor;
		boolean waiting = this.fleet.isShared();
		for (long pause = 0; executor != null && waiting; pause = PAUSE) {
			Future<?> sync = executor.schedule(this::sync, pause, TimeUnit.MILLISECONDS);
			waiting = await(sync, Duration.ofNanos(deadline - System.nanoTime())) && !this.fleet.isConfirmed();
		}
	}

	/**
	 * Returns the current state of these keys.
	 * @return the state, which contains no secrets
	 */
	public TicketKeyStatus status() {
		synchronized (this.fleet) {
			TicketRing.Status keys = this.ring.status();
			boolean shared = this.fleet.isShared();
			boolean ended = !this.fleet.state().ends().isEmpty();
			Duration age = this.fleet.age();
			Duration maximumAge = this.fleet.maximumAge();
			boolean up = !this.down && this.ring.failure() == null && age.compareTo(maximumAge) <= 0;
			return new TicketKeyStatus(this.source, keys.keys(), keys.rotations(), this.failures, keys.nextRotation(),
					shared ? age : null, shared ? maximumAge : null, this.failure, ended ? this.fleet.reach() : null,
					shared ? this.fleet.nodes() : null, up);
		}
	}

	/** The connection of a TLS context to the keys. */
	public interface Connection {

		/**
		 * Gives the context the current keys, if it does not have them. Must be called
		 * before a new connection uses the context. Never throws: a context that fails is
		 * retried.
		 */
		void refresh();

		/** Disconnects the context. */
		void remove();

	}

}
