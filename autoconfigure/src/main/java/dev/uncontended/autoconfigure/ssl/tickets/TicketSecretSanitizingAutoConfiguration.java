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

import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that hides {@code uncontended.ssl.tickets.secrets} in Actuator
 * endpoints, even if the endpoints show other values.
 */
@AutoConfiguration
@ConditionalOnClass(SanitizingFunction.class)
public final class TicketSecretSanitizingAutoConfiguration {

	@Bean
	SanitizingFunction ticketSecretSanitizingFunction() {
		// Names of environment variables contain underscores instead of dots.
		return SanitizingFunction.sanitizeValue().ifKeyMatches("uncontended[._]ssl[._]tickets[._]secrets.*");
	}

}
