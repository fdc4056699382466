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

import java.util.concurrent.atomic.AtomicLong;

/**
 * Timestamps in milliseconds with a counter below them, strictly increasing. Thread-safe
 * and lock-free.
 * <p>
 * One word holds the milliseconds in its upper 44 bits, which last until the year 2527,
 * and a counter in the lower {@value #COUNTER_BITS}. The counter starts at zero with each
 * millisecond of the clock; if it runs over, it carries into the milliseconds, as RFC
 * 9562 section 6.2 allows. That takes more than a million ids in a millisecond, some ten
 * times of what one word in memory can be incremented, so in practice only a clock that
 * went back makes timestamps differ from the clock.
 */
final class TimeSequence {

	static final int COUNTER_BITS = 20;

	/**
	 * Shared by every generator that uses the system's clock.
	 */
	static final TimeSequence SYSTEM = new TimeSequence();

	private final AtomicLong last = new AtomicLong();

	/**
	 * Returns the next value.
	 * @param millis the time now
	 * @return the larger of the time with a counter of zero and the last value plus one
	 */
	long next(long millis) {
		long now = millis << COUNTER_BITS;
		while (true) {
			long next = this.last.incrementAndGet();
			if (next >= now) {
				return next;
			}
			if (this.last.compareAndSet(next, now)) {
				return now;
			}
		}
	}

}
