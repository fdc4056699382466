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

import java.security.SecureRandom;
import java.util.List;

import dev.uncontended.tls.boringssl.BoringSslAvailability;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.redis.RedisTicketStore;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;
import dev.uncontended.tls.tickets.TicketSecret;
import dev.uncontended.tls.tickets.TicketStore;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * Creates the TLS engine {@code boringssl}, which uses BoringSSL through Netty, and its
 * ticket keys. The classes of the engine are optional, so no other class of this package
 * uses them.
 */
final class BoringSslFactory {

	private BoringSslFactory() {
	}

	static TlsEngine create(ApplicationContext context, SslProperties properties, SessionTokens tokens) {
		try {
			BoringSslAvailability.require();
		}
		catch (IllegalStateException ex) {
			throw unusable("is not available: " + ex.getMessage());
		}
		TicketKeys keys = context.getBeanProvider(TicketKeys.class).getIfUnique();
		if (keys == null) {
			throw unusable("requires the spelling 'boringssl', and a single or primary TicketKeys bean.");
		}
		return new BoringSslTlsEngine(new BoringSslSessions(tokens, keys), properties.groups());
	}

	static TicketKeys createTicketKeys(SslProperties.Tickets tickets, ConfigurableApplicationContext context) {
		TicketKeyRotation rotation = tickets.rotation();
		SecureRandom random = new SecureRandom();
		return switch (tickets.source()) {
			case LOCAL -> TicketKeys.local(rotation, random);
			case SECRET -> TicketKeys.derived(tickets.validSecrets(), tickets.generation(), rotation, random);
			case REDIS -> shared(tickets, rotation, random, store(context));
		};
	}

	private static TicketKeys shared(SslProperties.Tickets tickets, TicketKeyRotation rotation, SecureRandom random,
			TicketStore store) {
		SslProperties.Tickets.Redis redis = tickets.redis();
		List<TicketSecret> secrets = tickets.validSecrets();
		try {
			return TicketKeys.shared(store, redis.keyPrefix(), redis.pollInterval(), secrets, tickets.generation(),
					rotation, random);
		}
		catch (IllegalArgumentException ex) {
			throw SslProperties.invalid("tickets.redis.poll-interval", redis.pollInterval(),
					String.valueOf(ex.getMessage()));
		}
	}

	private static TicketStore store(ConfigurableApplicationContext context) {
		TicketStore store = ClassUtils.isPresent("org.springframework.data.redis.connection.RedisConnectionFactory",
				context.getClassLoader()) ? Redis.store(context) : null;
		if (store == null) {
			throw SslProperties.invalid("tickets.source", "redis",
					"requires a single or primary RedisConnectionFactory bean. Add the dependency"
							+ " org.springframework.boot:spring-boot-starter-data-redis, or annotate one of several"
							+ " beans with @Primary.");
		}
		return store;
	}

	static InvalidConfigurationPropertyValueException unusable(String reason) {
		return SslProperties.invalid("engine", "boringssl",
				reason + " To use the JDK's engine instead, remove the property.");
	}

	/**
	 * Uses the optional classes of Spring Data Redis.
	 */
	private static final class Redis {

		static @Nullable TicketStore store(BeanFactory beanFactory) {
			RedisConnectionFactory connections = beanFactory.getBeanProvider(RedisConnectionFactory.class)
				.getIfUnique();
			return (connections != null) ? new RedisTicketStore(connections) : null;
		}

	}

}
