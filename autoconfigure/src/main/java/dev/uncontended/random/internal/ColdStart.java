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

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Serializes the first refills of a {@link StripedPool}. This leaves processors for the
 * JIT compiler: refills become about 200 times as fast when the cipher of CTR_DRBG is
 * compiled. Thread-safe.
 * <p>
 * One refill at a time has the turn. If a refill waits too long for the turn, the refill
 * with the turn may hang, and turns are disabled permanently. {@linkplain EventLoops
 * Event loops} take no turn.
 */
class ColdStart {

	/**
	 * The number of refills that count as a pool's first refills, divided equally among
	 * the stripes. The JVM compiles the cipher after about 3,000 refills, and the callers
	 * of the pool later.
	 */
	private static final int REFILLS = 1 << 15;

	/** Every eighth refill of a stripe takes no turn. */
	private static final int EXEMPT = 8;

	private static final Duration MAX_WAIT = Duration.ofMillis(500);

	/** The number of first refills of each stripe, a multiple of {@link #EXEMPT}. */
	private final int refills;

	private final long maxWait;

	private final Semaphore turn;

	private volatile boolean over;

	ColdStart(int refills, Duration maxWait) {
		this(refills, maxWait, new Semaphore(1));
	}

	ColdStart(int refills, Duration maxWait, Semaphore turn) {
		this.refills = refills;
		this.maxWait = maxWait.toNanos();
		this.turn = turn;
	}

	static ColdStart of(int stripes) {
		return new ColdStart(REFILLS / stripes, MAX_WAIT);
	}

	static ColdStart none() {
		return new ColdStart(0, MAX_WAIT);
	}

	/**
	 * Waits for the turn, unless the refill takes no turn.
	 * @param refills the number of refills of the stripe so far
	 * @return {@code true} if the caller has the turn, and must {@linkplain #endTurn()
	 * end} it
	 */
	boolean awaitTurn(long refills) {
		// Every eighth refill runs this branch, because a branch that first runs after
		// the compilation deoptimizes the method.
		if (Math.min(refills, this.refills) % EXEMPT == 0 || this.over || EventLoops.isCurrent()) {
			return false;
		}
		boolean hasTurn = false;
		try {
			hasTurn = this.turn.tryAcquire(this.maxWait, TimeUnit.NANOSECONDS);
			if (!hasTurn) {
				this.over = true;
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		catch (Throwable ex) {
			// The semaphore may have lost the permit, or a dead waiter may block others.
			this.over = true;
			throw ex;
		}
		return hasTurn;
	}

	void endTurn() {
		this.turn.release();
	}

}
