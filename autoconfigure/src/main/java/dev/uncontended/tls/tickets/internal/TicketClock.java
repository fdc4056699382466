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
package dev.uncontended.tls.tickets.internal;

import java.time.Duration;
import java.time.Instant;

import dev.uncontended.tls.tickets.TicketKeySource;

/**
 * A monotonic clock and the wall clock, for a {@link TicketKeySource}.
 */
public interface TicketClock {

	/**
	 * Returns the monotonic clock's time since its origin, not negative.
	 */
	long elapsedNanos();

	/**
	 * Returns the wall clock's time, which may jump.
	 */
	Instant wallTime();

	/**
	 * Converts a time of {@link #elapsedNanos()} to wall time.
	 */
	default Instant wallTimeAt(long nanos) {
		return wallTime().plus(Duration.ofNanos(nanos - elapsedNanos()));
	}

	/**
	 * Returns an instance that uses the system's clocks. The origin of its monotonic
	 * clock is the time of this call.
	 */
	static TicketClock system() {
		long origin = System.nanoTime();
		return new TicketClock() {

			@Override
			public long elapsedNanos() {
				return System.nanoTime() - origin;
			}

			@Override
			public Instant wallTime() {
				return Instant.now();
			}

		};
	}

}
