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

import dev.uncontended.actuate.UuidEndpoint;
import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.metrics.NameUuidFactoryMetrics;
import dev.uncontended.metrics.UuidGeneratorMetrics;
import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.SimpleAutowireCandidateResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the endpoint, the health indicator and the meters of UUID
 * generators.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@Conditional(UuidActuatorAutoConfiguration.OnGeneratorOrDropIn.class)
public final class UuidActuatorAutoConfiguration {

	private static final String INSTALL_DROP_IN = "uncontended.secure-random.install";

	/**
	 * Returns all generators, except beans that are not autowire candidates. Injection of
	 * a map would also leave out generators that are not default candidates.
	 */
	private static Map<String, UuidGenerator> generators(ConfigurableListableBeanFactory beanFactory) {
		return SimpleAutowireCandidateResolver.resolveAutowireCandidates(beanFactory, UuidGenerator.class, false, true);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnMissingBean
		UuidEndpoint uuidEndpoint(ConfigurableListableBeanFactory beanFactory) {
			return new UuidEndpoint(generators(beanFactory), new NameUuidFactories(beanFactory));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
	static class HealthConfiguration {

		@Bean
		@ConditionalOnEnabledHealthIndicator("uuid")
		@ConditionalOnMissingBean(name = "uuidHealthIndicator")
		UuidHealthIndicator uuidHealthIndicator(ConfigurableListableBeanFactory beanFactory) {
			return new UuidHealthIndicator(generators(beanFactory));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	@ConditionalOnBean(MeterRegistry.class)
	static class MetricsConfiguration {

		@Bean
		@ConditionalOnMissingBean(name = "uuidGeneratorMetrics")
		MeterBinder uuidGeneratorMetrics(ConfigurableListableBeanFactory beanFactory) {
			return (registry) -> generators(beanFactory)
				.forEach((name, generator) -> new UuidGeneratorMetrics(generator, name).bindTo(registry));
		}

		@Bean
		@ConditionalOnBooleanProperty(INSTALL_DROP_IN)
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

	/** Matches if there is anything to report. */
	static final class OnGeneratorOrDropIn extends AnyNestedCondition {

		OnGeneratorOrDropIn() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(UuidGenerator.class)
		static final class OnGenerator {

		}

		@ConditionalOnBooleanProperty(INSTALL_DROP_IN)
		static final class OnDropIn {

		}

	}

}
