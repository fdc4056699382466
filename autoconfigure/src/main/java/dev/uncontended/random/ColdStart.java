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

package dev.uncontended.random;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Serializes a pool's first refills, which leaves a processor for the JIT compiler. Until
 * the cipher is compiled, a refill takes two hundred times as long. Alone on a processor
 * the compiler needs a fifth of a second for it; next to more busy threads than there are
 * processors, several seconds. Thread-safe.
 * <p>
 * Turns only help, so nothing depends on the end of one: a refill may hang, and a
 * {@link StackOverflowError} inside of the semaphore may lose the permit. A wait in which
 * no turn ends therefore ends the turns for good. Other waits may time out: 300 threads
 * queue for longer.
 */
final class ColdStart {

	/**
	 * How many refills take turns. After about 3,000 the cipher is compiled, but the
	 * pool's callers need the compiler as well.
	 */
	private static final int REFILLS = 1 << 15;

	/** Every eighth refill takes no turn. */
	private static final int EXEMPT = 8;

	private static final Duration MAX_WAIT = Duration.ofMillis(100);

	private final int refills;

	private final long maxWait;

	private final Semaphore turn = new Semaphore(1);

	/** The turns that have ended. Written by the thread that has the turn. */
	private volatile int ended;

	private volatile boolean over;

	/**
	 * Creates turns.
	 * @param refills how many refills of a stripe take turns, a multiple of 8
	 * @param maxWait the longest wait for a turn
	 */
	ColdStart(int refills, Duration maxWait) {
		this.refills = refills;
		this.maxWait = maxWait.toNanos();
	}

	/**
	 * Creates the turns of a pool.
	 * @param stripes the number of its stripes, a power of two
	 */
	static ColdStart of(int stripes) {
		return new ColdStart(REFILLS / stripes, MAX_WAIT);
	}

	/**
	 * Creates no turns, for a pool that refills as if the JVM were warm.
	 */
	static ColdStart none() {
		return new ColdStart(0, MAX_WAIT);
	}

	/**
	 * Waits for a turn, if the refill needs one.
	 * @param refills the refills of the stripe so far
	 * @return whether the refill has a turn, which its thread must {@linkplain #endTurn()
	 * end}
	 */
	boolean takeTurn(long refills) {
		// Some refills are exempt from the start, so that the compiler has seen both
		// branches when no refill takes turns any longer. It would deoptimize.
		if (Math.min(refills, this.refills) % EXEMPT == 0 || this.over) {
			return false;
		}
		int ended = this.ended;
		try {
			if (this.turn.tryAcquire(this.maxWait, TimeUnit.NANOSECONDS)) {
				return true;
			}
			if (this.ended == ended) {
				this.over = true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		return false;
	}

	/**
	 * Ends the turn of the current thread.
	 */
	void endTurn() {
		this.ended++;
		this.turn.release();
	}

}
