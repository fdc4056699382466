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

import java.security.Security;
import java.util.Map;

import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link UuidHealthIndicator}.
 */
class UuidHealthIndicatorTests {

	private final FaultyProvider provider = new FaultyProvider();

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, UuidActuatorAutoConfiguration.class));

	@BeforeEach
	void addProvider() {
		Security.addProvider(this.provider);
	}

	@AfterEach
	void removeProvider() {
		Security.removeProvider(FaultyProvider.NAME);
	}

	@Test
	void isEnabledByDefault() {
		this.contextRunner.run((context) -> assertThat(context).hasSingleBean(UuidHealthIndicator.class));
	}

	@ParameterizedTest
	@ValueSource(strings = { "management.health.uuid.enabled=false", "management.health.defaults.enabled=false" })
	void isDisabledLikeIndicatorsOfSpringBoot(String property) {
		this.contextRunner.withPropertyValues(property)
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void isUpBeforeFirstDraw() {
		faulty().run((context) -> {
			assertThat(health(context.getBean(UuidHealthIndicator.class))).isEqualTo(Health.up().build());
			assertThat(context.getBean(UuidGenerator.class).stats().pool().refills()).isZero();
		});
	}

	@Test
	void isDownWhileLastRefillHasFailed() {
		faulty().run((context) -> {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			UuidHealthIndicator indicator = context.getBean(UuidHealthIndicator.class);
			this.provider.fail(Fault.THROWS_HALFWAY);
			assertThatException().isThrownBy(generator::randomUuid);
			Health down = health(indicator);
			assertThat(down.getStatus()).isEqualTo(Status.DOWN);
			PoolStats stats = generator.stats().pool();
			assertThat(down.getDetails()).containsOnly(Map.entry("uuidGenerator", stats.lastFailure()));
			assertThat(stats.refillFailures()).isEqualTo(1);
			assertThat(down.toString()).doesNotContain("Broken on purpose");
			this.provider.fail(Fault.NONE);
			generator.randomUuid();
			assertThat(health(indicator)).isEqualTo(Health.up().build());
		});
	}

	@Test
	void backsOffIfApplicationDefinesBean() {
		HealthIndicator own = () -> Health.unknown().build();
		faulty().withBean("uuidHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).getBean(HealthIndicator.class).isSameAs(own));
	}

	@Test
	void startsWithoutHealth() {
		faulty().withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(UuidHealthIndicator.class));
	}

	private ApplicationContextRunner faulty() {
		return this.contextRunner.withPropertyValues("uncontended.uuid.random.algorithm=Faulty");
	}

	private static Health health(HealthIndicator indicator) {
		return indicator.health();
	}

}
