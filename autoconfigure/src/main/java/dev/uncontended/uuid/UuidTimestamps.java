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
import java.util.UUID;

/**
 * Reads the times of UUIDs (RFC 9562), and returns limits of version 7 UUIDs, for example
 * for a query of the rows created on a day.
 */
public final class UuidTimestamps {

	/** The first millisecond that does not fit in a version 7 UUID. */
	private static final Instant END = Instant.ofEpochMilli(1L << 48);

	/** The start of the Gregorian calendar, from which versions 1 and 6 count. */
	private static final Instant GREGORIAN_START = Instant.parse("1582-10-15T00:00:00Z");

	private UuidTimestamps() {
	}

	/**
	 * Returns the time of a UUID of version 1, 6 or 7, of any origin.
	 * @param uuid the UUID
	 * @return the time, in units of 100 nanoseconds for versions 1 and 6, and in
	 * milliseconds for version 7, whose next bits may be random
	 * @throws IllegalArgumentException if the version or variant of the UUID has no time
	 * @throws NullPointerException if the UUID is {@code null}
	 */
	public static Instant instant(UUID uuid) {
		if (uuid.variant() != 2) {
			throw new IllegalArgumentException(
					"Only UUIDs of variant 2 have a time, but this UUID is of variant " + uuid.variant());
		}
		long bits = uuid.getMostSignificantBits();
		return switch (uuid.version()) {
			case 1 -> gregorian(uuid.timestamp());
			case 6 -> gregorian((bits >>> 16 << 12) | (bits & 0xFFF));
			case 7 -> Instant.ofEpochMilli(bits >>> 16);
			default -> throw new IllegalArgumentException(
					"Only UUIDs of versions 1, 6 and 7 have a time, but this UUID is of version " + uuid.version());
		};
	}

	private static Instant gregorian(long units) {
		return GREGORIAN_START.plusSeconds(units / 10_000_000).plusNanos(units % 10_000_000 * 100);
	}

	/**
	 * Returns the smallest version 7 UUID of a millisecond, in the order of
	 * {@link UUID#toString()}. All UUIDs of earlier milliseconds are smaller.
	 * @param instant a time in the millisecond
	 * @return the UUID, which is the same for each call
	 * @throws IllegalArgumentException if the time does not fit in a version 7 UUID
	 * @throws NullPointerException if the time is {@code null}
	 */
	public static UUID smallest(Instant instant) {
		return version7(instant, 0);
	}

	/**
	 * Returns the largest version 7 UUID of a millisecond, in the order of
	 * {@link UUID#toString()}. All UUIDs of later milliseconds are larger.
	 * @param instant a time in the millisecond
	 * @return the UUID, which is the same for each call
	 * @throws IllegalArgumentException if the time does not fit in a version 7 UUID
	 * @throws NullPointerException if the time is {@code null}
	 */
	public static UUID largest(Instant instant) {
		return version7(instant, -1);
	}

	private static UUID version7(Instant instant, long otherBits) {
		checkRange(instant);
		return UuidGenerator.uuid(7, (instant.toEpochMilli() << 16) | (otherBits & 0xFFFF), otherBits);
	}

	/**
	 * Throws an exception if a time does not fit in a version 7 UUID.
	 */
	static void checkRange(Instant instant) {
		if (instant.isBefore(Instant.EPOCH) || !instant.isBefore(END)) {
			throw new IllegalArgumentException(
					"Version 7 UUIDs contain times from 1970 to %s, but not %s".formatted(END.minusMillis(1), instant));
		}
	}

}
