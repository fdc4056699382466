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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionBuilder;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.context.aot.AbstractAotProcessor;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.util.ClassUtils;

/**
 * Fails the start if the configuration sets an unknown property of Uncontended, or a
 * property without effect: secrets of ticket keys although the source of the keys is
 * {@code local}, or groups although the TLS engine is {@code jdk}. A <em>switch</em> is a
 * property that decides which beans exist. The start fails if a boolean switch is
 * invalid, or if a switch has changed since ahead-of-time processing.
 */
class ConfigurationCheck implements BeanFactoryPostProcessor {

	private static final String SECRETS = "uncontended.ssl.tickets.secrets";

	/** The switches and their defaults. */
	static final Map<String, String> SWITCHES = Map.of("uncontended.uuid.enabled", "true",
			"uncontended.uuid.spring-session", "true", "uncontended.uuid.id-generator", "false",
			"uncontended.secure-random.install", "false", SslEngine.PROPERTY, "jdk",
			"uncontended.ssl.session-cache.enabled", "true", TicketSource.PROPERTY, "local",
			"management.health.uuid.enabled", "false", "management.health.ticket-keys.enabled", "false");

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final Pattern NAME = Pattern.compile("\"name\"\\s*:\\s*\"(uncontended\\.[^\"]+)\"");

	/** The values of the switches during ahead-of-time processing, or empty. */
	private final Map<String, String> frozen;

	ConfigurationCheck(Map<String, String> frozen) {
		this.frozen = frozen;
	}

	@Override
	public void postProcessBeanFactory(ConfigurableListableBeanFactory beanFactory) {
		ConfigurableEnvironment environment = beanFactory.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME,
				ConfigurableEnvironment.class);
		requireFrozen(environment);
		check(environment);
	}

	private static void check(ConfigurableEnvironment environment) {
		List<ConfiguredProperty> properties = properties(environment);
		if (!properties.isEmpty()) {
			requireKnown(properties);
			switches(environment); // Fails if a boolean switch has an invalid value
			requireUse(environment, properties);
		}
	}

	/**
	 * Compares values as the conditions do: {@code yes} equals {@code true}.
	 */
	private void requireFrozen(Environment environment) {
		for (Map.Entry<String, String> each : this.frozen.entrySet()) {
			String name = each.getKey();
			String value = each.getValue();
			if (!value.equals(value(environment, name, SWITCHES.getOrDefault(name, value)))) {
				throw new UnusableConfigurationException(
						"Ahead-of-time processing saw '%s=%s', but now %s".formatted(name, value,
								SingleProperty.describe(environment, name)),
						"Repeat ahead-of-time processing with the current value, or start the application with '%s=%s'."
							.formatted(name, value));
			}
		}
	}

	private static Map<String, String> switches(Environment environment) {
		Map<String, String> values = new TreeMap<>();
		SWITCHES.forEach((name, defaultValue) -> values.put(name, value(environment, name, defaultValue)));
		return values;
	}

	private static String value(Environment environment, String name, String defaultValue) {
		if (defaultValue.equals("true") || defaultValue.equals("false")) {
			return String.valueOf(SingleProperty.isTrue(environment, name, Boolean.parseBoolean(defaultValue)));
		}
		return SingleProperty.get(environment, name, String.class, defaultValue)
			.toLowerCase(Locale.ROOT)
			.replaceAll("[-_]", "");
	}

	private static List<ConfiguredProperty> properties(ConfigurableEnvironment environment) {
		List<ConfiguredProperty> properties = new ArrayList<>();
		for (PropertySource<?> source : environment.getPropertySources()) {
			if (source instanceof EnumerablePropertySource<?> enumerable) {
				for (String name : enumerable.getPropertyNames()) {
					ConfiguredProperty property = ConfiguredProperty.of(source, name);
					if (property != null) {
						properties.add(property);
					}
				}
			}
		}
		return properties;
	}

	private static void requireKnown(List<ConfiguredProperty> properties) {
		Set<String> names = names(Stream.of(ownMetadata()));
		if (names.isEmpty()) {
			return; // Native images and merged jars may lack the metadata.
		}
		List<ConfiguredProperty> unknown = unknown(properties, names);
		if (!unknown.isEmpty()) {
			unknown = unknown(unknown, names(allMetadata()));
		}
		if (!unknown.isEmpty()) {
			throw new UnusableConfigurationException(
					unknown.stream()
						.map((each) -> "Property " + each + " does not exist")
						.collect(Collectors.joining(", and ")),
					unknown.stream()
						.map((each) -> "Did you mean '" + each.nearest(names) + "'?")
						.distinct()
						.collect(Collectors.joining(" ")));
		}
	}

	private static List<ConfiguredProperty> unknown(List<ConfiguredProperty> properties, Set<String> names) {
		return properties.stream().filter((property) -> !property.isOneOf(names)).toList();
	}

	/**
	 * Returns the JSON of Uncontended's properties, or an empty string.
	 */
	static String ownMetadata() {
		String own = ConfigurationCheck.class.getName().replace('.', '/') + ".class";
		URL location = ConfigurationCheck.class.getClassLoader().getResource(own);
		try {
			return (location != null) ? read(new URL(location.toString().replace(own, METADATA))) : "";
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static Stream<String> allMetadata() {
		ClassLoader classLoader = ClassUtils.getDefaultClassLoader();
		return (classLoader != null) ? classLoader.resources(METADATA).map(ConfigurationCheck::read) : Stream.empty();
	}

	private static Set<String> names(Stream<String> metadata) {
		return metadata.flatMap((json) -> NAME.matcher(json).results())
			.map((name) -> name.group(1))
			.collect(Collectors.toCollection(TreeSet::new));
	}

	private static String read(URL metadata) {
		try (InputStream json = metadata.openStream()) {
			return new String(json.readAllBytes(), StandardCharsets.UTF_8);
		}
		catch (IOException ex) {
			return "";
		}
	}

	private static void requireUse(Environment environment, List<ConfiguredProperty> properties) {
		if (TicketSource.of(environment) == TicketSource.LOCAL) {
			requireUnset(SECRETS, properties, "'%s' is 'local'".formatted(TicketSource.PROPERTY),
					"Set '%s' to 'secret' or 'redis', or remove '%s'.".formatted(TicketSource.PROPERTY, SECRETS));
		}
	}

	private static void requireUnset(String name, List<ConfiguredProperty> properties, String reason, String action) {
		properties.stream()
			.filter((property) -> property.is(name) && property.hasValue())
			.findFirst()
			.ifPresent((property) -> {
				throw new UnusableConfigurationException(
						"Property %s has no effect, because %s".formatted(property, reason), action);
			});
	}

	/**
	 * Performs the check. During ahead-of-time processing, also registers a bean that
	 * repeats it in each start, and passes the bean the values of the switches.
	 */
	static class Registrar implements ImportBeanDefinitionRegistrar {

		private final Environment environment;

		Registrar(Environment environment) {
			this.environment = environment;
		}

		@Override
		public void registerBeanDefinitions(AnnotationMetadata metadata, BeanDefinitionRegistry registry) {
			check((ConfigurableEnvironment) this.environment);
			if (Boolean.getBoolean(AbstractAotProcessor.AOT_PROCESSING)) {
				registry.registerBeanDefinition("uncontendedConfigurationCheck",
						BeanDefinitionBuilder.rootBeanDefinition(ConfigurationCheck.class)
							.addConstructorArgValue(switches(this.environment))
							.getBeanDefinition());
			}
		}

	}

}
