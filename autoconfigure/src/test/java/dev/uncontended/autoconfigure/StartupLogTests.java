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

import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.util.IdGenerator;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the start-up log.
 */
@ExtendWith(OutputCaptureExtension.class)
class StartupLogTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(StartupLogAutoConfiguration.class, UuidAutoConfiguration.class))
		.withPropertyValues("uncontended.uuid.random.stripes=4", "uncontended.uuid.id-generator=true");

	@Test
	void reportsConfigurationInOneLine(CapturedOutput output) {
		this.contextRunner.run((context) -> assertThat(output.getOut().lines())
			.filteredOn((line) -> line.contains(StartupLog.class.getSimpleName() + " "))
			.singleElement()
			.asString()
			.endsWith("uuidGenerator draws from CTR_DRBG of Uncontended, 4 stripes; "
					+ "UUID.randomUUID() runs on the JVM's default SecureRandom"));
	}

	@Test
	void reportsSingleStripeInSingular(CapturedOutput output) {
		this.contextRunner.withPropertyValues("uncontended.uuid.random.stripes=1")
			.run((context) -> assertThat(output).contains("CTR_DRBG of Uncontended, 1 stripe;"));
	}

	@Test
	void createsNoLazyGenerator(CapturedOutput output) {
		this.contextRunner
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(StartupLog.class)
					.onApplicationEvent(new ContextRefreshedEvent(context.getSourceApplicationContext()));
				assertThat(context.getBeanFactory().containsSingleton("uuidGenerator")).isFalse();
				assertThat(output).contains("uuidGenerator has not been used; ");
			});
	}

	@Test
	void createsNoLazyPrimary(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(TwoWithPrimary.class)
			.withInitializer(
					(context) -> context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
			.run((context) -> {
				context.getBean(StartupLog.class)
					.onApplicationEvent(new ContextRefreshedEvent(context.getSourceApplicationContext()));
				assertThat(context.getBeanFactory().containsSingleton("primaryGenerator")).isFalse();
				assertThat(output).contains("primaryGenerator has not been used");
			});
	}

	@Test
	void usesPrimaryOfSeveralBeans(CapturedOutput output) {
		this.contextRunner.withUserConfiguration(TwoWithPrimary.class).run((context) -> {
			UuidGenerator primary = context.getBean("primaryGenerator", UuidGenerator.class);
			context.getBean(IdGenerator.class).generateId();
			assertThat(primary.stats().generated(4)).isOne();
		});
	}

	@Configuration(proxyBeanMethods = false)
	static class TwoWithPrimary {

		@Bean
		UuidGenerator oneGenerator() {
			return UuidGenerator.builder().stripes(1).build();
		}

		@Bean
		@Primary
		UuidGenerator primaryGenerator() {
			return UuidGenerator.builder().stripes(1).build();
		}

	}

}
