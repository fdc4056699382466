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
package dev.uncontended.autoconfigure.ssl.tickets;

import dev.uncontended.actuate.TicketKeyHealthIndicator;
import dev.uncontended.tls.tickets.TicketKeys;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link TicketKeyHealthIndicator}. The indicator is disabled
 * by default, because a node whose source of ticket keys fails still serves all clients.
 */
@AutoConfiguration(after = TicketKeyAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBooleanProperty("management.health.ticket-keys.enabled")
@ConditionalOnSingleCandidate(TicketKeys.class)
public final class TicketKeyHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "ticketKeysHealthIndicator")
	TicketKeyHealthIndicator ticketKeysHealthIndicator(TicketKeys keys) {
		return new TicketKeyHealthIndicator(keys);
	}

}
