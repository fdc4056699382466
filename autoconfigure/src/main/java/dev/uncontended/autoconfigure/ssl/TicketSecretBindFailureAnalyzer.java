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
package dev.uncontended.autoconfigure.ssl;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Reports failures to bind the secrets of ticket keys, without showing the secrets. The
 * analyzer's order and its place in {@code spring.factories} put it before analyzers that
 * show values.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class TicketSecretBindFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final ConfigurationPropertyName SECRETS = ConfigurationPropertyName
		.of(SslProperties.Tickets.SECRETS);

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		if (!SECRETS.equals(cause.getName()) && !SECRETS.isAncestorOf(cause.getName())) {
			return null;
		}
		return new FailureAnalysis("Failed to bind '%s'. Its values are not shown.".formatted(SECRETS),
				"Set it to a list of strings, indexed from 0 without gaps.", cause);
	}

}
