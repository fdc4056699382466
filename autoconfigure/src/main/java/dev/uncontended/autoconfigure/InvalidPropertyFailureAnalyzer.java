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

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.util.ClassUtils;
import org.springframework.util.unit.DataSize;

/**
 * Analyzes values that cannot be bound to a property of Uncontended. The suggested action
 * contains the expected type and the property's description.
 */
@Order(Ordered.HIGHEST_PRECEDENCE)
class InvalidPropertyFailureAnalyzer extends AbstractFailureAnalyzer<BindException> {

	private static final List<ConfigurationPropertyName> ROOTS = Stream
		.of("uncontended", "management.health.ticket-keys", "management.health.uuid")
		.map(ConfigurationPropertyName::of)
		.toList();

	@Override
	protected @Nullable FailureAnalysis analyze(Throwable rootFailure, BindException cause) {
		ConfigurationProperty property = cause.getProperty();
		if (property == null || ROOTS.stream().noneMatch((root) -> root.isAncestorOf(property.getName()))) {
			return null;
		}
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(cause.getTarget().getType().resolve(Object.class));
		return new FailureAnalysis("Property %s, which is invalid.".formatted(SingleProperty.describe(property)),
				"Set '%s' to %s, or remove it.%s".formatted(property.getName(), form(type),
						description(property.getName().toString())),
				cause);
	}

	private static String form(Class<?> type) {
		if (type == Boolean.class) {
			return "true or false";
		}
		if (type == Duration.class) {
			return "a duration like 30s or 24h";
		}
		if (type == DataSize.class) {
			return "a size like 8KB";
		}
		if (Number.class.isAssignableFrom(type)) {
			return "a whole number";
		}
		return type.isEnum() ? "one of " + Arrays.toString(type.getEnumConstants()).toLowerCase(Locale.ROOT)
				: "a value of type " + type.getName();
	}

	private static String description(String property) {
		try {
			Map<String, Object> metadata = JsonParserFactory.getJsonParser().parseMap(ConfigurationCheck.ownMetadata());
			for (Object each : (List<?>) metadata.getOrDefault("properties", List.of())) {
				if (each instanceof Map<?, ?> entry && property.equals(entry.get("name"))) {
					return " Description: " + entry.get("description");
				}
			}
		}
		catch (RuntimeException ex) {
			// The description is optional.
		}
		return "";
	}

}
