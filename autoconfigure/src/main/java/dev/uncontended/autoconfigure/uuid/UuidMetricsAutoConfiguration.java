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

import java.util.Map;

import dev.uncontended.metrics.NameUuidFactoryMetrics;
import dev.uncontended.metrics.UuidGeneratorMetrics;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of UUID generators and {@link NameUuidFactory} beans.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(MeterRegistry.class)
public final class UuidMetricsAutoConfiguration {

	@Bean
	@ConditionalOnBean(UuidGenerator.class)
	@ConditionalOnMissingBean(name = "uuidGeneratorMetrics")
	MeterBinder uuidGeneratorMetrics(Map<String, UuidGenerator> generators) {
		return (registry) -> generators
			.forEach((name, generator) -> new UuidGeneratorMetrics(generator, name).bindTo(registry));
	}

	@Bean
	@ConditionalOnBooleanProperty("uncontended.secure-random.install")
	@ConditionalOnMissingBean(name = "dropInUuidMetrics")
	MeterBinder dropInUuidMetrics() {
		return UuidGeneratorMetrics.forDropIn();
	}

	@Bean
	@ConditionalOnBean(NameUuidFactory.class)
	@ConditionalOnMissingBean(name = "nameUuidFactoryMetrics")
	MeterBinder nameUuidFactoryMetrics(ListableBeanFactory beanFactory) {
		return (registry) -> new NameUuidFactories(beanFactory).names()
			.forEach((name) -> new NameUuidFactoryMetrics(beanFactory, (beans) -> NameUuidFactories.find(beans, name),
					name)
				.bindTo(registry));
	}

}
