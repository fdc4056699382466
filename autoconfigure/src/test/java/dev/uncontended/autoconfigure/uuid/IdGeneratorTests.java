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

package dev.uncontended.autoconfigure.uuid;

import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.util.AlternativeJdkIdGenerator;
import org.springframework.util.IdGenerator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidAutoConfiguration} as Spring's {@link IdGenerator}.
 */
class IdGeneratorTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class));

	@Test
	void isDisabledByDefault() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(IdGenerator.class));
	}

	@Test
	void drawsIdsFromGenerator() {
		this.contextRunner.withPropertyValues("uncontended.uuid.id-generator=true").run((context) -> {
			assertThat(context.getBean(IdGenerator.class).generateId().version()).isEqualTo(4);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(4)).isEqualTo(1);
		});
	}

	@Test
	void requiresPrimaryGenerator() {
		this.contextRunner.withPropertyValues("uncontended.uuid.id-generator=true")
			.withBean("first", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.withBean("second", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("uncontended.uuid.id-generator")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void backsOffIfApplicationDefinesBean() {
		this.contextRunner.withPropertyValues("uncontended.uuid.id-generator=true")
			.withUserConfiguration(OwnIdGenerator.class)
			.run((context) -> assertThat(context.getBean(IdGenerator.class))
				.isInstanceOf(AlternativeJdkIdGenerator.class));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnIdGenerator {

		@Bean
		IdGenerator ownIdGenerator() {
			return new AlternativeJdkIdGenerator();
		}

	}

}
