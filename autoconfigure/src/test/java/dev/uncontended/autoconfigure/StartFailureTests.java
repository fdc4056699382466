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
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;

import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.BoringSslAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslSessionCacheAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyHealthAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidHealthAutoConfiguration;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;
import org.springframework.stereotype.Component;
import org.springframework.util.IdGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for failure analyses.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	@TempDir
	private Path directory;

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			uncontended.uuid.random.stripes            | 0          | must be from 1 to 1024
			uncontended.uuid.random.stripes            | 1025       | must be from 1 to 1024
			uncontended.uuid.random.stripes            | many       | to a whole number
			uncontended.uuid.random.buffer-size        | 48B        | must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.buffer-size        | 100B       | must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.buffer-size        | 2MB        | must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.buffer-size        | abc        | 64B to 1MB, a multiple of 16 bytes
			uncontended.uuid.random.reseed-interval    | -1s        | must not be negative
			uncontended.uuid.random.reseed-interval    | often      | to a duration like 30s or 24h
			uncontended.uuid.enabled                   | nope       | to true or false
			uncontended.uuid.id-generator              | nope       | to true or false
			uncontended.secure-random.install          | ture       | to true or false
			uncontended.ssl.engine                     | openssl    | to one of [jdk, boringssl]
			uncontended.ssl.session-cache.enabled      | nope       | to true or false
			uncontended.ssl.session-cache.stateful     | maybe      | to true or false
			uncontended.ssl.session-cache.maximum-size | -1         | must be from 0 to 2147483647; 0 means no limit
			uncontended.ssl.session-cache.maximum-size | 3000000000 | 0 to 2147483647. 0 means no limit
			uncontended.ssl.session-cache.timeout      | -5s        | must be a whole number of seconds from 0
			uncontended.ssl.session-cache.timeout      | forever    | in whole seconds, 0 to 2147483647
			management.health.ticket-keys.enabled      | nope       | to true or false
			management.health.uuid.enabled             | nope       | to true or false
			""")
	void invalidValueIsReportedWithOriginAndRule(String property, String value, String rule, CapturedOutput output)
			throws IOException {
		fail(property + "=" + value);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'" + property + "'")
			.contains("'" + value + "'")
			.contains("application.properties] - 1:" + (property.length() + 2))
			.contains(rule);
	}

	@Test
	void validValuesAreReportedIndependentlyOfLocale(CapturedOutput output) throws IOException {
		Locale original = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("tr"));
		try {
			fail("uncontended.ssl.engine=openssl");
		}
		finally {
			Locale.setDefault(original);
		}
		assertThat(output).contains("to one of [jdk, boringssl]");
	}

	@ParameterizedTest
	@ValueSource(strings = { "algorithm=Dice", "provider=SUN", "provider=Missing" })
	void unavailableAlgorithmIsReportedWithAvailablePairs(String setting, CapturedOutput output) throws IOException {
		fail("uncontended.uuid.random." + setting);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("algorithm '" + (setting.startsWith("a") ? "Dice" : "CTR_DRBG") + "'")
			.contains("'uncontended.uuid.random." + setting.replace("=", "' is '") + "' (originating from ")
			.contains("application.properties] - 1:")
			.contains(
					"'uncontended.uuid.random." + (setting.startsWith("a") ? "provider" : "algorithm") + "' is not set")
			.contains("algorithm: CTR_DRBG, provider: Uncontended")
			.contains("algorithm: DRBG, provider: SUN")
			.doesNotContain("algorithm: CTR_DRBG, provider: SUN");
	}

	@ParameterizedTest
	@CsvSource({ "CRT_DRBG, CTR_DRBG", "ctr-drbg, CTR_DRBG", "DBRG, DRBG", "Dice, ''", "CTR_DRBG, ''" })
	void misspelledAlgorithmIsReportedWithNearestName(String misspelled, String nearest, CapturedOutput output)
			throws IOException {
		fail("uncontended.uuid.random.algorithm=" + misspelled + "\nuncontended.uuid.random.provider=Missing");
		String suggestion = nearest.isEmpty() ? "" : "Did you mean '%s'? ".formatted(nearest);
		assertThat(output).contains("Action:\n\n" + suggestion + "Set both");
	}

	@ParameterizedTest
	@CsvSource({ "uuid.random.stripe, uuid.random.stripes", "uuid.enabld, uuid.enabled",
			"secure-random.installed, secure-random.install",
			"ssl.session-cache.max-size, ssl.session-cache.maximum-size", "ssl.enabled, ssl.engine",
			"ssl.ticket.source, ssl.tickets.source", "ssl.tickets.secret, ssl.tickets.secrets",
			"ssl.tickets.secret[0], ssl.tickets.secrets", "uuid-random.stripes, uuid.random.stripes" })
	void misspelledPropertyIsReportedWithNearestName(String misspelled, String nearest, CapturedOutput output)
			throws IOException {
		fail("uncontended." + misspelled + "=hidden");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'uncontended." + misspelled + "' (")
			.contains("application.properties] - 1:")
			.contains("Did you mean 'uncontended." + nearest + "'?")
			.doesNotContain("hidden");
	}

	@Test
	void misspelledOptionIsReportedWithOrigin(CapturedOutput output) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--uncontended.uuid.enabld=hidden"));
		assertThat(output)
			.contains(
					"'uncontended.uuid.enabld' (\"uncontended.uuid.enabld\" from property source \"commandLineArgs\")")
			.doesNotContain("hidden");
	}

	@Test
	void allMisspeltPropertiesAreReported(CapturedOutput output) throws IOException {
		fail("uncontended.uuid.enable=true\nuncontended.ssl.engin=jdk");
		assertThat(output).contains("'uncontended.uuid.enable'", "'uncontended.ssl.engin'",
				"Did you mean 'uncontended.uuid.enabled'?", "Did you mean 'uncontended.ssl.engine'?");
	}

	@ParameterizedTest
	@CsvSource({ "UNCONTENDED_UUID_RANDOM_STRIPE, uncontended.uuid.random.stripes",
			"UNCONTENDED_SSL_SESSION_CACHE_MAXSIZE, uncontended.ssl.session-cache.maximum-size",
			"UNCONTENDED_SECURE_RANDOM_INSTALLED, uncontended.secure-random.install" })
	void misspelledVariableIsReportedWithNearestName(String misspelled, String nearest, CapturedOutput output) {
		assertThatException().isThrownBy(() -> startWithVariables(Map.of(misspelled, "1")));
		assertThat(output).contains("'" + misspelled + "'").contains("Did you mean '" + nearest + "'?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "UNCONTENDED_UUID_RANDOM_BUFFERSIZE=16KB", "UNCONTENDED_UUID_RANDOM_BUFFER_SIZE=16KB",
			"uncontended_uuid_random_buffer_size=16KB", "UNCONTENDED_SECURERANDOM_INSTALL=false",
			"UNCONTENDED_SSL_TICKETS_SECRETS_0=", "UNCONTENDED_OPTS=-Xmx1g", "UNCONTENDED_HOME=/opt",
			"UNCONTENDED_SSL_SERVICE_HOST=10.0.0.1", "UNCONTENDED_UUID_PORT_8080_TCP_ADDR=10.0.0.1",
			"UNCONTENDED_UUID_SERVICE_PORT_HTTP=80", "UNCONTENDEDNESS_UUID_A=1" })
	void validAndForeignVariablesAreAccepted(String variable) {
		String[] pair = variable.split("=", 2);
		startWithVariables(Map.of(pair[0], pair[1])).close();
	}

	@ParameterizedTest
	@ValueSource(strings = { "uncontended.uuid.random.bufferSize=16KB", "uncontended.uuid.random.buffer_size=16KB",
			"uncontended.ssl.session-cache=", "uncontendedness.uuid.a=1",
			"uncontended.ssl.tickets.secrets=\nuncontended.uuid.enabled=true", "uncontended.acme.colour=blue" })
	void validAndForeignPropertiesAreAccepted(String configuration) throws IOException {
		Path other = Files.createDirectories(this.directory.resolve("other/META-INF"));
		Files.writeString(other.resolve("spring-configuration-metadata.json"),
				"{\"properties\": [{\"name\": \"uncontended.acme.colour\"}]}");
		ClassLoader original = Thread.currentThread().getContextClassLoader();
		try (URLClassLoader loader = new URLClassLoader(new URL[] { other.getParent().toUri().toURL() }, original)) {
			Thread.currentThread().setContextClassLoader(loader);
			start(configuration, Application.class).close();
		}
		finally {
			Thread.currentThread().setContextClassLoader(original);
		}
	}

	@Test
	void misspelledFileInConfigurationTreeIsReportedWithNearestName(CapturedOutput output) throws IOException {
		Files.writeString(Files.createDirectories(this.directory.resolve("tree")).resolve("uncontended.uuid.enable"),
				"true");
		assertThatException()
			.isThrownBy(() -> start("spring.config.import=configtree:" + this.directory.resolve("tree") + "/",
					Application.class));
		assertThat(output).contains("'uncontended.uuid.enable' (", "Did you mean 'uncontended.uuid.enabled'?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "secrets", "secrets[0]" })
	void unusedSecretsAreReported(String property, CapturedOutput output) throws IOException {
		fail("uncontended.ssl.tickets." + property + "=0123456789abcdef0123456789abcdef");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'uncontended.ssl.tickets." + property + "' (")
			.contains("Set 'uncontended.ssl.tickets.source' to 'secret' or 'redis'")
			.doesNotContain("0123456789abcdef");
	}

	@Test
	void unusedSecretsAreReportedWithEmptySource(CapturedOutput output) throws IOException {
		fail("uncontended.ssl.tickets.source=\nuncontended.ssl.tickets.secrets=0123456789abcdef0123456789abcdef");
		assertThat(output).contains("Set 'uncontended.ssl.tickets.source' to 'secret' or 'redis'");
	}

	@ParameterizedTest
	@CsvSource({ "uncontended.ssl.engine, ''", "uncontended.ssl.engine, ' '", "uncontended.ssl.engine, ' jdk '",
			"uncontended.ssl.tickets.source, ''" })
	void valueEqualsDefaultOfAheadOfTimeProcessing(String property, String value) {
		ConfigurationCheck check = new ConfigurationCheck(Map.of(property, ConfigurationCheck.SWITCHES.get(property)));
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new MapPropertySource("test", Map.of(property, value)));
		DefaultListableBeanFactory beanFactory = new DefaultListableBeanFactory();
		beanFactory.registerSingleton("environment", environment);
		assertThatNoException().isThrownBy(() -> check.postProcessBeanFactory(beanFactory));
	}

	@Test
	void missingBeanIsReportedWithDisablingProperty(CapturedOutput output) throws IOException {
		fail("uncontended.uuid.enabled=false", NeedsGenerator.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a bean of type 'dev.uncontended.uuid.UuidGenerator'")
			.contains("'uncontended.uuid.enabled' is 'false' (originating from ")
			.contains("application.properties] - 1:");
	}

	@Test
	void emptyValueCountsAsUnset() throws IOException {
		List<String> empty = Stream
			.of("uuid.enabled", "uuid.id-generator", "uuid.spring-session", "uuid.random.algorithm",
					"uuid.random.provider", "uuid.random.stripes", "uuid.random.buffer-size",
					"uuid.random.reseed-interval", "secure-random.install", "ssl.engine", "ssl.session-cache.enabled",
					"ssl.session-cache.maximum-size", "ssl.session-cache.stateful", "ssl.session-cache.timeout")
			.map((name) -> "uncontended." + name + "=")
			.toList();
		try (ConfigurableApplicationContext context = start(String.join("\n", empty), Application.class)) {
			assertThat(context.getBean(UuidGenerator.class).algorithm()).isEqualTo("CTR_DRBG");
			assertThat(context.getBean(SslSessionCache.class).getSessionTimeout()).isEqualTo(86_400);
			assertThat(context.getBean(SslSessionCache.class).getSessionCacheSize()).isEqualTo(20_480);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "yes", "on", "TRUE", "1" })
	void booleansOfBootAreAccepted(String value) throws IOException {
		try (ConfigurableApplicationContext context = start("uncontended.uuid.id-generator=" + value,
				Application.class)) {
			assertThat(context.getBean(IdGenerator.class).generateId()).isNotNull();
		}
	}

	private void fail(String configuration, Class<?>... more) throws IOException {
		Class<?>[] sources = Stream.concat(Stream.of(Application.class), Stream.of(more)).toArray(Class<?>[]::new);
		assertThatException().isThrownBy(() -> start(configuration, sources));
	}

	private ConfigurableApplicationContext start(String configuration, Class<?>... sources) throws IOException {
		Path file = Files.writeString(this.directory.resolve("application.properties"), configuration);
		return new SpringApplicationBuilder(sources).web(WebApplicationType.NONE)
			.run("--spring.config.location=file:" + file);
	}

	private ConfigurableApplicationContext startWithVariables(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, new SystemEnvironmentPropertySource(
					StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.environment(environment)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ StartupLogAutoConfiguration.class, SecureRandomAutoConfiguration.class,
			UuidAutoConfiguration.class, UuidHealthAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			BoringSslAutoConfiguration.class, SslServerAutoConfiguration.class,
			TicketKeyHealthAutoConfiguration.class })
	static class Application {

	}

	@Component
	static class NeedsGenerator {

		NeedsGenerator(UuidGenerator generator) {
		}

	}

}
