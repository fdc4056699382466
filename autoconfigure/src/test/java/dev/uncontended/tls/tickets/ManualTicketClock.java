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

package dev.uncontended.tls.tickets;

import java.time.Duration;
import java.time.Instant;

import dev.uncontended.tls.tickets.TicketFleet.Clock;

/**
 * Clocks controlled by a test.
 */
final class ManualTicketClock {

	private volatile long nanos;

	private volatile Instant wallTime = Instant.parse("2026-11-20T00:00:00Z");

	Clock clock() {
		return new Clock(() -> this.nanos, () -> this.wallTime.toEpochMilli());
	}

	Instant wallTime() {
		return this.wallTime;
	}

	/** Advances both clocks. */
	void advance(Duration time) {
		this.nanos += time.toNanos();
		setWallClockForward(time);
	}

	/** Advances the wall clock only. */
	void setWallClockForward(Duration time) {
		this.wallTime = this.wallTime.plus(time);
	}

}
