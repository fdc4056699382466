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

import java.util.UUID;

import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.session.SessionIdGenerator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for Spring Session with {@link UuidAutoConfiguration}.
 */
class SpringSessionTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
		.withPropertyValues("uncontended.uuid.spring-session=true");

	@Test
	void drawsSessionIdsFromGenerator() {
		this.contextRunner.run((context) -> {
			String id = context.getBean(SessionIdGenerator.class).generate();
			assertThat(UUID.fromString(id).version()).isEqualTo(4);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(4)).isEqualTo(1);
		});
	}

	@Test
	void backsOffIfApplicationDefinesBean() {
		this.contextRunner.withUserConfiguration(OwnSessionIdGenerator.class)
			.run((context) -> assertThat(context.getBean(SessionIdGenerator.class).generate()).isEqualTo("own"));
	}

	@Test
	void isDisabledByDefault() {
		new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionIdGenerator.class));
	}

	@Test
	void backsOffWithoutGenerator() {
		this.contextRunner.withPropertyValues("uncontended.uuid.enabled=false")
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(SessionIdGenerator.class));
	}

	@Test
	void requiresPrimaryGenerator() {
		this.contextRunner.withBean("first", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.withBean("second", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(InvalidConfigurationPropertyValueException.class)
				.hasMessageContaining("uncontended.uuid.spring-session")
				.hasMessageContaining("@Primary"));
	}

	@Test
	void startsWithoutSpringSession() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.session"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean("springSessionIdGenerator"));
	}

	@Configuration(proxyBeanMethods = false)
	static class OwnSessionIdGenerator {

		@Bean
		SessionIdGenerator ownSessionIdGenerator() {
			return () -> "own";
		}

	}

}
