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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslSessionCacheAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyHealthAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.IdGeneratorUuidAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidHealthAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidInfoAutoConfiguration;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.stereotype.Component;
import org.springframework.util.IdGenerator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what an application prints when a wrong value stops its start.
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
			uncontended.uuid.random.buffer-size        | abc        | buffer, 64B to 1MB, a multiple of 16 bytes
			uncontended.uuid.random.reseed-interval    | -1s        | must not be negative
			uncontended.uuid.random.reseed-interval    | often      | to a duration like 30s or 24h
			uncontended.uuid.enabled                   | nope       | to true or false
			uncontended.uuid.id-generator              | nope       | to true or false
			uncontended.secure-random.install          | ture       | to true or false
			uncontended.ssl.engine                     | openssl    | to one of [jdk, boringssl]
			uncontended.ssl.session-cache.enabled      | nope       | to true or false
			uncontended.ssl.session-cache.stateful     | maybe      | to true or false
			uncontended.ssl.session-cache.maximum-size | -1         | must be from 0 to 2147483647; 0 means no limit
			uncontended.ssl.session-cache.maximum-size | 3000000000 | 0 to 2147483647; 0 means no limit
			uncontended.ssl.session-cache.timeout      | -5s        | must be a whole number of seconds from 0
			uncontended.ssl.session-cache.timeout      | forever    | in whole seconds, 0 to 2147483647
			management.health.ticket-keys.enabled      | nope       | to true or false
			management.health.uuid.enabled             | nope       | to true or false
			management.info.uuid.enabled               | nope       | to true or false
			""")
	void namesPropertyAndValueAndOriginAndWhatWouldBeRight(String property, String value, String rule,
			CapturedOutput output) throws IOException {
		fail(property + "=" + value);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'" + property + "'")
			.contains("'" + value + "'")
			.contains("application.properties] - 1:" + (property.length() + 2))
			.contains(rule);
	}

	@ParameterizedTest
	@ValueSource(strings = { "algorithm=Dice", "provider=SUN", "provider=Missing" })
	void listsPairsThatWorkWhenAlgorithmOrProviderIsUnavailable(String setting, CapturedOutput output)
			throws IOException {
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

	@Test
	void namesPropertyThatSwitchedOffWhatIsMissing(CapturedOutput output) throws IOException {
		fail("uncontended.uuid.enabled=false", NeedsGenerator.class);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("required a bean of type 'dev.uncontended.uuid.UuidGenerator'")
			.contains("'uncontended.uuid.enabled' is 'false' (originating from ")
			.contains("application.properties] - 1:");
	}

	@Test
	void takesEmptyValueForNone() throws IOException {
		List<String> empty = Stream
			.of("uuid.enabled", "uuid.id-generator", "uuid.spring-session", "uuid.tomcat-session",
					"uuid.random.algorithm", "uuid.random.provider", "uuid.random.stripes", "uuid.random.buffer-size",
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
	void takesEveryBooleanThatBootTakes(String value) throws IOException {
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

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SecureRandomAutoConfiguration.class, UuidAutoConfiguration.class,
			IdGeneratorUuidAutoConfiguration.class, UuidHealthAutoConfiguration.class, UuidInfoAutoConfiguration.class,
			SslSessionCacheAutoConfiguration.class, SslServerAutoConfiguration.class,
			TicketKeyHealthAutoConfiguration.class })
	static class Application {

	}

	@Component
	static class NeedsGenerator {

		NeedsGenerator(UuidGenerator generator) {
		}

	}

}
