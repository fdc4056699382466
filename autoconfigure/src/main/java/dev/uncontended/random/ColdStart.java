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
 * Serializes a pool's first refills, which leaves a processor for the JIT compiler. A
 * refill waits for its turn for a limited time, unless the refill is exempt. Until the
 * cipher is compiled, a refill takes two hundred times as long. The compiler needs 0.2 s
 * for the cipher if it has a processor, and several seconds if more threads than
 * processors are busy. Thread-safe.
 * <p>
 * Turns are only an optimization: the pool works even if a turn never ends. A refill may
 * hang, and a {@link StackOverflowError} inside the semaphore may lose the permit. A
 * refill whose wait times out runs without a turn. If no turn has ended during the wait,
 * turns are disabled permanently. Otherwise, the queue was only long: in a queue of 300
 * threads, the wait exceeds the maximum.
 */
final class ColdStart {

	/**
	 * The number of refills of a pool, over all stripes, during which turns are taken.
	 * The cipher is compiled after about 3,000 refills, but the compiler must also
	 * compile the pool's callers.
	 */
	private static final int REFILLS = 1 << 15;

	/** Every eighth refill takes no turn. */
	private static final int EXEMPT = 8;

	private static final Duration MAX_WAIT = Duration.ofMillis(100);

	private final int refills;

	private final long maxWait;

	private final Semaphore turn = new Semaphore(1);

	/** The number of ended turns. Only the thread that has the turn writes it. */
	private volatile int ended;

	private volatile boolean over;

	/**
	 * Creates turns.
	 * @param refills the number of first refills of a stripe during which turns are
	 * taken, a multiple of 8
	 * @param maxWait the longest wait for a turn
	 */
	ColdStart(int refills, Duration maxWait) {
		this.refills = refills;
		this.maxWait = maxWait.toNanos();
	}

	/**
	 * Creates the turns of a pool.
	 * @param stripes the number of stripes, a power of two
	 */
	static ColdStart of(int stripes) {
		return new ColdStart(REFILLS / stripes, MAX_WAIT);
	}

	static ColdStart none() {
		return new ColdStart(0, MAX_WAIT);
	}

	/**
	 * Waits for a turn if the refill needs one.
	 * @param refills the number of refills of the stripe so far
	 * @return {@code true} if the refill has a turn, which its thread must
	 * {@linkplain #endTurn() end}
	 */
	boolean takeTurn(long refills) {
		// Some refills take no turn, so both branches run before the refill is compiled.
		// Otherwise, the end of the turns would deoptimize the compiled refill.
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
