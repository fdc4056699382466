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

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;

/**
 * Decides when a pool's generators are reseeded, and counts reseeds.
 */
final class Reseeding {

	private final LongAdder reseeds = new LongAdder();

	private final long intervalNanos;

	private final LongSupplier ticker;

	Reseeding(Duration interval, LongSupplier ticker) {
		this.intervalNanos = interval.isZero() ? Long.MAX_VALUE : TimeUnit.NANOSECONDS.convert(interval);
		this.ticker = ticker;
	}

	long now() {
		return this.ticker.getAsLong();
	}

	boolean isDue(long seededAt, long now) {
		return now - seededAt >= this.intervalNanos;
	}

	void recordReseed() {
		FlightRecorderEvents.reseeded();
		this.reseeds.increment();
	}

	long count() {
		return this.reseeds.sum();
	}

}
