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

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Auto-configuration that warns of unknown properties and of properties without effect.
 */
@AutoConfiguration
public final class ConfigurationCheckAutoConfiguration implements BeanFactoryPostProcessor {

	private static final Log logger = LogFactory.getLog(ConfigurationCheckAutoConfiguration.class);

	private static final String ROOT = "uncontended";

	/** Booleans of which Spring Boot's conditions know only true and false. */
	static final Set<String> SWITCHES = Set.of("uncontended.uuid.enabled", "uncontended.uuid.id-generator",
			"uncontended.uuid.spring-session", "uncontended.secure-random.install", "uncontended.ssl.enabled",
			"management.health.uuid.enabled", "management.health.ticket-keys.enabled");

	/** A property or a group, and the settings of which it needs one. */
	private static final String NEEDS = """
			uncontended.uuid uncontended.uuid.enabled=true uncontended.secure-random.install=true
			uncontended.uuid.spring-session uncontended.uuid.enabled=true
			uncontended.uuid.id-generator uncontended.uuid.enabled=true
			management.health.uuid uncontended.uuid.enabled=true
			uncontended.ssl uncontended.ssl.enabled=true
			management.health.ticket-keys uncontended.ssl.engine=boringssl
			uncontended.ssl.tickets uncontended.ssl.engine=boringssl
			uncontended.ssl.tickets.redis uncontended.ssl.tickets.source=redis
			uncontended.ssl.tickets.secrets uncontended.ssl.tickets.source=secret uncontended.ssl.tickets.source=redis
			uncontended.ssl.tickets.generation uncontended.ssl.tickets.source=secret uncontended.ssl.tickets.source=redis
			""";

	private static final Set<String> DEFAULTS = Set.of("uncontended.uuid.enabled=true", "uncontended.ssl.enabled=true");

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		Environment environment = beanFactory.getBean(Environment.class);
		Set<ConfigurationPropertyName> checked = new HashSet<>();
		List<ConfigurationPropertyName> known = List.of();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource names) {
				for (ConfigurationPropertyName name : names) {
					ConfigurationProperty property = isOwn(name) ? source.getConfigurationProperty(name) : null;
					if (property != null && checked.add(withoutIndex(name))) {
						known = known.isEmpty() ? known() : known;
						check(environment, property, known,
								source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource);
					}
				}
			}
		}
	}

	private static boolean isOwn(ConfigurationPropertyName name) {
		String first = name.getElement(0, Form.UNIFORM);
		return (Math.abs(first.length() - ROOT.length()) <= 2 && name.getNumberOfElements() > 1
				&& edits(first, ROOT) <= 2) || SWITCHES.contains(name.toString());
	}

	private static void check(Environment environment, ConfigurationProperty property,
			List<ConfigurationPropertyName> known, boolean variable) {
		ConfigurationPropertyName name = withoutIndex(property.getName());
		ToIntFunction<ConfigurationPropertyName> edits = (other) -> edits(text(name), text(other));
		ConfigurationPropertyName nearest = known.stream()
			.min(Comparator.comparing((ConfigurationPropertyName other) -> !name.isAncestorOf(other))
				.thenComparingInt(edits))
			.orElse(name);
		if (name.equals(nearest) || (variable && edits.applyAsInt(nearest) == 0)) {
			checkEffect(environment, nearest, property);
		}
		// Other programs share the variables, and an empty group is no mistake.
		else if (variable ? edits.applyAsInt(nearest) <= 4 : !isBlank(property) || !name.isAncestorOf(nearest)) {
			warn(property, "does not exist. Did you mean '" + nearest + "'?");
		}
	}

	private static void checkEffect(Environment environment, ConfigurationPropertyName name,
			ConfigurationProperty property) {
		String value = String.valueOf(property.getValue());
		if (SWITCHES.contains(name.toString()) && !value.matches("(?i)true|false")) {
			warn(property, "counts as false. Set it to true or false.");
		}
		else if (!isBlank(property) && !value.equalsIgnoreCase("false")) {
			NEEDS.lines().map((line) -> List.of(line.split(" "))).filter((need) -> {
				ConfigurationPropertyName group = ConfigurationPropertyName.of(need.get(0));
				return (group.equals(name) || group.isAncestorOf(name))
						&& need.stream().skip(1).noneMatch((setting) -> isMet(environment, setting));
			})
				.findFirst()
				.ifPresent((need) -> warn(property,
						"has no effect. It needs " + String.join(" or ", need.subList(1, need.size())) + "."));
		}
	}

	private static boolean isMet(Environment environment, String setting) {
		String[] pair = setting.split("=");
		String value = environment.getProperty(pair[0], "").replaceAll("[-_\\s]", "");
		return value.isEmpty() ? DEFAULTS.contains(setting) : value.equalsIgnoreCase(pair[1]);
	}

	private static void warn(ConfigurationProperty property, String problem) {
		logger.warn("Property '%s'%s %s".formatted(property.getName(), SingleProperty.originOf(property), problem));
	}

	private static boolean isBlank(ConfigurationProperty property) {
		return String.valueOf(property.getValue()).isBlank();
	}

	private static ConfigurationPropertyName withoutIndex(ConfigurationPropertyName name) {
		return name.isLastElementIndexed() ? name.getParent() : name;
	}

	private static String text(ConfigurationPropertyName name) {
		return name.toString().replaceAll("[^a-z0-9]", "");
	}

	/**
	 * Reads the names from the metadata next to this class. Native images have none.
	 */
	private static List<ConfigurationPropertyName> known() {
		String own = ConfigurationCheckAutoConfiguration.class.getName().replace('.', '/') + ".class";
		URL location = ConfigurationCheckAutoConfiguration.class.getClassLoader().getResource(own);
		if (location == null) {
			return List.of();
		}
		try (InputStream metadata = new URL(
				location.toString().replace(own, "META-INF/spring-configuration-metadata.json"))
			.openStream()) {
			String json = new String(metadata.readAllBytes(), StandardCharsets.UTF_8);
			return Pattern.compile("\"name\": \"([a-z.-]+)\",\\s*\"type\"")
				.matcher(json.substring(json.indexOf("\"properties\"")))
				.results()
				.map((name) -> ConfigurationPropertyName.of(name.group(1)))
				.toList();
		}
		catch (IOException ex) {
			return List.of();
		}
	}

	/**
	 * Returns the Levenshtein distance.
	 */
	private static int edits(String a, String b) {
		int[] row = new int[b.length() + 1];
		for (int j = 0; j <= b.length(); j++) {
			row[j] = j;
		}
		for (int i = 1; i <= a.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= b.length(); j++) {
				int substitution = diagonal + ((a.charAt(i - 1) != b.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(substitution, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[b.length()];
	}

}
