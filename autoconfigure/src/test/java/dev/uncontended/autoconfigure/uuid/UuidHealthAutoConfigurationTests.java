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

import java.security.Provider;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.List;
import java.util.Map;

import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for {@link UuidHealthAutoConfiguration} and {@link UuidHealthIndicator}.
 */
class UuidHealthAutoConfigurationTests {

	private static final Provider provider = new FragileProvider();

	private static volatile boolean failing;

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, UuidHealthAutoConfiguration.class));

	@BeforeAll
	static void addProvider() {
		Security.addProvider(provider);
	}

	@AfterAll
	static void removeProvider() {
		Security.removeProvider(provider.getName());
	}

	@BeforeEach
	void mend() {
		failing = false;
	}

	@Test
	void isOffByDefault() {
		this.contextRunner.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(HealthIndicator.class));
	}

	@Test
	void isUpBeforeFirstDraw() {
		enabled().run((context) -> {
			assertThat(health(context.getBean(UuidHealthIndicator.class))).isEqualTo(Health.up().build());
			assertThat(context.getBean(UuidGenerator.class).stats().pool().refills()).isZero();
		});
	}

	@Test
	void isDownWhileLastRefillHasFailed() {
		enabled().run((context) -> {
			UuidGenerator generator = context.getBean(UuidGenerator.class);
			UuidHealthIndicator indicator = context.getBean(UuidHealthIndicator.class);
			failing = true;
			assertThatException().isThrownBy(generator::randomUuid);
			Health down = health(indicator);
			assertThat(down.getStatus()).isEqualTo(Status.DOWN);
			assertThat(down.getDetails()).containsOnly(Map.entry("uuidGenerator", generator.lastFailure()));
			assertThat(generator.stats().pool().refillFailures()).isEqualTo(1);
			assertThat(down.toString()).doesNotContain("the generator's state");
			failing = false;
			generator.randomUuid();
			assertThat(health(indicator)).isEqualTo(Health.up().build());
		});
	}

	@Test
	void backsOffWhenApplicationHasItsOwn() {
		HealthIndicator own = () -> Health.unknown().build();
		enabled().withBean("uuidHealthIndicator", HealthIndicator.class, () -> own)
			.run((context) -> assertThat(context).getBean(HealthIndicator.class).isSameAs(own));
	}

	@Test
	void startsWithoutHealth() {
		enabled().withClassLoader(new FilteredClassLoader("org.springframework.boot.health"))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(UuidHealthIndicator.class));
	}

	private ApplicationContextRunner enabled() {
		return this.contextRunner.withPropertyValues("management.health.uuid.enabled=true",
				"uncontended.uuid.random.algorithm=Fragile");
	}

	private static Health health(HealthIndicator indicator) {
		return indicator.health();
	}

	private static final class FragileProvider extends Provider {

		private static final long serialVersionUID = 1L;

		FragileProvider() {
			super("Fragile", "1", "A SecureRandom that fails when told to");
			putService(new Service(this, "SecureRandom", "Fragile", FragileSpi.class.getName(), List.of(), Map.of()) {

				@Override
				public Object newInstance(Object parameter) {
					return new FragileSpi();
				}

			});
		}

	}

	private static final class FragileSpi extends SecureRandomSpi {

		private static final long serialVersionUID = 1L;

		private final transient SecureRandom delegate = new SecureRandom();

		@Override
		protected void engineSetSeed(byte[] seed) {
			this.delegate.setSeed(seed);
		}

		@Override
		protected void engineNextBytes(byte[] bytes) {
			if (failing) {
				throw new IllegalStateException("the generator's state");
			}
			this.delegate.nextBytes(bytes);
		}

		@Override
		protected byte[] engineGenerateSeed(int count) {
			return this.delegate.generateSeed(count);
		}

	}

}
