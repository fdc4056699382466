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

/**
 * A ticker whose time is updated by one thread, the keeper.
 * <p>
 * The keeper stores {@link System#nanoTime()} every {@link #TICK}. It ends 10 to 20
 * seconds after the last call of {@link #read}, so that an undeployed application can be
 * garbage-collected. The next call starts another keeper.
 * <p>
 * While {@code kept} is set, a keeper runs and {@code now} is up to date. Both fields are
 * written only under this object's lock, and {@code now} never decreases. {@link #read}
 * checks {@code kept}, and then returns {@code now}. If the keeper ends between these two
 * steps, the result is at least as late as {@code now} at the check.
 */
final class CoarseTicker implements Ticker {

	private static final Duration TICK = Duration.ofMillis(50);

	static final CoarseTicker INSTANCE = new CoarseTicker(System::nanoTime, TICK, Duration.ofSeconds(10));

	private final Ticker clock;

	private final long tick;

	private final int ticksUntilIdle;

	private volatile long now;

	private volatile boolean kept;

	/**
	 * Whether {@link #read} was called since the keeper last checked this field.
	 */
	private volatile boolean used;

	CoarseTicker(Ticker clock, Duration tick, Duration idleAfter) {
		this.clock = clock;
		this.tick = tick.toNanos();
		this.ticksUntilIdle = Math.toIntExact(idleAfter.dividedBy(tick));
		this.now = clock.read();
	}

	@Override
	public long read() {
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
			// The process is out of threads. Until a keeper starts, read() reads the
			// clock.
			return false;
		}
	}

	private void keep() {
		while (isNeeded()) {
			for (int i = 0; i < this.ticksUntilIdle; i++) {
				LockSupport.parkNanos(this, this.tick);
				// A pending interrupt would turn parking into a busy loop.
				Thread.interrupted();
				advance();
			}
		}
	}

	private synchronized void advance() {
		long time = this.clock.read();
		if (time - this.now > 0) {
			this.now = time;
		}
	}

	private synchronized boolean isNeeded() {
		this.kept = this.used;
		this.used = false;
		return this.kept;
	}

	boolean isKept() {
		return this.kept;
	}

}
