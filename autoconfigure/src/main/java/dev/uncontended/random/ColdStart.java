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
 * Serializes the first refills of a {@link StripedPool}, which leaves a processor for the
 * JIT compiler. Until the cipher is compiled, a refill takes two hundred times as long.
 * Compiling the cipher takes 0.2 s, but several seconds if more threads than processors
 * are busy. Thread-safe.
 * <p>
 * A refill waits for its turn for a limited time, and after a timeout runs without a
 * turn. If no turn has ended during the wait, turns are disabled permanently: a refill
 * may hang, or a {@link StackOverflowError} inside the semaphore may have lost the
 * permit. If a turn has ended, the queue was only long.
 */
final class ColdStart {

	/**
	 * The number of a pool's refills, over all stripes, after which no more turns are
	 * taken. The cipher is compiled after about 3,000 refills, but the compiler must also
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
	 * @param refills the number of refills of a stripe after which it takes no more
	 * turns, a multiple of 8
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
	 * Waits for a turn unless the refill is exempt.
	 * @param refills the number of refills of the stripe so far
	 * @return {@code true} if the refill has a turn, which its thread must
	 * {@linkplain #endTurn() end}
	 */
	boolean takeTurn(long refills) {
		// Due to the exempt refills, both branches run before the refill is compiled.
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
