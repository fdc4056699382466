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

import dev.uncontended.integration.internal.UuidSessionIdGenerator;
import dev.uncontended.random.UnavailableAlgorithmException;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorBuilderCustomizer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.source.InvalidConfigurationPropertyValueException;
import org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.session.SessionIdGenerator;
import org.springframework.util.IdGenerator;

/**
 * Auto-configuration of UUID generators and of factories of name-based UUIDs.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "uncontended.uuid.enabled", matchIfMissing = true)
@EnableConfigurationProperties(UuidProperties.class)
public final class UuidAutoConfiguration {

	private static final Log logger = LogFactory.getLog(UuidAutoConfiguration.class);

	private static final String ID_GENERATOR = "uncontended.uuid.id-generator";

	private static final String SPRING_SESSION = "uncontended.uuid.spring-session";

	@Bean
	@ConditionalOnMissingBean
	UuidGenerator uuidGenerator(UuidProperties properties, ObjectProvider<UuidGeneratorBuilderCustomizer> customizers) {
		UuidProperties.Random random = properties.random();
		UuidGenerator.Builder builder = UuidGenerator.builder()
			.algorithm(random.algorithm())
			.provider(random.provider())
			.stripes(random.stripesOrDefault())
			.bufferSize((int) random.bufferSize().toBytes())
			.reseedInterval(random.reseedInterval());
		customizers.orderedStream().forEach((customizer) -> customizer.customize(builder));
		try {
			UuidGenerator generator = builder.build();
			warnIfBlocking(generator);
			return generator;
		}
		catch (UnavailableAlgorithmException ex) {
			throw (random.provider() != null)
					? UuidProperties.Random.invalid("provider", random.provider(), ex.getMessage())
					: UuidProperties.Random.invalid("algorithm", random.algorithm(), ex.getMessage());
		}
	}

	/**
	 * The name is enough, because only the JDK has these algorithms.
	 */
	private static void warnIfBlocking(UuidGenerator generator) {
		if (generator.algorithm().startsWith("NativePRNG")) {
			logger.warn("The algorithm '" + generator.algorithm() + "' of 'uncontended.uuid.random.algorithm' holds a"
					+ " lock of the whole JVM while it creates random bytes. Threads that create UUIDs block each other,"
					+ " whatever the number of stripes. Use CTR_DRBG, the default, or DRBG, the JDK's implementation.");
		}
	}

	@Bean
	UuidGeneratorLifecycle uuidGeneratorLifecycle(ConfigurableListableBeanFactory beanFactory,
			ApplicationContext context) {
		return new UuidGeneratorLifecycle(beanFactory, context instanceof ReactiveWebApplicationContext);
	}

	/**
	 * Disabled by default, because Spring Integration uses an {@code IdGenerator} bean
	 * for all message headers in the JVM.
	 */
	@Bean
	@ConditionalOnBooleanProperty(ID_GENERATOR)
	@ConditionalOnMissingBean
	IdGenerator uuidIdGenerator(ObjectProvider<UuidGenerator> generators) {
		return single(generators, ID_GENERATOR)::randomUuid;
	}

	/**
	 * Lazy, because this method fails if the JVM does not offer MD5.
	 */
	@Bean
	@Lazy
	@ConditionalOnMissingBean
	NameUuidFactory md5NameUuidFactory() {
		return NameUuidFactory.md5();
	}

	/**
	 * Not a default candidate, so that injection by type selects
	 * {@link #md5NameUuidFactory()}.
	 */
	@Bean(defaultCandidate = false)
	@Lazy
	@ConditionalOnMissingBean(name = "sha1NameUuidFactory")
	NameUuidFactory sha1NameUuidFactory() {
		return NameUuidFactory.sha1();
	}

	/**
	 * Returns the only or primary generator.
	 * @throws InvalidConfigurationPropertyValueException if there is none, for the
	 * property that requires one
	 */
	private static UuidGenerator single(ObjectProvider<UuidGenerator> generators, String property) {
		UuidGenerator generator = generators.getIfUnique();
		if (generator == null) {
			throw new InvalidConfigurationPropertyValueException(property, true,
					"it requires a single UuidGenerator bean, but the application defines several."
							+ " Annotate one of them with @Primary");
		}
		return generator;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SessionIdGenerator.class)
	@ConditionalOnBooleanProperty(SPRING_SESSION)
	static class SpringSessionConfiguration {

		@Bean
		@ConditionalOnMissingBean
		SessionIdGenerator springSessionIdGenerator(ObjectProvider<UuidGenerator> generators) {
			return new UuidSessionIdGenerator(single(generators, SPRING_SESSION));
		}

	}

}
