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
import java.util.List;

import dev.uncontended.tls.session.Reach;
import org.jspecify.annotations.Nullable;

/**
 * The state of {@link TicketKeys} at one time, which contains neither keys nor their
 * names.
 *
 * @param source the kind of source: {@code local}, {@code secret} or {@code redis}
 * @param keys the number of keys that decrypt, including the key that encrypts
 * @param rotations how often the next key of the schedule has replaced the key that
 * encrypts. An end of all sessions is not a rotation
 * @param failures the number of failures to use shared storage, or to set the keys of a
 * TLS context
 * @param nextRotation when the next key will start to encrypt
 * @param age the time since this node last read the shared storage or, if it never has,
 * since it started; {@code null} without shared storage
 * @param maximumAge the age from which on this node is not up, {@code null} without
 * shared storage
 * @param lastFailure the failure that has not ended, without secrets, or {@code null}
 * @param lastEnd how far the ends of all sessions that this node knows have reached,
 * {@code null} if it knows none
 * @param nodes the nodes that share keys, {@code null} without shared storage
 * @param up whether the keys are up to date and can be changed. A node that fails to
 * reach the shared storage stays up until its maximum age
 */
public record TicketKeyStatus(String source, int keys, long rotations, long failures, Instant nextRotation,
		@Nullable Duration age, @Nullable Duration maximumAge, @Nullable String lastFailure, @Nullable Reach lastEnd,
		@Nullable Nodes nodes, boolean up) {

	/**
	 * The running nodes that share {@link TicketKeys}, this node included, by their
	 * random ids.
	 *
	 * @param self the id of this node
	 * @param confirmed the nodes that have applied all ends of all sessions that this
	 * node knows
	 * @param unconfirmed the nodes that have not applied them all
	 * @param otherFormat the nodes whose version stores ticket keys in another format.
	 * They share neither keys nor ends with this node
	 */
	public record Nodes(String self, List<String> confirmed, List<String> unconfirmed, List<String> otherFormat) {

	}

}
