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

import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyProperties.Source;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches where an engine takes ticket keys, and where a source has been asked for that
 * needs such an engine.
 */
class OnTicketKeysCondition extends SpringBootCondition {

	private static final String ENGINE = "uncontended.ssl.engine";

	@Override
	public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
		Source source = Binder.get(context.getEnvironment())
			.bind(TicketKeyProperties.SOURCE, Source.class)
			.orElse(Source.LOCAL);
		boolean match = isEngineThatTakesKeys(context.getEnvironment()) || source != Source.LOCAL;
		return new ConditionOutcome(match, ConditionMessage.forCondition("Ticket keys")
			.because(match ? "are used" : "are used neither by the engine nor by the source"));
	}

	private static boolean isEngineThatTakesKeys(Environment environment) {
		return "boringssl".equalsIgnoreCase(environment.getProperty(ENGINE));
	}

	/**
	 * Check that shared keys do not go unused.
	 * @throws TicketKeySourceException if the engine does not take them
	 */
	static void requireEngine(Environment environment, Source source) {
		if (source != Source.LOCAL && !isEngineThatTakesKeys(environment)) {
			throw new TicketKeySourceException(
					"'%s=%s' needs an engine that takes keys, and '%s' is '%s'".formatted(TicketKeyProperties.SOURCE,
							source.text(), ENGINE, environment.getProperty(ENGINE, "jdk")),
					"Set '%s' to 'boringssl', or leave '%s' out: the JDK's engine keeps its keys to itself."
						.formatted(ENGINE, TicketKeyProperties.SOURCE));
		}
	}

}
