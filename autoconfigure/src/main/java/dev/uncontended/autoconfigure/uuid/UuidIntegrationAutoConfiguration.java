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
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.mapping.context.MappingContext;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.mongodb.core.mapping.event.ReactiveBeforeConvertCallback;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.relational.core.mapping.event.BeforeConvertCallback;

/**
 * Auto-configuration that lets the {@link UuidGenerator} create version 7 UUIDs for
 * properties of Spring Data entities annotated with
 * {@link dev.uncontended.integration.TimeOrderedUuid @TimeOrderedUuid}.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class,
		afterName = { "org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration",
				"org.springframework.boot.data.mongodb.autoconfigure.DataMongoAutoConfiguration",
				"org.springframework.boot.data.mongodb.autoconfigure.DataMongoReactiveAutoConfiguration",
				"org.springframework.boot.data.r2dbc.autoconfigure.DataR2dbcAutoConfiguration" })
@ConditionalOnClass(MappingContext.class)
public final class UuidIntegrationAutoConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcMappingContext.class)
	@ConditionalOnBean(JdbcMappingContext.class)
	static class Jdbc {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidJdbcCallback")
		BeforeConvertCallback<Object> timeOrderedUuidJdbcCallback(JdbcMappingContext mappingContext,
				ObjectProvider<UuidGenerator> generators) {
			TimeOrderedUuidPopulator populator = new TimeOrderedUuidPopulator(mappingContext, generators);
			return populator::populate;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ R2dbcMappingContext.class, Mono.class })
	@ConditionalOnBean(R2dbcMappingContext.class)
	static class R2dbc {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidR2dbcCallback")
		org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback<Object> timeOrderedUuidR2dbcCallback(
				R2dbcMappingContext mappingContext, ObjectProvider<UuidGenerator> generators) {
			TimeOrderedUuidPopulator populator = new TimeOrderedUuidPopulator(mappingContext, generators);
			return (entity, table) -> Mono.just(populator.populate(entity));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(MongoMappingContext.class)
	@ConditionalOnBean(MongoMappingContext.class)
	static class Mongo {

		@Bean
		@ConditionalOnMissingBean(name = "timeOrderedUuidMongoCallback")
		org.springframework.data.mongodb.core.mapping.event.BeforeConvertCallback<Object> timeOrderedUuidMongoCallback(
				MongoMappingContext mappingContext, ObjectProvider<UuidGenerator> generators) {
			TimeOrderedUuidPopulator populator = new TimeOrderedUuidPopulator(mappingContext, generators);
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
				ObjectProvider<UuidGenerator> generators) {
			TimeOrderedUuidPopulator populator = new TimeOrderedUuidPopulator(mappingContext, generators);
			return (entity, collection) -> Mono.just(populator.populate(entity));
		}

	}

}
