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

import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.tickets.TicketKeyStatus;
import org.jspecify.annotations.Nullable;

/**
 * The state of a source with a {@link TicketKeyRing}.
 *
 * @param source {@link TicketKeyStatus#source()}
 * @param keys {@link TicketKeyStatus#keys()}
 * @param rotations {@link TicketKeyStatus#rotations()}
 * @param failures {@link TicketKeyStatus#failures()}
 * @param currentSince {@link TicketKeyStatus#currentSince()}
 * @param nextRotation {@link TicketKeyStatus#nextRotation()}
 * @param lastReached {@link TicketKeyStatus#lastReached()}
 * @param age {@link TicketKeyStatus#age()}
 * @param maximumAge {@link TicketKeyStatus#maximumAge()}
 * @param lastFailure {@link TicketKeyStatus#lastFailure()}
 * @param lastEnd {@link TicketKeyStatus#lastEnd()}
 */
record RingStatus(String source, int keys, long rotations, long failures, Instant currentSince,
		@Nullable Instant nextRotation, @Nullable Instant lastReached, @Nullable Duration age,
		@Nullable Duration maximumAge, @Nullable String lastFailure,
		@Nullable Reach lastEnd) implements TicketKeyStatus {
}
