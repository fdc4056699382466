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

package dev.uncontended.random.internal;

import java.lang.ref.WeakReference;
import java.security.AccessController;
import java.security.PrivilegedAction;
import java.time.Duration;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The daemon thread that {@linkplain StripedPool#endPeriod() ends the periods} of all
 * pools of this class loader.
 * <p>
 * The first refill of a pool adds the pool, and starts the thread. The thread removes a
 * pool that was not refilled for a period, and ends a second after it has removed the
 * last one. It refers to pools weakly, and has neither a context class loader nor the
 * access control context of the thread that started it, so it keeps no other class loader
 * in memory.
 * <p>
 * No failure ends the thread, because nothing else would wipe the pools. It allocates
 * nothing to wipe them: a full heap is when heap dumps are written.
 */
final class Wiper implements Consumer<StripedPool>, Runnable {

	/** Shorter intervals would keep a processor busy. */
	private static final long MIN_INTERVAL = Duration.ofMillis(1).toNanos();

	/**
	 * The longest sleep. Afterwards, the thread finds that pools are gone, although their
	 * interval has not passed.
	 */
	private static final long MAX_SLEEP = Duration.ofSeconds(1).toNanos();

	static final Wiper INSTANCE = new Wiper();

	/** Read by index, because an iterator could not be allocated in a full heap. */
	private final CopyOnWriteArrayList<Watch> watches = new CopyOnWriteArrayList<>();

	private final AtomicBoolean running = new AtomicBoolean();

	private volatile @Nullable Thread thread;

	private Wiper() {
	}

	/**
	 * Ends the periods of a pool, beginning an interval from now, until the pool is idle.
	 */
	@Override
	public void accept(StripedPool pool) {
		Watch watch = new Watch(pool);
		this.watches.add(watch);
		try {
			if (this.running.compareAndSet(false, true)) {
				start();
			}
			else {
				// The new pool may be due before the others.
				LockSupport.unpark(this.thread);
			}
		}
		catch (Throwable ex) {
			this.watches.remove(watch);
			throw ex;
		}
	}

	@SuppressWarnings("removal")
	private void start() {
		boolean started = false;
		try {
			// Before Java 24, a new thread refers to the protection domains of all
			// classes on the stack, and thus to their class loaders. A privileged action
			// hides its callers.
			AccessController.doPrivileged(new Start());
			started = true;
		}
		finally {
			if (!started) {
				this.running.set(false);
			}
		}
	}

	@Override
	public void run() {
		this.thread = Thread.currentThread();
		do {
			boolean idle;
			do {
				idle = this.watches.isEmpty();
				sleep(endPeriods());
			}
			while (!idle || !this.watches.isEmpty());
			this.running.set(false);
		}
		// Another thread may have added a pool while this thread was still running.
		while (!this.watches.isEmpty() && this.running.compareAndSet(false, true));
	}

	/**
	 * Ends all periods that are due.
	 * @return the nanoseconds until the next one is due, at most {@link #MAX_SLEEP}
	 */
	private long endPeriods() {
		long sleep = MAX_SLEEP;
		// Backwards, because a removal moves the watches that follow.
		for (int i = this.watches.size() - 1; i >= 0; i--) {
			try {
				sleep = Math.min(sleep, endPeriod(this.watches.get(i)));
			}
			catch (Throwable ex) {
				// Nothing may end the thread, which tries again when the next one is due.
				sleep = MIN_INTERVAL;
			}
		}
		return sleep;
	}

	private long endPeriod(Watch watch) {
		long left = watch.due - System.nanoTime();
		if (left > 0 && watch.get() != null) {
			return left;
		}
		watch.due = System.nanoTime() + watch.interval;
		if (!watch.endPeriod()) {
			this.watches.remove(watch);
		}
		return watch.interval;
	}

	private static void sleep(long nanos) {
		// An interrupted thread would not sleep.
		Thread.interrupted();
		LockSupport.parkNanos(nanos);
	}

	/** Starts the thread. A lambda would make the first draw of a JVM slower. */
	private static final class Start implements PrivilegedAction<@Nullable Void> {

		@Override
		public @Nullable Void run() {
			Thread thread = new Thread(null, INSTANCE, "uncontended-wiper", 0, false);
			thread.setDaemon(true);
			thread.setContextClassLoader(null);
			thread.start();
			return null;
		}

	}

	/** A pool whose periods the thread ends. */
	private static final class Watch extends WeakReference<StripedPool> {

		private final long interval;

		/**
		 * When the period ends. After the constructor, only the thread uses this field.
		 */
		private long due;

		Watch(StripedPool pool) {
			super(pool);
			this.interval = Math.max(MIN_INTERVAL, pool.reseedNanos());
			this.due = System.nanoTime() + this.interval;
		}

		boolean endPeriod() {
			StripedPool pool = get();
			return pool != null && pool.endPeriod();
		}

	}

}
