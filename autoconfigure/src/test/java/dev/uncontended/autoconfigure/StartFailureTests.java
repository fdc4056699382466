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

import dev.uncontended.autoconfigure.ssl.SslSessionCacheAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for what an application prints when a wrong value stops its start.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartFailureTests {

	@ParameterizedTest
	@CsvSource(textBlock = """
			uncontended.uuid.random.stripes,            0,     must be from 1 to 1024
			uncontended.uuid.random.stripes,            1025,  must be from 1 to 1024
			uncontended.uuid.random.buffer-size,        48B,   must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.buffer-size,        100B,  must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.buffer-size,        2MB,   must be from 64B to 1MB and a multiple of 16 bytes
			uncontended.uuid.random.reseed-interval,    -1s,   must not be negative
			uncontended.ssl.session-cache.maximum-size, -1,    must not be negative
			uncontended.ssl.session-cache.timeout,      -5s,   must be a whole number of seconds from 0
			""")
	void namesPropertyAndValueAndWhatWouldBeRight(String property, String value, String rule, CapturedOutput output) {
		start(property, value);
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'" + property + "'")
			.contains(value)
			.contains(rule);
	}

	@Test
	void listsAlgorithmsWhenAlgorithmIsUnknown(CapturedOutput output) {
		start("uncontended.uuid.random.algorithm", "Dice");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'uncontended.uuid.random.algorithm'")
			.contains("Dice")
			.contains("CTR_DRBG")
			.contains("SHA1PRNG");
	}

	@Test
	void listsProvidersWhenProviderIsUnknown(CapturedOutput output) {
		start("uncontended.uuid.random.provider", "Nobody");
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains("'uncontended.uuid.random.provider'")
			.contains("Nobody")
			.contains("Uncontended")
			.contains("SUN");
	}

	private static void start(String property, String value) {
		SpringApplication application = new SpringApplication(Application.class);
		application.setWebApplicationType(WebApplicationType.NONE);
		assertThatException().isThrownBy(() -> application.run("--" + property + "=" + value));
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ UuidAutoConfiguration.class, SslSessionCacheAutoConfiguration.class })
	static class Application {

	}

}
