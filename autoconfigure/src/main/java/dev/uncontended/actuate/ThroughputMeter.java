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

package dev.uncontended.actuate;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

import dev.uncontended.actuate.UuidEndpoint.Throughput;
import org.jspecify.annotations.Nullable;

/**
 * Computes the growth rates of a count from samples. Not thread-safe.
 */
final class ThroughputMeter {

	private static final long SECOND = Duration.ofSeconds(1).toNanos();

	private static final long MINUTE = Duration.ofMinutes(1).toNanos();

	/** How early or late a sample may be, for example after a pause of the JVM. */
	private static final long TOLERANCE = SECOND / 2;

	private final Sample first;

	/**
	 * The samples of the last minute and at most one older sample, newest first.
	 */
	private final Deque<Sample> samples = new ArrayDeque<>();

	private @Nullable Double peak;

	ThroughputMeter(long nanoTime, long count) {
		this.first = new Sample(nanoTime, count);
		this.samples.addFirst(this.first);
	}

	/**
	 * Must be called about once a second.
	 */
	void sample(long nanoTime, long count) {
		Sample now = new Sample(nanoTime, count);
		Sample previous = this.samples.getFirst();
		if (Math.abs(previous.age(now) - SECOND) <= TOLERANCE) {
			double rate = now.rateSince(previous);
			this.peak = (this.peak != null) ? Math.max(this.peak, rate) : rate;
		}
		this.samples.addFirst(now);
		Sample oldest = this.samples.removeLast();
		while (this.samples.size() > 1 && this.samples.getLast().age(now) >= MINUTE) {
			oldest = this.samples.removeLast();
		}
		this.samples.addLast(oldest);
	}

	Throughput throughput(long nanoTime, long count) {
		Sample now = new Sample(nanoTime, count);
		return new Throughput(rate(now, SECOND), rate(now, MINUTE), now.rateSince(this.first), this.peak);
	}

	/**
	 * Returns the average rate since the newest sample that is at least as old as the
	 * period, or {@code null} if the sample is much older, or if there is none.
	 */
	private @Nullable Double rate(Sample now, long period) {
		for (Sample sample : this.samples) {
			if (sample.age(now) >= period) {
				return (sample.age(now) <= period + SECOND + TOLERANCE) ? now.rateSince(sample) : null;
			}
		}
		return null;
	}

	private record Sample(long time, long count) {

		long age(Sample now) {
			return now.time - this.time;
		}

		double rateSince(Sample earlier) {
			long elapsed = earlier.age(this);
			return (elapsed > 0) ? (double) (this.count - earlier.count) * SECOND / elapsed : 0;
		}

	}

}
