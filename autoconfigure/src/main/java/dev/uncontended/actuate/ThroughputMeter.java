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
import java.util.Collection;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.actuate.UuidEndpoint.Throughput;

/**
 * Computes the growth rates of counts between reads. Thread-safe.
 * <p>
 * Several readers may poll independently. A reader therefore does not get the rate since
 * the last read, which may be another reader's a moment before, but since an earlier read
 * that is a second old or older, together with the time in between.
 */
final class ThroughputMeter {

	private static final long MIN_PERIOD_NANOS = Duration.ofSeconds(1).toNanos();

	private final Supplier<Map<Object, Long>> counts;

	private final LongSupplier nanoTime;

	private final Sample start;

	private Sample earlier;

	private Sample latest;

	/**
	 * Creates a meter, and reads the counts, which count as zero if they are missing.
	 * @param counts reads the counts
	 * @param nanoTime a monotonic clock in nanoseconds
	 */
	ThroughputMeter(Supplier<Map<Object, Long>> counts, LongSupplier nanoTime) {
		this.counts = counts;
		this.nanoTime = nanoTime;
		this.start = sample();
		this.earlier = this.start;
		this.latest = this.start;
	}

	/**
	 * Reads the counts, under the lock, so that no count is older than its sample.
	 */
	synchronized Rates read() {
		Sample now = sample();
		if (now.nanoTime - this.latest.nanoTime >= MIN_PERIOD_NANOS) {
			this.earlier = this.latest;
			this.latest = now;
		}
		return new Rates(this.start, this.earlier, now);
	}

	private Sample sample() {
		return new Sample(this.nanoTime.getAsLong(), this.counts.get());
	}

	/** The rates at a read. */
	record Rates(Sample start, Sample earlier, Sample now) {

		/**
		 * Returns the sum of the rates of the sources.
		 */
		Throughput of(Collection<?> sources) {
			return new Throughput(round(this.now.rateSince(this.earlier, sources)),
					round(this.now.secondsSince(this.earlier)), round(this.now.rateSince(this.start, sources)));
		}

		private static double round(double value) {
			return Math.round(value * 100) / 100.0;
		}

	}

	private record Sample(long nanoTime, Map<Object, Long> counts) {

		double rateSince(Sample earlier, Collection<?> sources) {
			long growth = sources.stream().mapToLong((source) -> growth(earlier.count(source), count(source))).sum();
			double seconds = secondsSince(earlier);
			return (seconds > 0) ? growth / seconds : 0;
		}

		double secondsSince(Sample earlier) {
			return (this.nanoTime - earlier.nanoTime) / 1e9;
		}

		private long count(Object source) {
			return this.counts.getOrDefault(source, 0L);
		}

		/**
		 * A lower count has started again from zero, like the drop-in's if it is
		 * installed with other settings.
		 */
		private static long growth(long earlier, long now) {
			return (now >= earlier) ? now - earlier : now;
		}

	}

}
