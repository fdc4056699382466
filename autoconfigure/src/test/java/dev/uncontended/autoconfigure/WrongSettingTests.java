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

import dev.uncontended.autoconfigure.securerandom.SecureRandomAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.tls.server.TlsServers;
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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for wrong settings. Each is answered by an error that names the property, the
 * place, and the remedy.
 */
@ExtendWith(OutputCaptureExtension.class)
class WrongSettingTests {

	@TempDir
	private Path directory;

	/*
	 * The last of the settings is the wrong one.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
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
			uncontended.ssl.session-cache.maximum-size=-1     | must be from 0 to 2147483647; 0 means no limit
			uncontended.ssl.session-cache.maximum-size=3000000000 | java.lang.Integer
			uncontended.ssl.session-cache.timeout=-5s         | must be a whole number of seconds from 0
			uncontended.ssl.session-cache.timeout=1500ms      | must be a whole number of seconds from 0
			uncontended.ssl.session-cache.timeout=forever     | Duration
			E;uncontended.ssl.tickets.source=sercet           | SECRET
			E;uncontended.ssl.tickets.source=redis            | spring-boot-starter-data-redis
			E;uncontended.ssl.tickets.source=secret           | openssl rand -base64 32
			E;T.source=secret;T.secrets[0]=a-s3cr-of-at-least-32-bytes-total;T.generation=-1 | must not be negative
			E;T.generation=new                                | java.lang.Integer
			E;T.rotation-interval=0s                          | must be from 1 millisecond to 3650 days
			E;T.rotation-interval=-1h                         | must be from 1 millisecond to 3650 days
			E;T.rotation-interval=1s                          | lifetime must be at most 256 times the interval PT1S
			E;T.rotation-interval=often                       | Duration
			E;T.lifetime=0s                                   | must be from 1 millisecond to 3650 days
			E;T.lifetime=9999d                                | must be from 1 millisecond to 3650 days
			E;T.lifetime=9223372036854775807                  | must be from 1 millisecond to 3650 days
			""")
	void valueThatCannotBeHonouredFailsStart(String settings, String remedy, CapturedOutput output) throws IOException {
		List<String> lines = lines(settings);
		assertThatException().isThrownBy(() -> start(lines));
		String property = name(lines.get(lines.size() - 1));
		assertThat(output).contains("APPLICATION FAILED TO START", property, place(lines), remedy)
			.doesNotContain("s3cr");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
					E;T.source=secret;T.secrets=                      | openssl rand -base64 32
					E;T.source=secret;T.secrets=too-short-s3cr        | openssl rand -base64 32
					E;T.source=secret;T.secrets[0]=too-short-s3cr     | secret must be at least 32 bytes, but was 14
					E;T.source=secret;T.secrets[2]=too-short-s3cr     | indexed from 0 without gaps
					E;T.source=secret;T.secrets[0]=${UNSET-s3cr-OF_THE_WHOLE_FLEET} | must not contain '${'
			""")
	void invalidSecretIsNotShown(String settings, String remedy, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(lines(settings)));
		assertThat(output).contains("APPLICATION FAILED TO START", "'uncontended.ssl.tickets.secrets'", remedy)
			.doesNotContain("s3cr");
	}

	@ParameterizedTest
	@ValueSource(strings = { "uncontended.uuid.random.bufferSize=16KB", "uncontended.uuid.random.buffer_size=16KB",
			"uncontended.uuid.random.stripes=3", "uncontended.uuid.random.algorithm=",
			"uncontended.uuid.random.provider=", "uncontended.uuid.random.stripes=",
			"uncontended.uuid.random.buffer-size=", "uncontended.uuid.random.reseed-interval=",
			"uncontended.ssl.engine=", "uncontended.ssl.engine=\\ jdk\\ ", "uncontended.ssl.engine=BoringSSL",
			"uncontended.ssl.session-cache.maximum-size=", "uncontended.ssl.session-cache.timeout=",
			"uncontended.ssl.tickets.secrets=", "uncontended.uuid.id-generator=TRUE" })
	void settingWorks(String setting, CapturedOutput output) throws IOException {
		try (ConfigurableApplicationContext context = start(List.of(setting))) {
			assertThat(context.getBean(UuidGenerator.class).algorithm()).isEqualTo("CTR_DRBG");
			assertThat(context.getBean(TlsServers.class).sessionTokens().timeout()).isNull();
			assertThat(context.getBean(TlsServers.class).sessionTokens().maximumSize()).isEqualTo(200_000);
			assertThat(output).doesNotContain("Property '");
		}
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

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SecureRandomAutoConfiguration.class, UuidAutoConfiguration.class,
			UuidActuatorAutoConfiguration.class, SslServerAutoConfiguration.class, SslActuatorAutoConfiguration.class })
	static class Application {

	}

}
