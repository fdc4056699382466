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

import dev.uncontended.actuate.ThroughputSampler;
import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.metrics.NameUuidFactoryMetrics;
import dev.uncontended.metrics.UuidGeneratorMetrics;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the endpoint, the health indicator and the meters of UUID
 * generators.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnBean(UuidGenerator.class)
public final class UuidActuatorAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint(UuidEndpoint.class)
		@ConditionalOnMissingBean
		ThroughputSampler uuidThroughputSampler(ListableBeanFactory beanFactory) {
			return new ThroughputSampler(generators(beanFactory), new NameUuidFactories(beanFactory));
		}

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		UuidEndpoint uuidEndpoint(ListableBeanFactory beanFactory, ThroughputSampler sampler) {
			return new UuidEndpoint(generators(beanFactory), new NameUuidFactories(beanFactory), sampler);
		}

		private static Map<String, UuidGenerator> generators(ListableBeanFactory beanFactory) {
			return BeanFactoryUtils.beansOfTypeIncludingAncestors(beanFactory, UuidGenerator.class);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
	static class HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("uuid")
		@ConditionalOnMissingBean(name = "uuidHealthIndicator")
		UuidHealthIndicator uuidHealthIndicator(Map<String, UuidGenerator> generators) {
			return new UuidHealthIndicator(generators);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetricsConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "uuidGeneratorMetrics")
		MeterBinder uuidGeneratorMetrics(Map<String, UuidGenerator> generators) {
			return (registry) -> {
				for (Map.Entry<String, UuidGenerator> generator : generators.entrySet()) {
					new UuidGeneratorMetrics(generator.getValue(), generator.getKey()).bindTo(registry);
				}
			};
		}

		@Bean
		@ConditionalOnBooleanProperty("uncontended.secure-random.install")
		@ConditionalOnMissingBean(name = "dropInUuidMetrics")
		MeterBinder dropInUuidMetrics() {
			return UuidGeneratorMetrics.forDropIn();
		}

		@Bean
		@ConditionalOnMissingBean(name = "nameUuidFactoryMetrics")
		MeterBinder nameUuidFactoryMetrics(ListableBeanFactory beanFactory) {
			return (registry) -> {
				for (String name : new NameUuidFactories(beanFactory).names()) {
					new NameUuidFactoryMetrics(beanFactory, (beans) -> NameUuidFactories.find(beans, name), name)
						.bindTo(registry);
				}
			};
		}

	}

}
