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
package dev.uncontended.tls.tickets.internal;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;

import dev.uncontended.tls.Registration;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.DerivedTicketKeySource;
import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketKeyListener;
import dev.uncontended.tls.tickets.TicketKeyNodes;
import dev.uncontended.tls.tickets.TicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import org.jspecify.annotations.Nullable;

/**
 * Holds the keys of a {@link TicketKeySource} and publishes them to listeners. The ring's
 * own thread publishes changes on time, even while the source waits for storage such as
 * Redis. Thread-safe.
 * <p>
 * Of the {@linkplain ScheduledKey#isActivated activated} keys, the key with the latest
 * activation encrypts. It remains in use until another key is activated, even after its
 * expiry. All other keys decrypt until they expire. They decrypt even before their
 * activation, because another node may already encrypt with them.
 * <p>
 * This object's monitor guards all state. The ring holds the monitor while it calls
 * listeners, the {@link Schedule}, and the functions that change the keys. None of them
 * may block.
 */
public final class TicketKeyRing implements AutoCloseable {

	/**
	 * The maximum time between two updates of the keys, in nanoseconds.
	 * {@link DerivedTicketKeySource} notices a change of the wall clock within this time.
	 */
	private static final long LONGEST_WAIT = TimeUnit.MINUTES.toNanos(1);

	private static final long RETRY = TimeUnit.SECONDS.toNanos(1);

	private final TicketClock clock;

	private final Schedule schedule;

	private final ScheduledThreadPoolExecutor executor;

	private final List<Subscription> subscriptions = new CopyOnWriteArrayList<>();

	private List<ScheduledKey> keys = List.of();

	private List<TicketKey> published = List.of();

	private @Nullable TicketKey current;

	private Instant currentSince;

	private @Nullable Future<?> next;

	private long rotations;

	private long failures;

	private @Nullable Instant lastReached;

	private long reachedNanos;

	/**
	 * The source's last failure, until {@link #recordReached}.
	 */
	private @Nullable String lastFailure;

	/**
	 * The last failure of {@link #advance()} or a listener, until a retry succeeds.
	 */
	private @Nullable String updateFailure;

	private @Nullable Reach lastEnd;

	private boolean closed;

	/**
	 * Creates a ring, calls the schedule, and starts the ring's thread.
	 * @throws IllegalStateException if the schedule provides no activated key
	 */
	public TicketKeyRing(TicketClock clock, Schedule schedule) {
		this.clock = clock;
		this.schedule = schedule;
		this.currentSince = clock.wallTime();
		this.reachedNanos = clock.elapsedNanos();
		this.executor = createExecutor();
		try {
			update(UnaryOperator.identity());
			this.executor.scheduleWithFixedDelay(this::advanceAndSurvive, LONGEST_WAIT, LONGEST_WAIT,
					TimeUnit.NANOSECONDS);
		}
		catch (RuntimeException | Error ex) {
			close();
			throw ex;
		}
	}

	private static ScheduledThreadPoolExecutor createExecutor() {
		ScheduledThreadPoolExecutor executor = new ScheduledThreadPoolExecutor(1, (task) -> {
			Thread thread = new Thread(task, "uncontended-ticket-keys");
			thread.setDaemon(true);
			return thread;
		});
		executor.setRemoveOnCancelPolicy(true);
		return executor;
	}

	/**
	 * Adds a listener, as specified by {@link TicketKeySource#subscribe}.
	 */
	public synchronized Registration subscribe(TicketKeyListener listener) {
		if (this.closed) {
			throw new IllegalStateException("Failed to subscribe: the source of ticket keys has been closed");
		}
		listener.keysChanged(this.published);
		Subscription subscription = new Subscription(listener);
		this.subscriptions.add(subscription);
		return () -> remove(subscription);
	}

	private synchronized void remove(Subscription subscription) {
		this.subscriptions.remove(subscription);
	}

	/**
	 * Computes new keys: applies {@code change} to the current keys, and passes the
	 * result to the {@link Schedule}. If either throws an exception, the keys stay
	 * unchanged. Publishes the new keys if they differ from the current keys, and
	 * destroys the removed keys. Does nothing if the ring is closed.
	 */
	public synchronized void update(UnaryOperator<List<ScheduledKey>> change) {
		apply(change, false);
	}

