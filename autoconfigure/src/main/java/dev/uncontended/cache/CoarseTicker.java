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

package dev.uncontended.cache;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * A clock that one thread reads and all others look at.
 * <p>
 * The keeper thread stores {@link System#nanoTime()} into {@code now} every
 * {@link #TICK}. It must not tick when no thread looks, and a stopped clock must not be
 * believed. Both hang on {@code inUse}: a reader trusts {@code now} only while
 * {@code inUse} is set, the keeper clears it every {@link #IDLE_AFTER} and the next
 * reader sets it again, having brought {@code now} up to date itself. A keeper that finds
 * it still clear one period later has no readers left and ends.
 * <ul>
 * <li>{@code inUse} set means that {@code now} was up to date when it was set (it is
 * stored with release after {@code now} and read with acquire before it) and that a
 * keeper runs: the reader that sets it makes sure of that, and a keeper that is about to
 * end first gives up {@code kept} and then looks at {@code inUse} once more. Both
 * accesses are volatile, so of a reader that sets and a keeper that leaves at least one
 * sees the other.</li>
 * <li>{@code now} never goes back: several threads may store it, each by compare-and-set
 * and only forwards.</li>
 * </ul>
 * The keeper ends instead of parking so that nothing is left of it, a class loader
 * included, when the last cache of an undeployed application has gone quiet.
 */
final class CoarseTicker implements Ticker {

	static final CoarseTicker INSTANCE = new CoarseTicker(System::nanoTime, Duration.ofMillis(50),
			Duration.ofSeconds(10));

	private static final VarHandle NOW;

	private static final VarHandle IN_USE;

	static {
		try {
			MethodHandles.Lookup lookup = MethodHandles.lookup();
			NOW = lookup.findVarHandle(CoarseTicker.class, "now", long.class);
			IN_USE = lookup.findVarHandle(CoarseTicker.class, "inUse", boolean.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final Ticker clock;

	private final long tick;

	private final int ticksUntilIdle;

	private final AtomicBoolean kept = new AtomicBoolean();

	private volatile long now;

	private volatile boolean inUse;

	CoarseTicker(Ticker clock, Duration tick, Duration idleAfter) {
		this.clock = clock;
		this.tick = tick.toNanos();
		this.ticksUntilIdle = Math.toIntExact(idleAfter.dividedBy(tick));
		this.now = clock.read();
	}

	@Override
	public long read() {
		return ((boolean) IN_USE.getAcquire(this)) ? (long) NOW.getOpaque(this) : wake();
	}

	private long wake() {
		long time = advance();
		this.inUse = true;
		if (this.kept.compareAndSet(false, true) && !startKeeper()) {
			this.inUse = false;
			this.kept.set(false);
		}
		return time;
	}

	private long advance() {
		long time = this.clock.read();
		long seen = this.now;
		while (time - seen > 0) {
			if (NOW.compareAndSet(this, seen, time)) {
				return time;
			}
			seen = this.now;
		}
		return seen;
	}

	private boolean startKeeper() {
		try {
			Thread keeper = new Thread(null, this::keep, "uncontended-coarse-ticker", 0, false);
			keeper.setDaemon(true);
			// Inherited from the thread that happens to read first, it would
			// outlive its application.
			keeper.setContextClassLoader(null);
			keeper.start();
			return true;
		}
		catch (OutOfMemoryError ex) {
			// The process has no thread left to give; each reader reads the clock itself.
			return false;
		}
	}

	private void keep() {
		do {
			do {
				for (int i = 0; i < this.ticksUntilIdle; i++) {
					LockSupport.parkNanos(this, this.tick);
					// Left set, an interrupt would turn waiting into spinning.
					Thread.interrupted();
					advance();
				}
			}
			while ((boolean) IN_USE.getAndSet(this, false));
			this.kept.set(false);
		}
		while (this.inUse && this.kept.compareAndSet(false, true));
	}

	/**
	 * Returns whether a keeper thread runs.
	 */
	boolean isKept() {
		return this.kept.get();
	}

}
