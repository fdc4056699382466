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
 * A strictly increasing sequence of values for version 7 UUIDs. Thread-safe and
 * lock-free.
 * <p>
 * A value is a {@code long}. Its upper 44 bits are a timestamp: the milliseconds since
 * the start of the sequence. Its lower {@value #COUNTER_BITS} bits are a counter.
 * <p>
 * In each new millisecond except the first, the counter starts at a random value in the
 * lower half of its range. The counter therefore does not reveal the rate of UUIDs, and
 * two processes rarely have equal counters. The upper half is a rollover guard (RFC 9562
 * section 6.2): the counter overflows only after more than half a million UUIDs with the
 * same timestamp. An overflow increments the timestamp, as the RFC permits.
 */
final class TimeSequence {

	static final int COUNTER_BITS = 20;

	static final int COUNTER_MASK = (1 << COUNTER_BITS) - 1;

	/** The largest Unix time that fits in 48 bits, in the year 10889. */
	static final long MAX_MILLIS = (1L << 48) - 1;

	/** The most milliseconds since the start that fit in a positive value: 278 years. */
	private static final long MAX_ELAPSED = Long.MAX_VALUE >>> COUNTER_BITS;

	/** The sequence of all generators without their own clock. */
	static final TimeSequence SYSTEM = new TimeSequence(System.currentTimeMillis());

	private final long start;

	private final long maxElapsed;

	private final AtomicLong last = new AtomicLong();

	/**
	 * Creates a sequence.
	 * @param start the current time in milliseconds since 1970; no UUID has an earlier
	 * timestamp
	 */
	TimeSequence(long start) {
		this.start = Math.max(0, Math.min(start, MAX_MILLIS));
		this.maxElapsed = Math.min(MAX_ELAPSED, MAX_MILLIS - this.start);
	}

	/**
	 * Returns the next value.
	 * @param millis the current time in milliseconds since 1970
	 * @param randomBits the bits from which a random counter is taken
	 * @return the current time with a random counter if the current time is after the
	 * last timestamp, otherwise the last value plus one
	 * @throws IllegalStateException if the timestamp would be more than 278 years after
	 * the start, or if its Unix time would not fit in 48 bits
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
			throw new IllegalStateException("Failed to create a version 7 UUID: the time is after "
					+ Instant.ofEpochMilli(millis(this.maxElapsed << COUNTER_BITS))
					+ ", which is 278 years after the start of the process,"
					+ " or the end of 48-bit timestamps. Check the clock.");
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
