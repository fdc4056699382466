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
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyProperties.Source;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the TLS engine accepts ticket keys, or if the configured {@link Source}
 * shares ticket keys between nodes. {@link #requireUse} fails the start if the servers
 * cannot use the shared keys.
 */
class OnTicketKeysCondition extends SpringBootCondition {

	private static final String STATEFUL = "uncontended.ssl.session-cache.stateful";

	private static final String ENABLED = "uncontended.ssl.session-cache.enabled";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		boolean match = isEngineThatTakesKeys(context.getEnvironment())
				|| source(context.getEnvironment()) != Source.LOCAL;
		return new ConditionOutcome(match, ConditionMessage.forCondition("Ticket keys")
			.because(match ? "are used" : "are not used by the engine or the source"));
	}

	private static Source source(Environment environment) {
		return SingleProperty.get(environment, TicketKeyProperties.SOURCE, Source.class, Source.LOCAL);
	}

	private static boolean isEngineThatTakesKeys(Environment environment) {
		return SslEngine.of(environment) == SslEngine.BORINGSSL;
	}

	static void requireUse(Environment environment, Source source) {
		if (source == Source.LOCAL) {
			return;
		}
		String wanted = "'%s=%s' ".formatted(TicketKeyProperties.SOURCE, source.text());
		if (!isEngineThatTakesKeys(environment)) {
			throw new UnusableConfigurationException(
					wanted + "requires an engine with ticket keys, but '%s' is '%s'".formatted(SslEngine.PROPERTY,
							SingleProperty.get(environment, SslEngine.PROPERTY, String.class, "jdk")),
					"Set '%s' to 'boringssl', or remove '%s': the JDK's engine does not accept ticket keys."
						.formatted(SslEngine.PROPERTY, TicketKeyProperties.SOURCE));
		}
		if (SingleProperty.isTrue(environment, STATEFUL, false)) {
			throw new UnusableConfigurationException(
					wanted + "shares ticket keys, but '%s' disables tickets".formatted(STATEFUL),
					"Remove '%s' or '%s'.".formatted(STATEFUL, TicketKeyProperties.SOURCE));
		}
		if (!SingleProperty.isTrue(environment, ENABLED, true)) {
			throw new UnusableConfigurationException(
					wanted + "requires the session cache, but '%s' is false".formatted(ENABLED),
					"Remove '%s' or '%s'.".formatted(ENABLED, TicketKeyProperties.SOURCE));
		}
	}

	static class OnRedis extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return new ConditionOutcome(source(context.getEnvironment()) == Source.REDIS,
					SingleProperty.describe(context.getEnvironment(), TicketKeyProperties.SOURCE));
		}

	}

}
