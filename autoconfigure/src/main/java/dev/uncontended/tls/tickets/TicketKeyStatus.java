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

import org.jspecify.annotations.Nullable;

/**
 * The state of a {@link TicketKeySource}.
 *
 * @param source the kind of source: {@code local}, {@code secret} or {@code redis}
 * @param keys the number of keys that decrypt
 * @param rotations how often another key became the one that encrypts
 * @param failures how often the source could not reach what it takes keys from
 * @param currentSince when the present key began to encrypt
 * @param nextRotation when the next key is expected to, if that is known
 * @param lastReached when the source last reached what it takes keys from; {@code null}
 * if it never has, or if it needs nothing
 * @param age the time since then, or since the source was created if it never has;
 * {@code null} if it needs nothing
 * @param maximumAge the age above which the source counts as cut off; {@code null} if it
 * needs nothing
 * @param lastFailure the last failure in words, without a secret; {@code null} if there
 * was none since the source was last reached
 * @param lastEnd the nodes that the last {@link TicketKeySource#invalidateAll()} has
 * reached so far; {@code null} if there was none
 */
public record TicketKeyStatus(String source, int keys, long rotations, long failures, Instant currentSince,
		@Nullable Instant nextRotation, @Nullable Instant lastReached, @Nullable Duration age,
		@Nullable Duration maximumAge, @Nullable String lastFailure, TicketKeySource.@Nullable Reach lastEnd) {

	/**
	 * Returns whether the source works: the last attempt to reach what it takes keys from
	 * did not fail, and was not too long ago.
	 * @return whether it does
	 */
	public boolean isUp() {
		return this.lastFailure == null
				&& (this.age == null || this.maximumAge == null || this.age.compareTo(this.maximumAge) <= 0);
	}

}
