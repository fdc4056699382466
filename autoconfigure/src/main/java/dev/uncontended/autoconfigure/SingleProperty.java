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

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * Describes properties for messages.
 */
public final class SingleProperty {

	private SingleProperty() {
	}

	/**
	 * Returns the name, value and origin of a property for messages, such as
	 * {@code 'a.b' is 'c' (originating from 'class path resource [application.yml] -
	 * 1:8')}.
	 */
	public static String describe(Environment environment, String name) {
		ConfigurationProperty property = environment.containsProperty(name) ? find(environment, name) : null;
		return (property != null) ? describe(property) : "'" + name + "' is not set";
	}

	/**
	 * Returns the origin of a secret for messages, without its value. The list of secrets
	 * may be set as one comma-separated value.
	 * @return the origin in parentheses, or an empty string if it is unknown
	 */
	public static String originOf(Environment environment, String name, int index) {
		ConfigurationProperty property = find(environment, "%s[%d]".formatted(name, index));
		if (property == null) {
			property = find(environment, name);
		}
		return (property != null) ? originOf(property) : "";
	}

	/**
	 * Returns the origin of a property in parentheses for messages, without its value.
	 */
	public static String originOf(ConfigurationProperty property) {
		return " (originating from '%s')".formatted(property.getOrigin());
	}

	static String describe(ConfigurationProperty property) {
		return "'%s' is '%s'%s".formatted(property.getName(), property.getValue(), originOf(property));
	}

	private static @Nullable ConfigurationProperty find(Environment environment, String name) {
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			ConfigurationProperty property = source.getConfigurationProperty(ConfigurationPropertyName.of(name));
			if (property != null) {
				return property;
			}
		}
		return null;
	}

}
