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

import dev.uncontended.tls.tickets.internal.TicketClock;

/**
 * A {@link TicketClock} controlled by a test.
 */
public final class ManualTicketClock implements TicketClock {

	private volatile long nanos;

	private volatile Instant wallTime = Instant.parse("2026-11-20T00:00:00Z");

	@Override
	public long elapsedNanos() {
		return this.nanos;
	}

	@Override
	public Instant wallTime() {
		return this.wallTime;
	}

	/**
	 * Advances both clocks.
	 */
	public void advance(Duration time) {
		this.nanos += time.toNanos();
		setWallClockForward(time);
	}

	/**
	 * Advances the wall clock only.
	 */
	public void setWallClockForward(Duration time) {
		this.wallTime = this.wallTime.plus(time);
	}

}
