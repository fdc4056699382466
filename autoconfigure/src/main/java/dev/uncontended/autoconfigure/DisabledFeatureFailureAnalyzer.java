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

package dev.uncontended.autoconfigure;

import java.util.Map;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * If a bean of a disabled feature is missing, names the property that disables the
 * feature. Spring Boot's analyzer of missing beans does not mention the property.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class DisabledFeatureFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {

	private static final Map<Class<?>, String> PROPERTIES = Map.of(UuidGenerator.class, "uncontended.uuid.enabled",
			NameUuidFactory.class, "uncontended.uuid.enabled", SslSessionCache.class, "uncontended.ssl.enabled");

	private final Environment environment;

	DisabledFeatureFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause,
			@Nullable String description) {
		ResolvableType type = cause.getResolvableType();
		String property = (type != null) ? PROPERTIES.get(type.toClass()) : null;
		if (property == null || cause.getNumberOfBeansFound() > 0
				|| SingleProperty.isTrue(this.environment, property, true)) {
			return null;
		}
		return new FailureAnalysis(
				"%s required a bean of type '%s', which does not exist because %s.".formatted(
						(description != null) ? description : "A component", type,
						SingleProperty.describe(this.environment, property)),
				"Set '%s' to true, or define a bean of that type.".formatted(property), cause);
	}

}
