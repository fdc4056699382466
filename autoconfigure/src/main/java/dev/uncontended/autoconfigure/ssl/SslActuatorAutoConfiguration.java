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
package dev.uncontended.autoconfigure.ssl;

import java.util.Locale;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.actuate.TicketKeyHealthIndicator;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.tickets.TicketKeys;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizableData;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Auto-configuration of the {@link SslSessionsEndpoint}, and of the meters and the health
 * of TLS.
 */
@AutoConfiguration(after = SslServerAutoConfiguration.class,
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
public final class SslActuatorAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
	static class EndpointConfiguration {

		@Bean
		@ConditionalOnAvailableEndpoint
		@ConditionalOnBean(SslProperties.class)
		@ConditionalOnMissingBean
		SslSessionsEndpoint sslSessionsEndpoint(ObjectProvider<TlsServers> servers, SslProperties properties,
				ObjectProvider<TicketKeys> ticketKeys) {
			return new SslSessionsEndpoint(servers::getObject, properties.engine().name().toLowerCase(Locale.ROOT),
					ticketKeys.getIfUnique());
		}

		/**
		 * Hides {@code uncontended.ssl.tickets.secrets} in Actuator endpoints, even if
		 * the endpoints show other values.
		 */
		@Bean
		SanitizingFunction ticketSecretSanitizingFunction() {
			return EndpointConfiguration::sanitize;
		}

		/*
		 * Names of environment variables contain underscores instead of dots.
		 */
		private static SanitizableData sanitize(SanitizableData data) {
			String key = data.getKey().toLowerCase(Locale.ROOT).replace('_', '.');
			return key.startsWith(SslProperties.Tickets.SECRETS) ? data.withSanitizedValue() : data;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MeterBinder.class)
	@ConditionalOnBean({ SslProperties.class, MeterRegistry.class })
	static class MetricsConfiguration {

		@Bean
		TlsMeters tlsMeters(ConfigurableListableBeanFactory beanFactory, ObjectProvider<MeterRegistry> registries) {
			return new TlsMeters(beanFactory, registries);
		}

	}

	/**
	 * Off by default, because a node that does not reach Redis still serves all clients.
	 */
	@Configuration(proxyBeanMethods = false)
	@ConditionalOnProperty(name = SslProperties.ENGINE, havingValue = "boringssl")
	@ConditionalOnClass(HealthIndicator.class)
	@ConditionalOnBooleanProperty("management.health.ticket-keys.enabled")
	static class TicketKeyHealth {

		@Bean
		@ConditionalOnSingleCandidate(TicketKeys.class)
		@ConditionalOnMissingBean(name = "ticketKeysHealthIndicator")
		TicketKeyHealthIndicator ticketKeysHealthIndicator(TicketKeys keys) {
			return new TicketKeyHealthIndicator(keys);
		}

	}

}