	/**
	 * Changes the keys like {@link #update}, and ends all sessions: calls
	 * {@link TicketKeyListener#sessionsEnded()} before it publishes the new keys. If
	 * {@code change} or the {@link Schedule} throws an exception, the sessions stay
	 * valid.
	 */
	public synchronized void end(UnaryOperator<List<ScheduledKey>> change) {
		apply(change, true);
	}

	private void apply(UnaryOperator<List<ScheduledKey>> change, boolean end) {
		if (this.closed) {
			return;
		}
		long wait = RETRY;
		try {
			long now = this.clock.elapsedNanos();
			List<ScheduledKey> wanted = this.schedule.advance(change.apply(this.keys), now);
			ScheduledKey encrypting = wanted.stream()
				.filter((key) -> key.isActivated(now))
				.max(Comparator.comparingLong(ScheduledKey::activation))
				.orElseThrow(() -> new IllegalStateException("Failed to update the ticket keys: no key is activated"));
			List<ScheduledKey> living = wanted.stream()
				.filter((key) -> key == encrypting || key.expiry() > now)
				.toList();
			List<TicketKey> before = this.published;
			replace(living, encrypting, end);
			publish();
			before.stream().filter((key) -> !this.published.contains(key)).forEach(TicketKey::destroy);
			if (isCurrent()) {
				this.updateFailure = null;
				wait = untilNextChange(now);
			}
		}
		finally {
			wakeAfter(wait);
		}
	}

	private long untilNextChange(long now) {
		return this.keys.stream()
			.flatMapToLong((key) -> LongStream.of(key.activation(), key.expiry()))
			.filter((time) -> time > now)
			.map((time) -> time - now)
			.min()
			.orElse(Long.MAX_VALUE);
	}

	private void replace(List<ScheduledKey> living, ScheduledKey encrypting, boolean end) {
		// All objects are allocated before the first assignment to a field, so that an
		// OutOfMemoryError cannot leave a partial change.
		Set<TicketKey> ordered = new LinkedHashSet<>();
		ordered.add(encrypting.key());
		living.forEach((key) -> ordered.add(key.key()));
		List<TicketKey> keys = List.copyOf(ordered);
		Instant activation = this.clock.wallTimeAt(encrypting.activation());
		boolean changed = !keys.equals(this.published);
		for (Subscription subscription : this.subscriptions) {
			subscription.unended |= end;
			subscription.unpublished |= changed;
		}
		this.keys = living;
		this.published = keys;
		if (encrypting.key() != this.current) {
			this.rotations += (!end && isScheduled(living)) ? 1 : 0;
			this.current = encrypting.key();
			this.currentSince = activation;
		}
	}

	/**
	 * Returns whether the current key ends as scheduled. A source that starts to use
	 * shared keys uses its own key only to decrypt.
	 */
	private boolean isScheduled(List<ScheduledKey> living) {
		return this.current != null && living.stream()
			.noneMatch((key) -> key.key() == this.current && key.activation() == ScheduledKey.NEVER);
	}

	private void publish() {
		for (Subscription subscription : this.subscriptions) {
			attempt(subscription::publishEnd);
		}
		for (Subscription subscription : this.subscriptions) {
			attempt(() -> subscription.publish(this.published));
		}
	}

	private void attempt(Runnable call) {
		try {
			call.run();
		}
		catch (RuntimeException | Error ex) {
			this.updateFailure = count(ex);
		}
	}

	private void wakeAfter(long nanos) {
		if (this.next != null) {
			this.next.cancel(false);
		}
		if (nanos < LONGEST_WAIT) {
			this.next = this.executor.schedule(this::advance, nanos, TimeUnit.NANOSECONDS);
		}
	}

	/**
	 * Calls {@link #advance()} without throwing, because an executor stops repeating a
	 * task that has thrown.
	 */
	private void advanceAndSurvive() {
		try {
			advance();
		}
		catch (Error ex) {
			// Recording the failure has failed. The next run retries the update.
		}
	}

	/**
	 * Applies the {@link Schedule} at the current time. Records a failure instead of
	 * throwing it.
	 */
	public synchronized void advance() {
		try {
			update(UnaryOperator.identity());
		}
		catch (RuntimeException | Error ex) {
			this.updateFailure = count(ex);
		}
	}

	/**
	 * Records that the source has read the keys in shared storage.
	 * @param problem what is wrong with the shared storage, or {@code null}
	 */
	public synchronized void recordReached(@Nullable String problem) {
		this.lastReached = this.clock.wallTime();
		this.reachedNanos = this.clock.elapsedNanos();
		this.failures += (problem != null) ? 1 : 0;
		this.lastFailure = problem;
	}

