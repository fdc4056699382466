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
package dev.uncontended.autoconfigure.ssl.tickets;

import java.security.SecureRandom;

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.tls.redis.RedisTicketStore;
import dev.uncontended.tls.tickets.TicketKeys;
import dev.uncontended.tls.tickets.TicketStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of the {@link TicketKeys}.
 */
@AutoConfiguration(afterName = "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration")
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnNotWarDeployment
@ConditionalOnBooleanProperty(name = "uncontended.ssl.enabled", matchIfMissing = true)
@Conditional(SslEngine.OnBoringSsl.class)
@EnableConfigurationProperties(TicketKeyProperties.class)
public final class TicketKeyAutoConfiguration {

	private static final String REDIS = "org.springframework.data.redis.connection.RedisConnectionFactory";

	@Bean
	@ConditionalOnMissingBean
	TicketKeys ticketKeys(TicketKeyProperties properties, ConfigurableApplicationContext context) {
		Environment environment = context.getEnvironment();
		SecureRandom random = new SecureRandom();
		return switch (properties.source()) {
			case LOCAL -> TicketKeys.local(properties.rotation(), random);
			case SECRET -> TicketKeys.derived(properties.secrets(environment), properties.rotation(), random);
			case REDIS -> {
				TicketKeyProperties.Redis redis = properties.redis();
				redis.validate(properties.rotation().interval());
				yield TicketKeys.shared(store(context), redis.keyPrefix(), redis.pollInterval(),
						properties.secrets(environment), properties.rotation(), random);
			}
		};
	}

	private static TicketStore store(ConfigurableApplicationContext context) {
		TicketStore store = ClassUtils.isPresent(REDIS, context.getClassLoader()) ? Redis.store(context) : null;
		if (store == null) {
			throw new UnusableConfigurationException(
					SingleProperty.describe(context.getEnvironment(), TicketKeyProperties.SOURCE)
							+ ", which requires a single or primary RedisConnectionFactory bean, but there is none",
					"Add the dependency org.springframework.boot:spring-boot-starter-data-redis, or annotate one of"
							+ " several beans with @Primary.");
		}
		return store;
	}

	@Bean
	TicketKeyLifecycle ticketKeyLifecycle(TicketKeys keys) {
		return new TicketKeyLifecycle(keys);
	}

	/**
	 * Uses the optional classes of Spring Data Redis.
	 */
	private static final class Redis {

		private Redis() {
		}

		static @Nullable TicketStore store(BeanFactory beanFactory) {
			RedisConnectionFactory connections = beanFactory.getBeanProvider(RedisConnectionFactory.class)
				.getIfUnique();
			return (connections != null) ? new RedisTicketStore(connections) : null;
		}

	}

}
