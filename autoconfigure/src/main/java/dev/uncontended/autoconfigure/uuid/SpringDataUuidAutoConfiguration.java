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

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.integration.internal.TimeOrderedUuidPopulator;
import dev.uncontended.uuid.UuidGenerator;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Auto-configuration of Spring Data callbacks that assign version 7 UUIDs from the
 * {@link UuidGenerator} to properties annotated with
 * {@link dev.uncontended.integration.TimeOrderedUuid @TimeOrderedUuid}.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class,
		afterName = { "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
				"org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
				"org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration",
				"org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration" })
@ConditionalOnClass(EntityCallback.class)
public final class SpringDataUuidAutoConfiguration {

	private static TimeOrderedUuidPopulator populator(MappingContext<?, ?> mappingContext,
			ObjectProvider<UuidGenerator> generators, Environment environment) {
		UuidGenerator generator = generators.getIfUnique();
		return new TimeOrderedUuidPopulator(mappingContext, (generator != null) ? generator::timeOrderedUuid : () -> {
			throw new IllegalStateException(
					"@TimeOrderedUuid requires a single or primary UuidGenerator bean, but there"
							+ (generators.stream().findAny().isPresent() ? " are several, and none of them is primary"
									: " is none: " + SingleProperty.describe(environment, "uncontended.uuid.enabled")));
		});
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcMappingContext.class)
	@ConditionalOnBean(JdbcMappingContext.class)
	static class Jdbc {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidJdbcCallback")
		BeforeConvertCallback<Object> timeOrderedUuidJdbcCallback(JdbcMappingContext mappingContext,
				ObjectProvider<UuidGenerator> generators, Environment environment) {
			return populator(mappingContext, generators, environment)::populate;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ R2dbcMappingContext.class, Mono.class })
	@ConditionalOnBean(R2dbcMappingContext.class)
	static class R2dbc {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidR2dbcCallback")
		org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback<Object> timeOrderedUuidR2dbcCallback(
				R2dbcMappingContext mappingContext, ObjectProvider<UuidGenerator> generators, Environment environment) {
			TimeOrderedUuidPopulator populator = populator(mappingContext, generators, environment);
			return (entity, table) -> Mono.fromSupplier(() -> populator.populate(entity));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MongoMappingContext.class)
	@ConditionalOnBean(MongoMappingContext.class)
	static class Mongo {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidMongoCallback")
		org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback<Object> timeOrderedUuidMongoCallback(
				MongoMappingContext mappingContext, ObjectProvider<UuidGenerator> generators, Environment environment) {
			TimeOrderedUuidPopulator populator = populator(mappingContext, generators, environment);
			return (entity, collection) -> populator.populate(entity);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(value = { MongoMappingContext.class, Mono.class },
			name = "com.mongodb.reactivestreams.client.MongoClient")
	@ConditionalOnBean(MongoMappingContext.class)
	static class ReactiveMongo {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidReactiveMongoCallback")
		ReactiveBeforeConvertCallback<Object> timeOrderedUuidReactiveMongoCallback(MongoMappingContext mappingContext,
				ObjectProvider<UuidGenerator> generators, Environment environment) {
			TimeOrderedUuidPopulator populator = populator(mappingContext, generators, environment);
			return (entity, collection) -> Mono.fromSupplier(() -> populator.populate(entity));
		}

	}

}
