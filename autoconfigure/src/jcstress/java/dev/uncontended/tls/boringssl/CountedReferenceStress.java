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

package dev.uncontended.tls.boringssl;

import java.util.concurrent.atomic.AtomicInteger;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Races between a cache that removes a session and handshakes that resume it, with two
 * threads each, so that two processors suffice.
 */
class CountedReferenceStress {

	private static final int USED_AFTER_FREE = -1;

	@JCStressTest
	@Outcome(id = { "0, 1", "1, 1" }, expect = Expect.ACCEPTABLE, desc = "Found or not, and freed once, after that")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Used after it was freed, or not freed once")
	@State
	public static class LookUpAndEvict {

		private final AtomicInteger freed = new AtomicInteger();

		private final CountedReference reference = new CountedReference(this.freed::incrementAndGet);

		@Actor
		public void lookUp(II_Result result) {
			if (this.reference.hold()) {
				result.r1 = (this.freed.get() == 0) ? 1 : USED_AFTER_FREE;
				this.reference.release();
			}
		}

		@Actor
		public void evict() {
			this.reference.abandon();
		}

		@Arbiter
		public void count(II_Result result) {
			result.r2 = this.freed.get();
		}

	}

	@JCStressTest
	@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "Freed once, after the lookup")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Freed in the middle of the lookup, or not once")
	@State
	public static class EvictAndInvalidateDuringALookUp {

		private final AtomicInteger freed = new AtomicInteger();

		private final CountedReference reference = new CountedReference(this.freed::incrementAndGet);

		public EvictAndInvalidateDuringALookUp() {
			this.reference.hold();
		}

		@Actor
		public void evict() {
			this.reference.abandon();
		}

		@Actor
		public void invalidate() {
			this.reference.abandon();
		}

		@Arbiter
		public void count(II_Result result) {
			result.r1 = this.freed.get();
			this.reference.release();
			result.r2 = this.freed.get();
		}

	}

	@JCStressTest
	@Outcome(id = { "0, 1", "1, 1" }, expect = Expect.ACCEPTABLE, desc = "Freed by the last of them")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Used after it was freed, or not freed once")
	@State
	public static class LookUpAndEndOfALookUp {

		private final AtomicInteger freed = new AtomicInteger();

		private final CountedReference reference = new CountedReference(this.freed::incrementAndGet);

		public LookUpAndEndOfALookUp() {
			this.reference.hold();
			this.reference.abandon();
		}

		@Actor
		public void lookUp(II_Result result) {
			if (this.reference.hold()) {
				result.r1 = (this.freed.get() == 0) ? 1 : USED_AFTER_FREE;
				this.reference.release();
			}
		}

		@Actor
		public void end() {
			this.reference.release();
		}

		@Arbiter
		public void count(II_Result result) {
			result.r2 = this.freed.get();
		}

	}

}
