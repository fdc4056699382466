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


package dev.uncontended.uuid;

import java.time.Instant;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * Two threads of one cell, with clocks that move backwards.
 */
@JCStressTest
@Outcome(id = "increasing", expect = Expect.ACCEPTABLE, desc = "No time twice, and each thread's own increase.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Invariant 7.")
@State
public class TimeSequenceStress {

	private static final int FEW = 3;

	private final TimeSequence sequence = new TimeSequence(1);

	private long first1;

	private long first2;

	private long second1;

	private long second2;

	@Actor
	public void first() {
		this.first1 = this.sequence.next(Instant.ofEpochMilli(3), 1);
		this.first2 = this.sequence.next(Instant.ofEpochMilli(1), FEW);
	}

	@Actor
	public void second() {
		this.second1 = this.sequence.next(Instant.ofEpochMilli(2), 1);
		this.second2 = this.sequence.next(Instant.ofEpochMilli(2), 1);
	}

	@Arbiter
	public void arbiter(L_Result result) {
		long last = this.sequence.next(Instant.EPOCH, 1);
		boolean increasing = this.first1 < this.first2 && this.second1 < this.second2 && this.first2 + FEW <= last && this.second2 < last;
		boolean distinct = isOutside(this.second1) && isOutside(this.second2);
		result.r1 = (increasing && distinct) ? "increasing" : "not increasing";
	}

	private boolean isOutside(long time) {
		return time != this.first1 && (time < this.first2 || time >= this.first2 + FEW);
	}

}
