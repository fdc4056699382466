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

/**
 * Determines how long a ticket key encrypts and decrypts.
 *
 * @param interval how long a key encrypts
 * @param lifetime how long a key still decrypts after it stops encrypting
 */
public record TicketKeyRotation(Duration interval, Duration lifetime) {

	/**
	 * The maximum ratio of the lifetime to the interval. It limits the number of keys,
	 * because servers find a ticket's key by linear search.
	 */
	public static final int MAXIMUM_INTERVALS = 256;

	/**
	 * Creates a rotation.
	 * @param interval how long a key encrypts
	 * @param lifetime how long a key still decrypts after it stops encrypting
	 * @throws IllegalArgumentException if a duration is less than 1 millisecond or more
	 * than 3650 days, or if the lifetime is longer than {@link #MAXIMUM_INTERVALS}
	 * intervals
	 */
	public TicketKeyRotation {
		requireInRange("interval", interval);
		requireInRange("lifetime", lifetime);
		if (lifetime.compareTo(interval.multipliedBy(MAXIMUM_INTERVALS)) > 0) {
			throw new IllegalArgumentException("lifetime must be at most " + MAXIMUM_INTERVALS + " times the interval "
					+ interval + ", but was " + lifetime);
		}
	}

	private static void requireInRange(String argument, Duration value) {
		if (value.compareTo(Duration.ofMillis(1)) < 0 || value.compareTo(Duration.ofDays(3650)) > 0) {
			throw new IllegalArgumentException(argument + " must be from 1 millisecond to 3650 days, but was " + value);
		}
	}

	/**
	 * Returns the number of the rotation interval that contains a time in milliseconds
	 * since 1970.
	 */
	long epoch(long time) {
		return Math.floorDiv(time, this.interval.toMillis());
	}

	/** Returns when an epoch starts, in milliseconds since 1970. */
	long start(long epoch) {
		return epoch * this.interval.toMillis();
	}

}
