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
 * Two threads draw across refills.
 */
@JCStressTest
@Outcome(id = "right", expect = Expect.ACCEPTABLE, desc = "Every slot once, none of it zeros, all counted.")
@Outcome(expect = Expect.FORBIDDEN, desc = "Invariants 1, 2 and 4.")
@State
public class PoolDrawStress extends PoolUnderStress {

	@Actor
	public void first() {
		draw();
		draw();
		draw();
	}

	@Actor
	public void second() {
		draw();
		fill(SLOTS + 1);
		draw();
	}

	@Arbiter
	public void arbiter(L_Result result) {
		result.r1 = verdict();
	}

}
