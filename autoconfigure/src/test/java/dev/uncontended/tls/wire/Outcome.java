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

package dev.uncontended.tls.wire;

import java.util.List;

/**
 * The server's behavior as seen by a client: responses, alerts, and whether it closed the
 * connection.
 *
 * @param events the behavior, in order
 */
public record Outcome(List<String> events) {

	static final String CLOSED = "closed";

	static final String OPEN = "left open";

	static final String CLOSE_NOTIFY = "close_notify";

	static final String FATAL = "alert ";

	public List<String> responses() {
		return this.events.stream().filter((event) -> event.startsWith("HTTP")).toList();
	}

	/**
	 * Returns whether the server gave a reason for the end of the connection.
	 */
	private boolean isAlerted() {
		return this.events.stream().anyMatch((event) -> event.startsWith(FATAL));
	}

	/**
	 * Returns the outcome without the alerts after a response.
	 */
	public Outcome withoutAlertsAfterResponse() {
		return responses().isEmpty() ? this
				: new Outcome(this.events.stream()
					.filter((event) -> !event.equals(CLOSE_NOTIFY) && !event.startsWith(FATAL))
					.toList());
	}

	public boolean isLeftOpen() {
		return this.events.contains(OPEN);
	}

	/**
	 * Returns whether this server gave the same responses as the other, and sent an alert
	 * at the end of the connection if the other did.
	 */
	public boolean isAlike(Outcome other) {
		return responses().equals(other.responses()) && (isAlerted() || !other.isAlerted())
				&& (!isLeftOpen() || other.isLeftOpen());
	}

	/**
	 * Returns whether this server behaved like the other, or closed a connection that the
	 * other left open.
	 */
	public boolean isLikeOrCloses(Outcome other) {
		return withoutEnd().equals(other.withoutEnd()) && (!isLeftOpen() || other.isLeftOpen());
	}

	private List<String> withoutEnd() {
		return this.events.stream().filter((event) -> !event.equals(OPEN) && !event.equals(CLOSED)).toList();
	}

	@Override
	public String toString() {
		return String.join(", ", this.events);
	}

}
