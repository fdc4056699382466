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

import dev.uncontended.tls.tickets.TicketKeyStatus;

/**
 * Creates states of sources of ticket keys.
 */
public final class TestTicketKeyStatus {

	private TestTicketKeyStatus() {
	}

	/**
	 * Returns the state of a source without shared storage.
	 */
	public static TicketKeyStatus of(String source) {
		return new TicketKeyRing.Status(source, 1, 0, 0, Instant.EPOCH, null, null, null, null, null, null, null);
	}

	/**
	 * Returns the state of a source that has just read the keys in shared storage.
	 */
	public static TicketKeyStatus ofSharedKeys() {
		return new TicketKeyRing.Status("redis", 2, 0, 0, Instant.EPOCH, null, Instant.EPOCH, Duration.ZERO,
				Duration.ofMinutes(1), null, null, null);
	}

}
