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

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/**
 * A monotonic clock that is cheaper than {@link System#nanoTime()}, for timeouts of
 * several seconds or more. One thread, the keeper, stores {@code nanoTime} every 50 ms. A
 * reading lags by up to 50 ms, plus the scheduling delay of this thread.
 * <p>
 * The keeper ends 10 to 20 seconds after the last reading, so that an undeployed
 * application can be garbage-collected. The next reading starts another keeper.
 * <p>
 * While {@code kept} is set, a keeper runs and {@code now} is up to date. Both fields are
 * written only under this object's lock, and {@code now} never decreases. A reading
 * checks {@code kept}, and then returns {@code now}. If the keeper ends between these two
 * steps, the result is at least as late as {@code now} at the check.
 */
public final class CoarseTicker implements LongSupplier {

	/**
	 * The ticker of this JVM.
	 */
	public static final CoarseTicker INSTANCE = new CoarseTicker(System::nanoTime, Duration.ofMillis(50),
			Duration.ofSeconds(10));

	private final LongSupplier clock;

	private final long tick;

	private final int ticksUntilIdle;

	private volatile long now;

	volatile boolean kept;

	/**
	 * Whether there was a reading since the keeper last checked this field.
	 */
	private volatile boolean used;

	CoarseTicker(LongSupplier clock, Duration tick, Duration idleAfter) {
		this.clock = clock;
		this.tick = tick.toNanos();
		this.ticksUntilIdle = Math.toIntExact(idleAfter.dividedBy(tick));
		this.now = clock.getAsLong();
	}

	@Override
	public long getAsLong() {
		if (!this.kept) {
			return wake();
		}
		if (!this.used) {
			this.used = true;
		}
		return this.now;
	}

	private synchronized long wake() {
		if (!this.kept) {
			advance();
			this.used = true;
			this.kept = startKeeper();
		}
		return this.now;
	}

	private boolean startKeeper() {
		try {
			Thread keeper = new Thread(null, this::keep, "uncontended-coarse-ticker", 0, false);
			keeper.setDaemon(true);
			// An inherited context class loader would keep its application in memory.
			keeper.setContextClassLoader(null);
			keeper.start();
			return true;
		}
		catch (OutOfMemoryError ex) {
			// The process is out of threads. Until a keeper starts, getAsLong()
			// reads the clock.
			return false;
		}
	}

	private void keep() {
		try {
			while (isNeeded()) {
				for (int i = 0; i < this.ticksUntilIdle; i++) {
					LockSupport.parkNanos(this, this.tick);
					// A pending interrupt would turn parking into a busy loop.
					Thread.interrupted();
					advance();
				}
			}
		}
		catch (Throwable ex) {
			// The next reading starts another keeper.
			synchronized (this) {
				this.kept = false;
			}
			throw ex;
		}
	}

	private synchronized void advance() {
		long time = this.clock.getAsLong();
		if (time - this.now > 0) {
			this.now = time;
		}
	}

	private synchronized boolean isNeeded() {
		this.kept = this.used;
		this.used = false;
		return this.kept;
	}

}
