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

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.LL_Result;

/**
 * A thread draws and refills while another ends periods, which wipes unclaimed slots.
 */
@JCStressTest
@Outcome(id = "right, fresh", expect = Expect.ACCEPTABLE,
		desc = "Every slot once, none of it zeros, wiped slots not counted, and no seed survives its period.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Invariants 1, 2, 4 and 5.")
@State
public class PoolWipeStress extends PoolUnderStress {

	private long seedsBefore;

	@Actor
	public void draws() {
		for (int i = 0; i < 3 * SLOTS; i++) {
			draw();
		}
		fill(SLOTS);
	}

	@Actor
	public void wipes() {
		this.pool.endPeriod();
		this.seedsBefore = this.seeds.get();
		this.pool.endPeriod();
	}

	@Arbiter
	public void arbiter(LL_Result result) {
		boolean fresh = true;
		for (int i = 0; i < 3 * SLOTS; i++) {
			fresh &= draw().seed() > this.seedsBefore;
		}
		result.r1 = verdict();
		result.r2 = fresh ? "fresh" : "bytes of an ended period";
	}

}
