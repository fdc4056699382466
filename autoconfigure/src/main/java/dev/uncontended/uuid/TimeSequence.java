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

import java.time.Clock;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLongArray;

import dev.uncontended.random.internal.StripedPool;
import dev.uncontended.random.internal.Striping;

/**
 * The times of version 7 UUIDs, in units of 2<sup>-20</sup> milliseconds (about a
 * nanosecond) since 1970. Thread-safe and lock-free.
 * <p>
 * <b>The times of a thread increase, whatever the clock does.</b> Each cell contains the
 * last time that one of its threads has taken. All accesses are volatile, and all writes
 * are compare-and-sets to a greater time, so a cell only increases. A thread that has
 * replaced {@code last} owns the times from {@code first} to its new value: no other
 * thread of the cell owns them, and there is no ABA problem. A hash of the thread id
 * selects the cell, so the thread's next call finds this value or a greater one. The
 * stripe of the random bits does not matter: a draw may use any.
 * <p>
 * <b>Times of different cells are ordered by the clock.</b> Suppose that a thread hands
 * over a time, and that another thread then reads the clock. If the first time is a
 * reading of the clock, the second is greater if its reading is. The first time is
 * greater than its reading only if its cell was ahead of the clock: because the clock was
 * set back, or because of times taken in bulk. The latter usually pass before the bulk is
 * handed over, because creating an id takes longer than a unit of time.
 * <p>
 * <b>Equal readings.</b> Readings before and after a hand-over differ if the steps of the
 * clock are shorter than the hand-over, which takes {@value #HAND_OVER_NANOS} nanoseconds
 * at least. With a coarser clock, all threads must share one cell, which orders all
 * times.
 */
final class TimeSequence {

	static final int FRACTION_BITS = 20;

	/** The last millisecond whose times fit in a positive {@code long}. */
	static final long MAX_MILLIS = Long.MAX_VALUE >>> FRACTION_BITS;

	/** Includes the time to read the clock. */
	private static final long HAND_OVER_NANOS = 100;

	/** Enough for readings of every fine clock to be unequally far apart. */
	private static final int TRIAL_READINGS = 32;

	/** The sequence of all generators without their own clock. */
	static final TimeSequence SYSTEM = TimeSequence.of(Clock.systemUTC());

	private final AtomicLongArray cells;

	private final int shift;

	/**
	 * Creates a sequence.
	 * @param cells the number of cells, a power of two
	 */
	TimeSequence(int cells) {
		this.cells = new AtomicLongArray(Striping.length(cells));
		this.shift = Striping.shift(cells);
	}

	/**
	 * Creates a sequence for a clock, which this method reads a few times.
	 */
	static TimeSequence of(Clock clock) {
		return new TimeSequence(isCoarse(clock) ? 1 : StripedPool.defaultStripes());
	}

	/**
	 * Returns whether the steps of the clock may take as long as a hand-over.
	 * <p>
	 * The intervals between readings are multiples of the step, rounded to nanoseconds.
	 * Two intervals that differ by more than the rounding therefore differ by a step at
	 * least, and an interval differs from zero in the same way. So a small difference
	 * proves that the step is small, even if the readings are further apart.
	 */
	static boolean isCoarse(Clock clock) {
		int[] intervals = new int[TRIAL_READINGS];
		int last = clock.instant().getNano();
		// The first interval stays zero.
		for (int i = 1; i < intervals.length; i++) {
			int now = clock.instant().getNano();
			intervals[i] = now - last;
			last = now;
		}
		for (int interval : intervals) {
			for (int other : intervals) {
				int difference = interval - other;
				if (difference > 1 && difference < HAND_OVER_NANOS) {
					return false;
				}
			}
		}
		return true;
	}

	/**
	 * Takes consecutive times, which are greater than all times that the calling thread
	 * has taken before.
	 * @param now the current reading of the clock, which the first time is not before
	 * @param count the number of times, at least 1
	 * @return the first time
	 * @throws IllegalStateException if the clock is before 1970, or if a time is after
	 * {@link #MAX_MILLIS}
	 */
	long next(Instant now, int count) {
		long earliest = time(now);
		int cell = Striping.at(Striping.probe(this.shift));
		while (true) {
			long last = this.cells.get(cell);
			long first = Math.max(earliest, last + 1);
			if (first >= Long.MAX_VALUE - count) {
				throw new IllegalStateException("Failed to create a version 7 UUID: the time is not from 1970 to "
						+ Instant.ofEpochMilli(MAX_MILLIS) + ". Check the clock.");
			}
			if (this.cells.compareAndSet(cell, last, first + count - 1)) {
				return first;
			}
		}
	}

	/**
	 * Returns a time that is too large if the reading is out of range.
	 */
	private static long time(Instant instant) {
		long seconds = instant.getEpochSecond();
		long nanos = instant.getNano();
		long millis = seconds * 1000 + nanos / 1_000_000;
		return (seconds < 0 || seconds > MAX_MILLIS / 1000 || millis > MAX_MILLIS) ? Long.MAX_VALUE
				: (millis << FRACTION_BITS) | ((nanos % 1_000_000 << FRACTION_BITS) / 1_000_000);
	}

}
