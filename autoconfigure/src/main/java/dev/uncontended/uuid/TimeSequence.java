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
 * A value consists of a 44-bit timestamp and a {@value #COUNTER_BITS}-bit counter. The
 * timestamp is the number of milliseconds since the start of the sequence.
 * <p>
 * When the clock passes the last timestamp, the counter starts at a random value in the
 * lower half of its range. The counter therefore does not reveal the rate of UUIDs. The
 * upper half is a rollover guard (RFC 9562 section 6.2). If the counter overflows, even
 * in the middle of a reservation, the timestamp is incremented, as the RFC permits.
 * <p>
 * A thread adds its count to the last value. If the clock has not passed the sequence,
 * the thread owns the values it added. Otherwise it replaces the sum by the last of its
 * values at the current time, unless another thread has added in between. There is no ABA
 * problem: the replacement needs {@code first >= now > last - count + 1}, so the new
 * value {@code first + count - 1} is greater than {@code last}, and the sequence only
 * increases. The exception is a sum after the end of the range, which is refused and
 * taken back if no other thread has added to it. Until then, all other sums are after the
 * end as well, so no value that is taken back has an owner.
 */
final class TimeSequence {

	static final int COUNTER_BITS = 20;

	static final int COUNTER_MASK = (1 << COUNTER_BITS) - 1;

	/** The largest Unix time that fits in 48 bits, in the year 10889. */
	static final long MAX_MILLIS = (1L << 48) - 1;

	/** The largest timestamp of a positive value: 278 years after the start. */
	private static final long MAX_ELAPSED = Long.MAX_VALUE >>> COUNTER_BITS;

	/** The sequence of all generators without their own clock. */
	static final TimeSequence SYSTEM = new TimeSequence(System.currentTimeMillis());

	private final long start;

	private final long maxElapsed;

	private final AtomicLong last = new AtomicLong();

	/**
	 * Creates a sequence.
	 * @param start the earliest time of a UUID, in milliseconds since 1970
	 */
	TimeSequence(long start) {
		this.start = Math.max(0, Math.min(start, MAX_MILLIS));
		this.maxElapsed = Math.min(MAX_ELAPSED, MAX_MILLIS - this.start);
	}

	/**
	 * Reserves consecutive values, which are greater than all earlier values.
	 * @param millis the current time in milliseconds since 1970
	 * @param randomBits random bits for the start of the counter
	 * @param count the number of values, at least 1
	 * @return the first value
	 * @throws IllegalStateException if a value's time is more than 278 years after the
	 * start, or after {@link #MAX_MILLIS}
	 */
	long next(long millis, long randomBits, int count) {
		long now = required(Math.max(millis, this.start) - this.start) << COUNTER_BITS;
		while (true) {
			long last = this.last.addAndGet(count);
			if (last >>> COUNTER_BITS > this.maxElapsed) {
				this.last.compareAndSet(last, last - count);
			}
			required(last >>> COUNTER_BITS);
			if (last - count >= now - 1) {
				return last - count + 1;
			}
			long first = now | (randomBits & (COUNTER_MASK >>> 1));
			required((first + count - 1) >>> COUNTER_BITS);
			if (this.last.compareAndSet(last, first + count - 1)) {
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
