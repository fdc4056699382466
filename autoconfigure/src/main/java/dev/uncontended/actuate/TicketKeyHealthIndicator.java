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
package dev.uncontended.actuate;

import dev.uncontended.tls.tickets.TicketKeyStatus;
import dev.uncontended.tls.tickets.TicketKeys;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * A {@link HealthIndicator} that is DOWN while the ticket keys cannot be changed or are
 * {@linkplain TicketKeyStatus#up() out of date}. Meanwhile, handshakes use the keys that
 * this node has.
 */
public class TicketKeyHealthIndicator extends AbstractHealthIndicator {

	private final TicketKeys keys;

	public TicketKeyHealthIndicator(TicketKeys keys) {
		this.keys = keys;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		TicketKeyStatus status = this.keys.status();
		builder.status(status.up() ? Status.UP : Status.DOWN).withDetail("source", status.source());
		if (status.lastFailure() != null) {
			builder.withDetail("lastFailure", status.lastFailure());
		}
	}

}
