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
import java.util.Locale;
import java.util.Map;

import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.BoringSslAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslSessionCacheAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
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

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for wrong settings. Each is answered by an error or a warning that names the
 * property, the place, and the remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class WrongSettingTests {

	@TempDir
	private Path directory;

	/*
	 * The last of the settings is the wrong one.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					uncontended.uuid.random.stripes=0                 | must be from 1 to 1024
					uncontended.uuid.random.stripes=1025              | must be from 1 to 1024
					uncontended.uuid.random.stripes=many              | java.lang.Integer
					uncontended.uuid.random.buffer-size=48B           | must be from 64B to 1MB and a multiple of 16 bytes
					uncontended.uuid.random.buffer-size=100B          | must be from 64B to 1MB and a multiple of 16 bytes
					uncontended.uuid.random.buffer-size=2MB           | must be from 64B to 1MB and a multiple of 16 bytes
					uncontended.uuid.random.buffer-size=abc           | DataSize
					uncontended.uuid.random.reseed-interval=-1s       | must not be negative
					uncontended.uuid.random.reseed-interval=often     | Duration
					uncontended.uuid.random.algorithm=Dice            | CTR_DRBG of Uncontended
					uncontended.uuid.random.algorithm=ctr-drbg        | CTR_DRBG of Uncontended
					uncontended.uuid.random.provider=SUN              | DRBG of SUN
					uncontended.uuid.random.provider=Missing          | DRBG of SUN
					uncontended.ssl.engine=openssl                    | BORINGSSL
					uncontended.ssl.session-cache.stateful=maybe      | java.lang.Boolean
					uncontended.ssl.session-cache.maximum-size=-1     | must be from 0 to 2147483647; 0 means no limit
					uncontended.ssl.session-cache.maximum-size=3000000000 | java.lang.Integer
					uncontended.ssl.session-cache.timeout=-5s         | must be a whole number of seconds from 0
					uncontended.ssl.session-cache.timeout=1500ms      | must be a whole number of seconds from 0
					uncontended.ssl.session-cache.timeout=forever     | Duration
					E;uncontended.ssl.groups=x25518                   | X25519MLKEM768
					E;uncontended.ssl.tickets.source=sercet           | secret
					E;uncontended.ssl.tickets.source=redis            | spring-boot-starter-data-redis
					E;uncontended.ssl.tickets.source=secret           | openssl rand -base64 32
					E;T.source=secret;T.secrets=                      | openssl rand -base64 32
					E;T.source=secret;T.secrets=too-short-s3cr        | openssl rand -base64 32
					E;T.source=secret;T.secrets[0]=too-short-s3cr     | secret must be at least 32 bytes, but was 14
					E;T.source=secret;T.secrets[2]=too-short-s3cr     | indexed from 0 without gaps
					E;T.source=secret;T.secrets[0]=${UNSET-s3cr-OF_THE_WHOLE_FLEET} | must not contain '${'
					E;T.source=secret;T.secrets[0]=a-s3cr-of-at-least-32-bytes-total;T.secrets[1]=a-s3cr-of-at-least-32-bytes-total | it equals 'uncontended.ssl.tickets.secrets[0]'
					E;T.source=secret;T.secrets[0]=a-s3cr-of-at-least-32-bytes-total;T.generation=-1 | must not be negative
					E;T.generation=new                                | java.lang.Integer
					E;T.rotation-interval=0s                          | must be positive
					E;T.rotation-interval=-1h                         | must be positive
					E;T.rotation-interval=1s                          | at least 1/256 of 'uncontended.ssl.tickets.lifetime', which is 'PT24H'
					E;T.rotation-interval=often                       | Duration
					E;T.lifetime=0s                                   | must be positive
					E;T.lifetime=9999d                                | must be at most 3650 days and 256 times 'uncontended.ssl.tickets.rotation-interval', which is 'PT12H'
					E;T.lifetime=9223372036854775807                  | must be at most 3650 days
					""")
	void valueThatCannotBeHonouredFailsStart(String settings, String remedy, CapturedOutput output) throws IOException {
		List<String> lines = lines(settings);
		assertThatException().isThrownBy(() -> start(lines));
		String property = name(lines.get(lines.size() - 1)).replaceFirst("\\[2]$", "");
		assertThat(output).contains("APPLICATION FAILED TO START", property, place(lines), remedy)
			.doesNotContain("s3cr");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"',
			textBlock = """
					uncontended.uuid.enabled=nope                     | Set it to true or false
					uncontended.uuid.enabled=                         | Set it to true or false
					uncontended.uuid.spring-session=yes               | Set it to true or false
					uncontended.uuid.id-generator=nope                | Set it to true or false
					uncontended.secure-random.install=ture            | Set it to true or false
					uncontended.ssl.enabled=nope                      | Set it to true or false
					management.health.ticket-keys.enabled=nope        | Set it to true or false
					management.health.uuid.enabled=nope               | Set it to true or false
					uncontended.uuid.random.stripe=4                  | 'uncontended.uuid.random.stripes'
					uncontended.uuid.enabld=s3cr                      | 'uncontended.uuid.enabled'
					uncontended.secure-random.installed=true          | 'uncontended.secure-random.install'
					uncontended.ssl.session-cache.max-size=9          | 'uncontended.ssl.session-cache.maximum-size'
					uncontended.ssl.session-cache.enabled=false       | 'uncontended.ssl.
					uncontended.ssl.ticket.source=redis               | 'uncontended.ssl.tickets.source'
					uncontended.ssl.tickets.secret=s3cr               | 'uncontended.ssl.tickets.secrets'
					uncontended.ssl.tickets.secret[0]=s3cr            | 'uncontended.ssl.tickets.secrets'
					uncontended.uuid-random.stripes=4                 | 'uncontended.uuid.random.stripes'
					uncontended.uuid=false                            | 'uncontended.uuid.enabled'
					uncontended.ssl=boringssl                         | 'uncontended.ssl.engine'
					uncontended.ssl.tickets=redis                     | 'uncontended.ssl.tickets.source'
					uncontented.ssl.engine=boringssl                  | 'uncontended.ssl.engine'
					uncontended.acme.colour=blue                      | Did you mean
					uncontended.ssl.tickets.rotation-interval=1h      | uncontended.ssl.engine=boringssl
					uncontended.ssl.tickets.source=redis              | uncontended.ssl.engine=boringssl
					uncontended.ssl.tickets.source=sercet             | uncontended.ssl.engine=boringssl
					uncontended.ssl.tickets.secrets=a-s3cr-of-at-least-32-bytes-total    | uncontended.ssl.engine=boringssl
					management.health.ticket-keys.enabled=true        | uncontended.ssl.engine=boringssl
					E;T.secrets[0]=a-s3cr-of-at-least-32-bytes-total  | uncontended.ssl.tickets.source=secret or uncontended.ssl.tickets.source=redis
					E;T.generation=3                                  | uncontended.ssl.tickets.source=secret or uncontended.ssl.tickets.source=redis
					E;T.redis.key-prefix=mine                         | uncontended.ssl.tickets.source=redis
					E;T.redis.poll-interval=0s                        | uncontended.ssl.tickets.source=redis
					uncontended.ssl.enabled=false;uncontended.ssl.engine=boringssl | uncontended.ssl.enabled=true
					uncontended.ssl.enabled=false;uncontended.ssl.session-cache.timeout=1h | uncontended.ssl.enabled=true
					uncontended.uuid.enabled=false;uncontended.uuid.id-generator=true | uncontended.uuid.enabled=true
					uncontended.uuid.enabled=false;uncontended.uuid.random.stripes=4 | uncontended.secure-random.install=true
					uncontended.uuid.enabled=false;management.health.uuid.enabled=true | uncontended.uuid.enabled=true
					""")
	void settingWithoutEffectWarns(String settings, String remedy, CapturedOutput output) throws IOException {
		List<String> lines = lines(settings);
		start(lines).close();
		assertThat(output.getOut().lines())
			.filteredOn((line) -> line.contains("WARN") && line.contains("'" + name(lines.get(lines.size() - 1)) + "'"))
			.singleElement()
			.asString()
			.contains(place(lines), remedy);
		assertThat(output).doesNotContain("s3cr");
	}

	@ParameterizedTest
	@ValueSource(strings = { "uncontended.uuid.random.bufferSize=16KB", "uncontended.uuid.random.buffer_size=16KB",
			"uncontended.uuid.random.stripes=3", "uncontended.uuid.random.algorithm=",
			"uncontended.uuid.random.provider=", "uncontended.uuid.random.stripes=",
			"uncontended.uuid.random.buffer-size=", "uncontended.uuid.random.reseed-interval=",
			"uncontended.ssl.engine=", "uncontended.ssl.engine=\\ jdk\\ ", "uncontended.ssl.engine=BoringSSL",
			"uncontended.ssl.engine=boring-ssl", "uncontended.ssl.session-cache.maximum-size=",
			"uncontended.ssl.session-cache.stateful=yes", "uncontended.ssl.session-cache.timeout=",
			"uncontended.ssl.session-cache=", "uncontended.ssl.tickets.secrets=", "uncontendedness.uuid.a=1",
			"uncontended.uuid.id-generator=TRUE" })
	void settingWorks(String setting, CapturedOutput output) throws IOException {
		try (ConfigurableApplicationContext context = start(List.of(setting))) {
			assertThat(context.getBean(UuidGenerator.class).algorithm()).isEqualTo("CTR_DRBG");
			assertThat(context.getBean(SslSessionCache.class).getSessionTimeout()).isEqualTo(86_400);
			assertThat(context.getBean(SslSessionCache.class).getSessionCacheSize()).isEqualTo(20_480);
			assertThat(output).doesNotContain("Property '");
		}
	}

	@ParameterizedTest
	@CsvSource({ "UNCONTENDED_UUID_RANDOM_STRIPE, uncontended.uuid.random.stripes",
			"UNCONTENDED_SSL_SESSION_CACHE_MAXSIZE, uncontended.ssl.session-cache.maximum-size",
			"UNCONTENDED_SECURE_RANDOM_INSTALLED, uncontended.secure-random.install",
			"UNCONTENTED_SSL_ENGINE, uncontended.ssl.engine" })
	void misspelledVariableWarns(String misspelled, String nearest, CapturedOutput output) {
		startWithVariables(Map.of(misspelled, "1")).close();
		assertThat(output).contains("System Environment Property \"" + misspelled + "\"",
				"Did you mean '" + nearest + "'?");
	}

	@ParameterizedTest
	@ValueSource(strings = { "UNCONTENDED_UUID_RANDOM_BUFFERSIZE=16KB", "UNCONTENDED_UUID_RANDOM_BUFFER_SIZE=16KB",
			"uncontended_uuid_random_buffer_size=16KB", "UNCONTENDED_SECURERANDOM_INSTALL=false",
			"UNCONTENDED_SSL_TICKETS_SECRETS_0=", "UNCONTENDED_OPTS=-Xmx1g", "UNCONTENDED_HOME=/opt",
			"UNCONTENDED_SSL_SERVICE_HOST=10.0.0.1", "UNCONTENDED_UUID_PORT_8080_TCP_ADDR=10.0.0.1",
			"UNCONTENDED_UUID_SERVICE_PORT_HTTP=80", "UNCONTENDED_SSL_PORT=80", "UNCONTENDEDNESS_UUID_A=1" })
	void validAndForeignVariablesAreAccepted(String variable, CapturedOutput output) {
		String[] pair = variable.split("=", 2);
		startWithVariables(Map.of(pair[0], pair[1])).close();
		assertThat(output).doesNotContain("Property '");
	}

	@Test
	void validValuesAreReportedIndependentlyOfLocale(CapturedOutput output) {
		Locale original = Locale.getDefault();
		Locale.setDefault(Locale.forLanguageTag("tr"));
		try {
			assertThatException().isThrownBy(() -> start(List.of("uncontended.ssl.engine=openssl")));
		}
		finally {
			Locale.setDefault(original);
		}
		assertThat(output).contains("BORINGSSL");
	}

	@Test
	void missingBeanIsReportedWithDisablingProperty(CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> new SpringApplicationBuilder(WholeApplication.class).web(WebApplicationType.NONE)
				.run("--uncontended.uuid.enabled=false", "--" + WithoutStores.PROPERTY));
		assertThat(output).contains("APPLICATION FAILED TO START", UuidGenerator.class.getName(),
				"uncontended.uuid.enabled");
	}

	private static List<String> lines(String settings) {
		return List.of(settings.replace("E;", "uncontended.ssl.engine=boringssl;")
			.replace("T.", "uncontended.ssl.tickets.")
			.split(";"));
	}

	private static String name(String setting) {
		return setting.substring(0, setting.indexOf('='));
	}

	/**
	 * Returns the place without the line if the value is empty, because Spring Boot then
	 * names the next line.
	 */
	private static String place(List<String> lines) {
		boolean empty = lines.get(lines.size() - 1).endsWith("=");
		return "application.properties] - " + (empty ? "" : lines.size() + ":");
	}

	private ConfigurableApplicationContext start(List<String> lines) throws IOException {
		Path file = Files.write(this.directory.resolve("application.properties"), lines);
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.run("--spring.config.location=file:" + file);
	}

	private static ConfigurableApplicationContext startWithVariables(Map<String, Object> variables) {
		StandardEnvironment environment = new StandardEnvironment();
		String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
		environment.getPropertySources().replace(name, new SystemEnvironmentPropertySource(name, variables));
		return new SpringApplicationBuilder(Application.class).web(WebApplicationType.NONE)
			.environment(environment)
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ ConfigurationCheckAutoConfiguration.class, SecureRandomAutoConfiguration.class,
			UuidAutoConfiguration.class, UuidHealthAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			TicketKeyAutoConfiguration.class, BoringSslAutoConfiguration.class, SslServerAutoConfiguration.class,
			TicketKeyHealthAutoConfiguration.class })
	static class Application {

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@Import(NeedsGenerator.class)
	static class WholeApplication {

	}

	record NeedsGenerator(UuidGenerator generator) {

	}

}
