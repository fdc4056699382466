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
import org.openjdk.jcstress.infra.results.L_Result;

/**
 * A thread draws and refills while one ends periods, and another closes the pool.
 */
@JCStressTest
@Outcome(id = "right", expect = Expect.ACCEPTABLE,
		desc = "Every slot once, none of it zeros, and wiped slots not counted.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Invariants 1, 2 and 4.")
@State
public class PoolWipeCloseStress extends PoolUnderStress {

	@Actor
	public void draws() {
		try {
			for (int i = 0; i < 3 * SLOTS; i++) {
				draw();
			}
		}
		catch (IllegalStateException ex) {
			// The pool is closed already, which is valid too.
		}
	}

	@Actor
	public void wipes() {
		this.pool.endPeriod();
		this.pool.endPeriod();
	}

	@Actor
	public void closes() {
		this.pool.close();
	}

	@Arbiter
	public void arbiter(L_Result result) {
		result.r1 = verdict();
	}

}
