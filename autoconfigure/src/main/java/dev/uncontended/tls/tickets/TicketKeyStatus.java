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
 * The state of a {@link TicketKeySource} at one time. Immutable. Later versions may add
 * methods with a default implementation.
 */
public interface TicketKeyStatus {

	/**
	 * Returns the kind of source.
	 * @return {@code local}, {@code secret}, {@code redis}, or the name of another kind
	 */
	String source();

	/**
	 * Returns the number of keys that decrypt.
	 * @return the number of keys, including the key that encrypts
	 */
	int keys();

	/**
	 * Returns how often the next key of the schedule has replaced the key that encrypts.
	 * An end of all sessions is not a rotation.
	 * @return the number of rotations
	 */
	long rotations();

	/**
	 * Returns the number of failures to use shared storage, to change keys, or to notify
	 * a listener.
	 * @return the number of failures
	 */
	long failures();

	/**
	 * Returns when the current key started to encrypt.
	 * @return the time
	 */
	Instant currentSince();

	/**
	 * Returns when the next key will start to encrypt.
	 * @return the time, or {@code null} if unknown
	 */
	default @Nullable Instant nextRotation() {
		return null;
	}

	/**
	 * Returns when the source last read the keys in shared storage.
	 * @return the time, or {@code null} if never
	 */
	default @Nullable Instant lastReached() {
		return null;
	}

	/**
	 * Returns the time since {@link #lastReached()} or, if that is {@code null}, since
	 * the source was created.
	 * @return the age, or {@code null} without shared storage
	 */
	default @Nullable Duration age() {
		return null;
	}

	/**
	 * Returns the maximum {@link #age()} of a source that is up.
	 * @return the maximum age, or {@code null} without shared storage
	 */
	default @Nullable Duration maximumAge() {
		return null;
	}

	/**
	 * Returns the last failure, without secrets.
	 * @return the failure, or {@code null} if there was none, or if the source has
	 * recovered
	 */
	default @Nullable String lastFailure() {
		return null;
	}

	/**
	 * Returns the nodes that the last {@link TicketKeySource#endAll()} has reached so
	 * far.
	 * @return the nodes, or {@code null} before the first call on this node
	 */
	default @Nullable Reach lastEnd() {
		return null;
	}

	/**
	 * Returns the nodes that share keys with this node, and which of them have confirmed
	 * the last end of all sessions.
	 * @return the nodes, or {@code null} without shared storage
	 */
	default @Nullable TicketKeyNodes nodes() {
		return null;
	}

	/**
	 * Returns whether the source is up: {@link #lastFailure()} is {@code null} and, with
	 * shared storage, {@link #age()} does not exceed {@link #maximumAge()}.
	 * @return {@code true} if the source is up
	 */
	default boolean isUp() {
		Duration age = age();
		Duration maximumAge = maximumAge();
		return lastFailure() == null && (age == null || maximumAge == null || age.compareTo(maximumAge) <= 0);
	}

}
