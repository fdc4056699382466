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

import java.security.ProviderException;
import java.security.Security;
import java.util.List;
import java.util.UUID;

import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.FaultyProvider;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link UuidActuatorAutoConfiguration}.
 */
class UuidActuatorAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, UuidActuatorAutoConfiguration.class,
				MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
				SimpleMetricsExportAutoConfiguration.class))
		.withPropertyValues("management.endpoints.web.exposure.include=uuid");

	@AfterEach
	void uninstallDropIn() {
		UncontendedProvider.uninstall();
	}

	@Test
	void mocksAreUpAndNotReported() {
		this.contextRunner.withBean("ids", UuidGenerator.class, () -> mock(UuidGenerator.class))
			.withBean("names", NameUuidFactory.class, () -> mock(NameUuidFactory.class))
			.run((context) -> {
				assertThat(context).hasNotFailed();
				assertThat(health(context.getBean(HealthIndicator.class))).isEqualTo(Status.UP);
				UuidEndpoint endpoint = context.getBean(UuidEndpoint.class);
				assertThat(endpoint.uuid().generators()).isEmpty();
				assertThat(endpoint.uuid().names()).isEmpty();
				assertThat(endpoint.source("ids")).isNull();
				assertThat(endpoint.source("names")).isNull();
				MeterRegistry registry = context.getBean(MeterRegistry.class);
				assertThat(registry.get("uuid.names.generated").tag("factory", "names").functionCounter().count())
					.isZero();
			});
	}

	@Test
	void reportsGeneratorThatIsNoDefaultCandidate() {
		this.contextRunner.withUserConfiguration(NoDefaultCandidate.class).run((context) -> {
			UuidGenerator special = context.getBean("special", UuidGenerator.class);
			special.fill(new UUID[7]);
			assertThat(context.getBean(UuidEndpoint.class).uuid().generators()).containsKeys("special",
					"uuidGenerator");
			assertThat(context.getBean(MeterRegistry.class)
				.get("uuid.generated")
				.tags("generator", "special", "version", "4")
				.functionCounter()
				.count()).isEqualTo(7);
		});
	}

	@Test
	void healthIncludesGeneratorThatIsNoDefaultCandidate() {
		FaultyProvider provider = new FaultyProvider();
		Security.addProvider(provider);
		try (UuidGenerator faulty = UuidGenerator.builder().algorithm("Faulty").build()) {
			this.contextRunner
				.withBean("faulty", UuidGenerator.class, () -> faulty,
						(definition) -> ((AbstractBeanDefinition) definition).setDefaultCandidate(false))
				.run((context) -> {
					provider.fail(Fault.THROWS_HALFWAY);
					assertThatExceptionOfType(ProviderException.class).isThrownBy(faulty::randomUuid);
					assertThat(health(context.getBean(HealthIndicator.class))).isEqualTo(Status.DOWN);
				});
		}
		finally {
			Security.removeProvider(FaultyProvider.NAME);
		}
	}

	@Test
	void reportsDropInWithoutGenerators() {
		UncontendedProvider.install();
		this.contextRunner
			.withPropertyValues("uncontended.uuid.enabled=false", "uncontended.secure-random.install=true")
			.run((context) -> {
				assertThat(context).hasSingleBean(UuidEndpoint.class).hasSingleBean(UuidHealthIndicator.class);
				UuidEndpoint.UuidDescriptor body = context.getBean(UuidEndpoint.class).uuid();
				assertThat(body.generators()).isEmpty();
				assertThat(body.dropIn().installed()).isTrue();
				assertThat(meters(context.getBean(MeterRegistry.class))).contains("uuid.generated", "uuid.pool.refill");
			});
	}

	@Test
	void reportsNothingWithoutGeneratorsAndDropIn() {
		this.contextRunner.withPropertyValues("uncontended.uuid.enabled=false")
			.run((context) -> assertThat(context).doesNotHaveBean(UuidEndpoint.class)
				.doesNotHaveBean(UuidHealthIndicator.class));
	}

	private static Status health(HealthIndicator indicator) {
		return indicator.health().getStatus();
	}

	private static List<String> meters(MeterRegistry registry) {
		return registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList();
	}

	@Configuration(proxyBeanMethods = false)
	static class NoDefaultCandidate {

		@Bean(defaultCandidate = false)
		UuidGenerator special() {
			return UuidGenerator.builder().stripes(1).build();
		}

	}

}
