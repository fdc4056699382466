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
import dev.uncontended.autoconfigure.TicketSource;
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.tls.redis.RedisTicketStore;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.data.redis.connection.RedisConnectionFactory;

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

	/**
	 * Creates the source {@code local} or {@code secret}. {@link RedisConfiguration}
	 * creates the source {@code redis}. If the Redis connection factory is missing, this
	 * method fails for {@code redis}.
	 */
	@Bean
	@ConditionalOnMissingBean
	TicketKeys ticketKeys(TicketKeyProperties properties, Environment environment) {
		return switch (properties.source()) {
			case LOCAL -> TicketKeys.local(properties.rotation(), new SecureRandom());
			case SECRET ->
				TicketKeys.derived(properties.secrets(environment), properties.rotation(), new SecureRandom());
			case REDIS -> throw new UnusableConfigurationException(
					SingleProperty.describe(environment, TicketSource.PROPERTY)
							+ ", which requires a single or primary RedisConnectionFactory bean, but there is none",
					"Add the dependency org.springframework.boot:spring-boot-starter-data-redis, or annotate one of"
							+ " several beans with @Primary.");
		};
	}

	@Bean
	TicketKeyLifecycle ticketKeyLifecycle(TicketKeys keys) {
		return new TicketKeyLifecycle(keys);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(RedisConnectionFactory.class)
	@ConditionalOnSingleCandidate(RedisConnectionFactory.class)
	@Conditional(OnRedis.class)
	static class RedisConfiguration {

		@Bean
		@ConditionalOnMissingBean
		TicketKeys ticketKeys(TicketKeyProperties properties, Environment environment,
				RedisConnectionFactory connectionFactory) {
			TicketKeyRotation rotation = properties.rotation();
			TicketKeyProperties.Redis redis = properties.redis();
			redis.validate(rotation.interval());
			return TicketKeys.shared(new RedisTicketStore(connectionFactory), redis.keyPrefix(), redis.pollInterval(),
					properties.secrets(environment), rotation, new SecureRandom());
		}

	}

	static class OnRedis extends SpringBootCondition {

		@Override
		public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
			return new ConditionOutcome(TicketSource.of(context.getEnvironment()) == TicketSource.REDIS,
					SingleProperty.describe(context.getEnvironment(), TicketSource.PROPERTY));
		}

	}

}
