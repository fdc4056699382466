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
import java.util.concurrent.atomic.AtomicLong;

/**
 * Timestamps in milliseconds with a counter below them, strictly increasing. Thread-safe
 * and lock-free.
 * <p>
 * One word holds the milliseconds since the sequence was made in its upper 44 bits, of
 * which the sign stays zero for 278 years, and a counter in the lower
 * {@value #COUNTER_BITS}. With each millisecond of the clock the counter starts at random
 * in its lower half, so that it tells neither the rate nor, together with other
 * processes, leads to equal ids; the upper half is room to count (RFC 9562, section 6.2:
 * a counter with rollover guard). If it runs over all the same, it carries into the
 * milliseconds, as the RFC allows. That takes half a million ids in a millisecond,
 * several times of what one word in memory can be incremented, so in practice only a
 * clock that went back makes timestamps differ from the clock.
 */
final class TimeSequence {

	static final int COUNTER_BITS = 20;

	static final int COUNTER_MASK = (1 << COUNTER_BITS) - 1;

	/** What the 48 bits of the RFC can hold: the year 10889. */
	static final long MAX_MILLIS = (1L << 48) - 1;

	/** What the word can hold beyond the start: 278 years. */
	private static final long MAX_ELAPSED = Long.MAX_VALUE >>> COUNTER_BITS;

	/**
	 * Shared by every generator that uses the system's clock.
	 */
	static final TimeSequence SYSTEM = new TimeSequence(System.currentTimeMillis());

	private final long start;

	/** The largest number of milliseconds that the word and the RFC can hold. */
	private final long maxElapsed;

	private final AtomicLong last = new AtomicLong();

	/**
	 * Makes a sequence.
	 * @param start the time now: no timestamp will be smaller
	 */
	TimeSequence(long start) {
		this.start = Math.max(0, Math.min(start, MAX_MILLIS));
		this.maxElapsed = Math.min(MAX_ELAPSED, MAX_MILLIS - this.start);
	}

	/**
	 * Returns the next value, of which {@link #millis} and {@link #counter} are the
	 * parts.
	 * @param millis the time now
	 * @param randomBits where the counter starts if the millisecond is a new one
	 * @return the larger of the time and the last value plus one
	 * @throws IllegalStateException if the time, or the last value plus one, is more than
	 * 278 years after the start or beyond the 48 bits of a timestamp
	 */
	long next(long millis, long randomBits) {
		long now = required(Math.max(millis, this.start) - this.start) << COUNTER_BITS;
		while (true) {
			long next = this.last.incrementAndGet();
			required(next >>> COUNTER_BITS);
			if (next >= now) {
				return next;
			}
			long first = now | (randomBits & (COUNTER_MASK >>> 1));
			if (this.last.compareAndSet(next, first)) {
				return first;
			}
		}
	}

	private long required(long elapsed) {
		if (elapsed > this.maxElapsed) {
			throw new IllegalStateException("Version 7 UUIDs of this process end at "
					+ Instant.ofEpochMilli(millis(this.maxElapsed << COUNTER_BITS))
					+ ": 278 years after its start, or with the year 10889. Check the clock");
		}
		return elapsed;
	}

	long millis(long value) {
		return this.start + (value >>> COUNTER_BITS);
	}

	static int counter(long value) {
		return (int) value & COUNTER_MASK;
	}

}
