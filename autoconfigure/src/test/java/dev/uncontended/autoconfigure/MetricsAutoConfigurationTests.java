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

import dev.uncontended.autoconfigure.ssl.SslActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.ssl.SslServerAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidActuatorAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.uuid.NameUuidFactory;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UuidActuatorAutoConfiguration} and
 * {@link SslActuatorAutoConfiguration}.
 */
class MetricsAutoConfigurationTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, SslServerAutoConfiguration.class,
				UuidActuatorAutoConfiguration.class, SslActuatorAutoConfiguration.class, MetricsAutoConfiguration.class,
				CompositeMeterRegistryAutoConfiguration.class, SimpleMetricsExportAutoConfiguration.class));

	@Test
	void bindsMetersOfGenerators() {
		this.contextRunner.run((context) -> assertThat(names(context.getBean(MeterRegistry.class)))
			.contains("uuid.generated", "uuid.pool.refill", "uuid.pool.contended", "uuid.pool.stripes"));
	}

	@Test
	void countsNameUuidsWithoutCreatingFactories() {
		this.contextRunner.run((context) -> {
			MeterRegistry registry = context.getBean(MeterRegistry.class);
			assertThat(registry.find("uuid.names.generated").functionCounters()).hasSize(2)
				.allMatch((counter) -> counter.count() == 0);
			assertThat(context.getBeanFactory().containsSingleton("md5NameUuidFactory")).isFalse();
			context.getBean("md5NameUuidFactory", NameUuidFactory.class).nameUuid(new byte[0]);
			assertThat(
					registry.get("uuid.names.generated").tag("factory", "md5NameUuidFactory").functionCounter().count())
				.isOne();
		});
	}

	@Test
	void countsNameUuidsOfParentContext() {
		this.contextRunner.run((parent) -> {
			parent.getBean("md5NameUuidFactory", NameUuidFactory.class).nameUuid(new byte[0]);
			this.contextRunner.withParent(parent)
				.run((context) -> assertThat(context.getBean(MeterRegistry.class)
					.get("uuid.names.generated")
					.tag("factory", "md5NameUuidFactory")
					.functionCounter()
					.count()).isOne());
		});
	}

	@Test
	void bindsNoMeterOfTlsWithoutServer() {
		this.contextRunner.run((context) -> assertThat(names(context.getBean(MeterRegistry.class)))
			.noneMatch((name) -> name.startsWith("tls.") || name.startsWith("cache.")));
	}

	@Test
	void bindsNothingWhenDisabled() {
		this.contextRunner.withPropertyValues("uncontended.uuid.enabled=false", "uncontended.ssl.enabled=false")
			.run((context) -> assertThat(names(context.getBean(MeterRegistry.class)))
				.noneMatch((name) -> name.startsWith("uuid.") || name.startsWith("tls.")));
	}

	@ParameterizedTest
	@CsvSource({ "true, true", "TRUE, true", "false, false", "'', false" })
	void bindsMetersOfDropInIfProviderIsInstalled(String install, boolean bound) {
		this.contextRunner.withPropertyValues("uncontended.secure-random.install=" + install)
			.run((context) -> assertThat(context.containsBean("dropInUuidMetrics")).isEqualTo(bound));
	}

	private static Iterable<String> names(MeterRegistry registry) {
		assertThat(registry).isInstanceOf(SimpleMeterRegistry.class);
		return registry.getMeters().stream().map(Meter::getId).map(Meter.Id::getName).toList();
	}

}
