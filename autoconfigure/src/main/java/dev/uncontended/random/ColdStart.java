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
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets the first refills of a pool take turns, so that the JVM's compiler gets a
 * processor. Until the cipher is compiled, a refill takes two hundred times as long.
 * Alone on a processor the compiler needs a fifth of a second for it; beside more busy
 * threads than there are processors, several seconds. Thread-safe.
 */
final class ColdStart {

	/**
	 * How many refills take turns. After some 3,000 the cipher is compiled, but what
	 * draws from the pool needs the compiler as well.
	 */
	private static final int REFILLS = 1 << 15;

	/** One refill of so many takes no turn. */
	private static final int EXEMPT = 8;

	private static final Duration MAX_WAIT = Duration.ofMillis(100);

	private final int refills;

	private final long maxWait;

	private final Lock turn = new ReentrantLock();

	/**
	 * Makes turns.
	 * @param refills how many refills of a stripe take turns, a multiple of 8
	 * @param maxWait the longest wait for a turn, because the refill before may be stuck
	 */
	ColdStart(int refills, Duration maxWait) {
		this.refills = refills;
		this.maxWait = maxWait.toNanos();
	}

	/**
	 * Makes the turns of a pool.
	 * @param stripes the number of its stripes, a power of two
	 */
	static ColdStart of(int stripes) {
		return new ColdStart(REFILLS / stripes, MAX_WAIT);
	}

	/**
	 * Makes none, for a pool that refills as if the JVM were warm.
	 */
	static ColdStart none() {
		return new ColdStart(0, MAX_WAIT);
	}

	/**
	 * Waits for a turn, if the refill needs one.
	 * @param refills the refills of the stripe so far
	 * @return whether the refill has a turn, which it is to {@linkplain #endTurn() end}
	 */
	boolean takeTurn(long refills) {
		// Some refills are exempt from the start, so that the compiler has seen both ways
		// when no refill takes turns any longer. It would throw away what it has made.
		if (Math.min(refills, this.refills) % EXEMPT == 0) {
			return false;
		}
		try {
			return this.turn.tryLock(this.maxWait, TimeUnit.NANOSECONDS);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
			return false;
		}
	}

	/**
	 * Ends the turn of the current thread.
	 */
	void endTurn() {
		this.turn.unlock();
	}

}
