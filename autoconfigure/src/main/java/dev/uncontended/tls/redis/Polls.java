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
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Polls Redis periodically and on request. A poll runs a task that reads Redis. One
 * thread runs the task, and another thread waits for it until a timeout. The timeout is
 * therefore independent of the Redis driver's timeout.
 * <p>
 * If a poll times out, the task continues, and later polls wait for it.
 */
final class Polls implements AutoCloseable {

	/**
	 * The shortest time between two requested polls. This limit protects Redis from a
	 * client that publishes many messages to the channel.
	 */
	static final Duration SHORTEST_GAP = Duration.ofSeconds(1);

	/**
	 * How many times as long as other polls the first poll can take. It also connects to
	 * Redis, for which Lettuce by default takes up to 10 seconds.
	 */
	private static final int FIRST = 4;

	private final CustomizableThreadFactory threads = new CustomizableThreadFactory("uncontended-ticket-keys-redis-");

	private final ScheduledThreadPoolExecutor schedule;

	private volatile ThreadPoolExecutor worker;

	private final Duration timeout;

	private final Runnable task;

	private final Consumer<Throwable> failure;

	private final AtomicBoolean requested = new AtomicBoolean();

	private volatile long nextRequest = System.nanoTime();

	private volatile boolean running;

	private volatile boolean first = true;

	private volatile @Nullable Future<?> periodic;

	/**
	 * Creates the executors. {@code failure} is called with each exception and error of
	 * the task, and with a {@link TimeoutException} after each timeout.
	 */
	Polls(Duration timeout, Runnable task, Consumer<Throwable> failure) {
		this.timeout = timeout;
		this.task = task;
		this.failure = failure;
		this.threads.setDaemon(true);
		this.schedule = new ScheduledThreadPoolExecutor(1, this.threads, new ThreadPoolExecutor.DiscardPolicy());
		this.worker = createWorker();
	}

	private ThreadPoolExecutor createWorker() {
		return new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), this.threads);
	}

	void start(Duration interval) {
		this.running = true;
		this.first = true;
		this.periodic = this.schedule.scheduleWithFixedDelay(this::pollAndSurvive, 0, interval.toMillis(),
				TimeUnit.MILLISECONDS);
	}

	boolean isRunning() {
		return this.running;
	}

	/**
	 * Cancels the periodic polls, interrupts a running task, and then runs commands. Each
	 * command is interrupted after the timeout of a poll. Must be called before the
	 * connection factory stops, because the factory waits for a task that is connecting.
	 */
	void stop(Runnable... commands) {
		this.running = false;
		Future<?> periodic = this.periodic;
		this.periodic = null;
		if (periodic != null) {
			periodic.cancel(true);
		}
		interrupt();
		for (Runnable command : commands) {
			attempt(this.timeout, command);
			interrupt();
		}
	}

	private void interrupt() {
		this.worker.shutdownNow();
		this.worker = createWorker();
	}

	Future<?> submit() {
		return this.schedule.submit(this::poll);
	}

	/** Schedules a command to run after the current poll. */
	void execute(Runnable command) {
		this.schedule.execute(command);
	}

	/** Schedules a poll. */
	void schedule(Duration delay) {
		this.schedule.schedule(this::pollAndSurvive, delay.toNanos(), TimeUnit.NANOSECONDS);
	}

	/**
	 * Requests a poll. Has no effect if a requested poll has not started yet, or if polls
	 * stop before the requested one starts.
	 */
	void request() {
		if (this.requested.compareAndSet(false, true)) {
			this.schedule.schedule(() -> {
				this.nextRequest = System.nanoTime() + SHORTEST_GAP.toNanos();
				this.requested.set(false);
				if (this.running) {
					pollAndSurvive();
				}
			}, this.nextRequest - System.nanoTime(), TimeUnit.NANOSECONDS);
		}
	}

	private void pollAndSurvive() {
		try {
			poll();
		}
		catch (Throwable ex) {
			// The failure handler has thrown. Rethrowing would end the periodic polls.
		}
	}

	private void poll() {
		Duration timeout = this.first ? this.timeout.multipliedBy(FIRST) : this.timeout;
		this.first = false;
		Throwable failure = attempt(timeout, this.task);
		if (failure != null) {
			this.failure.accept(failure);
		}
	}

	/**
	 * Runs a command on the task's thread, and waits until the timeout.
	 * @return the failure, which may be a timeout; {@code null} if the command succeeded
	 */
	@Nullable Throwable attempt(Duration timeout, Runnable command) {
		FutureTask<?> call = new FutureTask<>(command, null);
		ThreadPoolExecutor worker = this.worker;
		try {
			worker.execute(call);
			call.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
			return null;
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (TimeoutException ex) {
			return new TimeoutException("No answer within " + timeout.toSeconds() + " s");
		}
		catch (InterruptedException ex) {
			call.cancel(true);
			Thread.currentThread().interrupt();
			return ex;
		}
		catch (RuntimeException | Error ex) {
			return ex;
		}
		finally {
			// Not interrupted: Lettuce would still open a connection, and nothing would
			// close it.
			call.cancel(false);
			worker.remove(call);
		}
	}

	@Override
	public void close() {
		this.running = false;
		this.schedule.shutdownNow();
		this.worker.shutdownNow();
	}

}
