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

package dev.uncontended.integration;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.autoconfigure.uuid.UuidIntegrationAutoConfiguration;
import dev.uncontended.uuid.UuidGenerator;
import io.r2dbc.h2.H2ConnectionFactory;
import io.r2dbc.spi.ConnectionFactory;
import org.bson.Document;
import org.bson.UuidRepresentation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.jdbc.repository.config.AbstractJdbcConfiguration;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.callback.EntityCallback;
import org.springframework.data.mongodb.config.AbstractMongoClientConfiguration;
import org.springframework.data.mongodb.config.AbstractReactiveMongoConfiguration;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.mongodb.core.ReactiveMongoTemplate;
import org.springframework.data.mongodb.core.mapping.MongoMappingContext;
import org.springframework.data.r2dbc.config.AbstractR2dbcConfiguration;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcOperations;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.TransactionManager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for entities whose ids Spring Data draws from the generator: with H2 through JDBC
 * and R2DBC, and with an in-memory MongoDB server.
 */
@Tag("integration")
class SpringDataTests {

	private static final String SCHEMA = "CREATE TABLE PURCHASE (ID UUID PRIMARY KEY, TEXT VARCHAR(100))";

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(UuidAutoConfiguration.class, UuidIntegrationAutoConfiguration.class));

	@Test
	void assignsIdsOfJdbcEntities() {
		this.contextRunner.withUserConfiguration(Jdbc.class).run((context) -> {
			JdbcAggregateTemplate template = context.getBean(JdbcAggregateTemplate.class);
			Purchase first = template.save(new Purchase(null, "first"));
			Purchase second = template.save(new Purchase(null, "second"));
			assertThat(List.of(first.id(), second.id())).allMatch((id) -> id.version() == 7).isSorted();
			assertThat(template.findById(second.id(), Purchase.class)).isEqualTo(second);
			assertThat(template.save(new Purchase(first.id(), "changed")).id()).isEqualTo(first.id());
			assertThat(template.findAll(Purchase.class)).hasSize(2);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(7)).isEqualTo(2);
		});
	}

	@Test
	void assignsIdsOfR2dbcEntities() {
		this.contextRunner.withUserConfiguration(R2dbc.class).run((context) -> {
			R2dbcEntityTemplate template = context.getBean(R2dbcEntityTemplate.class);
			template.getDatabaseClient().sql(SCHEMA).then().block();
			Purchase first = template.insert(new Purchase(null, "first")).block();
			Purchase second = template.insert(new Purchase(null, "second")).block();
			assertThat(List.of(first.id(), second.id())).allMatch((id) -> id.version() == 7).isSorted();
			assertThat(template.select(Purchase.class).all().collectList().block()).containsExactlyInAnyOrder(first,
					second);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(7)).isEqualTo(2);
		});
	}

	@Test
	void assignsIdsOfMongoDocuments() {
		this.contextRunner.withUserConfiguration(Mongo.class).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			Purchase purchase = template.save(new Purchase(null, "first"));
			assertThat(purchase.id().version()).isEqualTo(7);
			assertThat(template.findById(purchase.id(), Purchase.class)).isEqualTo(purchase);
			assertThat(template.getCollection("purchase").find(new Document("_id", purchase.id()))).hasSize(1);
			assertThat(template.save(new Purchase(purchase.id(), "changed")).id()).isEqualTo(purchase.id());
			template.insert(new Purchase(null, "second"));
			assertThat(template.findAll(Purchase.class)).hasSize(2);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(7)).isEqualTo(2);
		});
	}

	@Test
	void assignsIdsOfReactiveMongoDocuments() {
		this.contextRunner.withUserConfiguration(ReactiveMongo.class).run((context) -> {
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			Purchase purchase = template.save(new Purchase(null, "first")).block();
			assertThat(purchase.id().version()).isEqualTo(7);
			assertThat(template.findById(purchase.id(), Purchase.class).block()).isEqualTo(purchase);
			assertThat(template.save(new Purchase(purchase.id(), "changed")).block().id()).isEqualTo(purchase.id());
			template.insert(new Purchase(null, "second")).block();
			assertThat(template.findAll(Purchase.class).collectList().block()).hasSize(2);
			assertThat(context.getBean(UuidGenerator.class).stats().generated(7)).isEqualTo(2);
		});
	}

	@Test
	void ignoresMongoDocumentsWithoutEntity() {
		this.contextRunner.withUserConfiguration(Mongo.class).run((context) -> {
			MongoTemplate template = context.getBean(MongoTemplate.class);
			template.insert(new Document("text", "first"), "purchase");
			template.save(new HashMap<>(Map.of("text", "second")), "purchase");
			template.save("{'text': 'third'}", "purchase");
			assertThat(template.getCollection("purchase").countDocuments()).isEqualTo(3);
			assertThat(context.getBean(MongoMappingContext.class).hasPersistentEntityFor(HashMap.class)).isFalse();
		});
	}

	@Test
	void ignoresReactiveMongoDocumentsWithoutEntity() {
		this.contextRunner.withUserConfiguration(ReactiveMongo.class).run((context) -> {
			ReactiveMongoTemplate template = context.getBean(ReactiveMongoTemplate.class);
			template.insert(new Document("text", "first"), "purchase").block();
			assertThat(template.findAll(Document.class, "purchase").collectList().block()).hasSize(1);
		});
	}

	@Test
	void rejectsPropertyOfOtherType() {
		this.contextRunner.withUserConfiguration(Jdbc.class)
			.run((context) -> assertThatExceptionOfType(MappingException.class)
				.isThrownBy(() -> context.getBean(JdbcAggregateTemplate.class).save(new TextIdentified(null)))
				.withMessageContaining("TextIdentified.id' is of type java.lang.String"));
	}

	@Test
	void missingGeneratorIsReported() {
		this.contextRunner.withUserConfiguration(Jdbc.class)
			.withPropertyValues("uncontended.uuid.enabled=false")
			.run((context) -> {
				JdbcAggregateTemplate template = context.getBean(JdbcAggregateTemplate.class);
				Purchase purchase = new Purchase(UUID.randomUUID(), "first");
				assertThat(template.insert(purchase)).isEqualTo(purchase);
				assertThatExceptionOfType(NoSuchBeanDefinitionException.class)
					.isThrownBy(() -> template.save(new Purchase(null, "second")))
					.withMessageContaining("UuidGenerator");
			});
	}

	@Test
	void missingPrimaryGeneratorIsReported() {
		this.contextRunner.withUserConfiguration(Jdbc.class)
			.withBean("first", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.withBean("second", UuidGenerator.class, () -> UuidGenerator.builder().build())
			.run((context) -> assertThatExceptionOfType(NoUniqueBeanDefinitionException.class)
				.isThrownBy(() -> context.getBean(JdbcAggregateTemplate.class).save(new Purchase(null, "first")))
				.withMessageContaining("first,second"));
	}

	@Test
	void startsWithoutSpringData() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("org.springframework.data"))
			.run((context) -> assertThat(context).hasNotFailed());
	}

	@Test
	void isAbsentWithoutReactiveDriver() {
		this.contextRunner.withClassLoader(new FilteredClassLoader("com.mongodb.reactivestreams"))
			.withUserConfiguration(Mongo.class)
			.run((context) -> assertThat(context).hasBean("timeOrderedUuidMongoCallback")
				.doesNotHaveBean("timeOrderedUuidReactiveMongoCallback"));
	}

	@Test
	void isAbsentForEachAbsentLibrary() {
		this.contextRunner
			.withClassLoader(new FilteredClassLoader(JdbcMappingContext.class, R2dbcMappingContext.class,
					MongoMappingContext.class))
			.run((context) -> assertThat(context).hasNotFailed().doesNotHaveBean(EntityCallback.class));
	}

	record Purchase(@Id @TimeOrderedUuid @Nullable UUID id, String text) {

	}

	record TextIdentified(@Id @TimeOrderedUuid @Nullable String id) {

	}

	@Configuration(proxyBeanMethods = false)
	static class Jdbc extends AbstractJdbcConfiguration {

		@Bean
		EmbeddedDatabase dataSource() {
			EmbeddedDatabase database = new EmbeddedDatabaseBuilder().setType(EmbeddedDatabaseType.H2)
				.generateUniqueName(true)
				.build();
			new NamedParameterJdbcTemplate(database).getJdbcOperations().execute(SCHEMA);
			return database;
		}

		@Bean
		NamedParameterJdbcOperations jdbcOperations(EmbeddedDatabase database) {
			return new NamedParameterJdbcTemplate(database);
		}

		@Bean
		TransactionManager transactionManager(EmbeddedDatabase database) {
			return new JdbcTransactionManager(database);
		}

	}

	@Configuration
	static class R2dbc extends AbstractR2dbcConfiguration {

		@Bean(destroyMethod = "close")
		@Override
		public ConnectionFactory connectionFactory() {
			return H2ConnectionFactory.inMemory(UUID.randomUUID().toString());
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class MongoServerConfiguration {

		@Bean(destroyMethod = "shutdownNow")
		MongoServer mongoServer() {
			MongoServer server = new MongoServer(new MemoryBackend());
			server.bind();
			return server;
		}

		@Bean
		MongoClientSettings settings(MongoServer server) {
			return MongoClientSettings.builder()
				.uuidRepresentation(UuidRepresentation.STANDARD)
				.applyConnectionString(new ConnectionString(server.getConnectionString()))
				.build();
		}

	}

	@Configuration
	@Import(MongoServerConfiguration.class)
	static class Mongo extends AbstractMongoClientConfiguration {

		@Autowired
		private MongoClientSettings settings;

		@Override
		protected String getDatabaseName() {
			return "test";
		}

		@Override
		protected MongoClientSettings mongoClientSettings() {
			return this.settings;
		}

	}

	@Configuration
	@Import(MongoServerConfiguration.class)
	static class ReactiveMongo extends AbstractReactiveMongoConfiguration {

		@Autowired
		private MongoClientSettings settings;

		@Override
		protected String getDatabaseName() {
			return "test";
		}

		@Override
		protected MongoClientSettings mongoClientSettings() {
			return this.settings;
		}

	}

}
