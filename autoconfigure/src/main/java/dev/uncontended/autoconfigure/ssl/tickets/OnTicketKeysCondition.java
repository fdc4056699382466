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

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.autoconfigure.TicketSource;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the TLS engine accepts ticket keys, or if the configured
 * {@link TicketSource} shares ticket keys between nodes.
 */
class OnTicketKeysCondition extends SpringBootCondition {

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Environment environment = context.getEnvironment();
		boolean match = SslEngine.of(environment) == SslEngine.BORINGSSL
				|| TicketSource.of(environment) != TicketSource.LOCAL;
		return new ConditionOutcome(match, ConditionMessage.forCondition("Ticket keys")
			.because(match ? "are used" : "are not used by the engine or the source"));
	}

	static class OnRedis extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return new ConditionOutcome(TicketSource.of(context.getEnvironment()) == TicketSource.REDIS,
					SingleProperty.describe(context.getEnvironment(), TicketSource.PROPERTY));
		}

	}

}