	/**
	 * Records a failure of the source, which the status reports until
	 * {@link #recordReached}. Records only types of exceptions, because their messages
	 * may contain secrets.
	 */
	public synchronized void recordFailure(Throwable failure) {
		this.lastFailure = count(failure);
	}

	/**
	 * Records a failure like {@link #recordFailure(Throwable)}, with a description. After
	 * a later success, the failure is only counted.
	 * @param description what failed, without secrets
	 * @param time the time of the failure by {@link TicketClock#elapsedNanos()}
	 */
	public synchronized void recordFailure(String description, Throwable failure, long time) {
		String type = count(failure);
		if (time >= this.reachedNanos) {
			this.lastFailure = description + ": " + type;
		}
	}

	private String count(Throwable failure) {
		this.failures++;
		Throwable root = failure;
		while (root.getCause() != null) {
			root = root.getCause();
		}
		return failure.getClass().getName() + ((root == failure) ? "" : " caused by " + root.getClass().getName());
	}

	public synchronized void recordEnd(Reach reach) {
		this.lastEnd = reach;
	}

	/**
	 * Returns whether all listeners have been notified of all changes.
	 */
	public synchronized boolean isCurrent() {
		return this.subscriptions.stream().allMatch(Subscription::isCurrent);
	}

	/**
	 * Returns the state of the source that uses this ring.
	 * @param maximumAge {@link TicketKeyStatus#maximumAge()}, which is {@code null}
	 * without shared storage
	 * @param nodes {@link TicketKeyStatus#nodes()}, the same
	 */
	public synchronized TicketKeyStatus status(String source, @Nullable Duration maximumAge,
			@Nullable TicketKeyNodes nodes) {
		long now = this.clock.elapsedNanos();
		Instant nextRotation = this.keys.stream()
			.map(ScheduledKey::activation)
			.filter((activation) -> activation > now)
			.min(Comparator.naturalOrder())
			.map(this.clock::wallTimeAt)
			.orElse(null);
		Duration age = (maximumAge != null) ? Duration.ofNanos(now - this.reachedNanos) : null;
		return new Status(source, this.published.size(), this.rotations, this.failures, this.currentSince, nextRotation,
				this.lastReached, age, maximumAge, (this.lastFailure != null) ? this.lastFailure : this.updateFailure,
				this.lastEnd, nodes);
	}

	/**
	 * Stops the thread, removes the listeners without notifying them, and destroys the
	 * keys.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		this.executor.shutdownNow();
		this.subscriptions.clear();
		this.published.forEach(TicketKey::destroy);
		this.keys = List.of();
		this.published = List.of();
	}

	/**
	 * A listener, and what it must still be notified of. The ring's monitor guards it.
	 */
	private static final class Subscription {

		private final TicketKeyListener listener;

		private boolean unended;

		private boolean unpublished;

		Subscription(TicketKeyListener listener) {
			this.listener = listener;
		}

		boolean isCurrent() {
			return !this.unended && !this.unpublished;
		}

		void publishEnd() {
			if (this.unended) {
				this.listener.sessionsEnded();
				this.unended = false;
			}
		}

		void publish(List<TicketKey> keys) {
			if (this.unpublished && !this.unended) {
				this.listener.keysChanged(keys);
				this.unpublished = false;
			}
		}

	}

	record Status(String source, int keys, long rotations, long failures, Instant currentSince,
			@Nullable Instant nextRotation, @Nullable Instant lastReached, @Nullable Duration age,
			@Nullable Duration maximumAge, @Nullable String lastFailure, @Nullable Reach lastEnd,
			@Nullable TicketKeyNodes nodes) implements TicketKeyStatus {
	}

	/**
	 * Determines the keys of a ring and their times.
	 */
	@FunctionalInterface
	public interface Schedule {

		/**
		 * Returns the new keys of the ring, including keys that are not activated yet.
		 * The ring removes expired keys from the result. At least one key must be
		 * activated.
		 * @param keys the current keys, after the {@code change} of
		 * {@link TicketKeyRing#update} or {@link TicketKeyRing#end}
		 * @param now the current time of {@link TicketClock#elapsedNanos()}
		 */
		List<ScheduledKey> advance(List<ScheduledKey> keys, long now);

	}

}
