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

import dev.uncontended.tls.session.Reach;
import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link TicketKeySource}.
 *
 * @param source the kind of source: {@code local}, {@code secret} or {@code redis}
 * @param keys the number of keys that decrypt
 * @param rotations the number of times a new key replaced the key that encrypts
 * @param failures the number of failures to use shared storage, to change keys, or to
 * notify a consumer or listener
 * @param currentSince when the current key started to encrypt
 * @param nextRotation when the next key will start to encrypt, or {@code null} if unknown
 * @param lastReached when the source last read the keys in shared storage, or
 * {@code null} if never
 * @param age the time since {@code lastReached}, or since the source was created if
 * {@code lastReached} is {@code null}; {@code null} without shared storage
 * @param maximumAge the maximum {@code age} of a source that is up; {@code null} without
 * shared storage
 * @param lastFailure the last failure, without secrets; {@code null} if there was none,
 * or if the source has recovered
 * @param lastEnd the nodes that the last {@link TicketKeySource#endAll()} has reached so
 * far; {@code null} before the first call on this node
 */
public record TicketKeyStatus(String source, int keys, long rotations, long failures, Instant currentSince,
		@Nullable Instant nextRotation, @Nullable Instant lastReached, @Nullable Duration age,
		@Nullable Duration maximumAge, @Nullable String lastFailure, @Nullable Reach lastEnd) {

	/**
	 * Returns whether the source is up: {@code lastFailure} is {@code null} and, with
	 * shared storage, {@code age} does not exceed {@code maximumAge}.
	 * @return {@code true} if the source is up
	 */
	public boolean isUp() {
		return this.lastFailure == null
				&& (this.age == null || this.maximumAge == null || this.age.compareTo(this.maximumAge) <= 0);
	}

}
