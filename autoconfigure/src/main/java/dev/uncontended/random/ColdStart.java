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
 * Serializes the first refills of a {@link StripedPool}: they take turns, and one refill
 * at a time has the turn. This leaves processors for the JIT compiler. Thread-safe.
 * <p>
 * Until the cipher of CTR_DRBG is compiled, a refill takes 200 times as long as
 * afterwards. Compiling the cipher takes 0.2 s, but several seconds if more threads than
 * processors are busy.
 * <p>
 * A refill runs without the turn if its wait for the turn times out. If no other refill
 * ended its turn during the wait, turns are disabled permanently, because the current
 * turn may never end: its refill may hang, or a {@link StackOverflowError} inside the
 * semaphore may have lost the permit. If another refill ended its turn during the wait,
 * the queue was long, and turns continue.
 */
final class ColdStart {

	/**
	 * The number of refills that count as a pool's first refills, divided equally among
	 * the stripes. Later refills take no turns. The cipher is compiled after about 3,000
	 * refills. The remaining refills leave time to compile the pool's callers.
	 */
	private static final int REFILLS = 1 << 15;

	/** Every eighth refill of a stripe is exempt: it takes no turn. */
	private static final int EXEMPT = 8;

	private static final Duration MAX_WAIT = Duration.ofMillis(100);

	private final int refills;

	private final long maxWait;

	private final Semaphore turn = new Semaphore(1);

	/**
	 * The number of ended turns. Only the thread that has the turn increments it, so the
	 * increment need not be atomic.
	 */
	private volatile int ended;

	private volatile boolean over;

	/**
	 * Creates an instance with the given limits.
	 * @param refills the number of first refills of each stripe, a multiple of
	 * {@link #EXEMPT}
	 */
	ColdStart(int refills, Duration maxWait) {
		this.refills = refills;
		this.maxWait = maxWait.toNanos();
	}

	static ColdStart of(int stripes) {
		return new ColdStart(REFILLS / stripes, MAX_WAIT);
	}

	static ColdStart none() {
		return new ColdStart(0, MAX_WAIT);
	}

	/**
	 * Waits for the turn, unless the refill is exempt or turns are over.
	 * @param refills the number of refills of the stripe so far
	 * @return {@code true} if the refill has the turn, which the calling thread must
	 * {@linkplain #endTurn() end}; {@code false} if the refill must run without the turn
	 */
	boolean takeTurn(long refills) {
		// Exempt refills run this branch before the JIT compiler compiles the method.
		// Without exempt refills, the branch would not run until the first refills are
		// over, and would then deoptimize the compiled code.
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

	void endTurn() {
		this.ended++;
		this.turn.release();
	}

}
