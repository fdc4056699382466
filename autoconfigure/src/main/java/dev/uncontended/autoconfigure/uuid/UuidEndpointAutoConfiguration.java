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
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of the {@link UuidEndpoint}.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(UuidEndpoint.class)
@Conditional(UuidEndpointAutoConfiguration.OnSource.class)
public final class UuidEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	ThroughputSampler uuidThroughputSampler(ObjectProvider<Map<String, UuidGenerator>> generators,
			ListableBeanFactory beanFactory) {
		NameUuidFactories factories = new NameUuidFactories(beanFactory);
		return new ThroughputSampler(generators.getIfAvailable(Map::of).values(), () -> factories.existing().values());
	}

	@Bean
	@ConditionalOnMissingBean
	UuidEndpoint uuidEndpoint(ObjectProvider<Map<String, UuidGenerator>> generators, ListableBeanFactory beanFactory,
			ThroughputSampler sampler) {
		return new UuidEndpoint(generators.getIfAvailable(Map::of), new NameUuidFactories(beanFactory)::existing,
				sampler);
	}

	/**
	 * Matches if there is a generator, or the drop-in.
	 */
	static class OnSource extends AnyNestedCondition {

		OnSource() {
			super(ConfigurationPhase.REGISTER_BEAN);
		}

		@ConditionalOnBean(UuidGenerator.class)
		static class Generator {

		}

		@ConditionalOnBooleanProperty("uncontended.secure-random.install")
		static class DropIn {

		}

	}

}
