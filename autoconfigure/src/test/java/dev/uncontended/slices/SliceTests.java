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

package dev.uncontended.slices;

import java.util.UUID;

import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import dev.uncontended.slices.SliceComponents.BlockingClient;
import dev.uncontended.slices.SliceComponents.IdController;
import dev.uncontended.slices.SliceComponents.Letter;
import dev.uncontended.slices.SliceComponents.Note;
import dev.uncontended.slices.SliceComponents.Purchase;
import dev.uncontended.slices.SliceComponents.ReactiveClient;
import dev.uncontended.tls.redis.RedisServer;
import dev.uncontended.uuid.UuidGenerator;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.data.jdbc.test.autoconfigure.DataJdbcTest;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.boot.data.mongodb.test.autoconfigure.DataMongoTest;
import org.springframework.boot.data.r2dbc.test.autoconfigure.DataR2dbcTest;
import org.springframework.boot.data.redis.test.autoconfigure.DataRedisTest;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.boot.jpa.test.autoconfigure.TestEntityManager;
import org.springframework.boot.restclient.test.autoconfigure.RestClientTest;
import org.springframework.boot.test.autoconfigure.json.JsonTest;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.json.JacksonTester;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.boot.webclient.test.autoconfigure.WebClientTest;
import org.springframework.boot.webflux.test.autoconfigure.WebFluxTest;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.data.r2dbc.core.R2dbcEntityTemplate;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.http.HttpStatus;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.test.web.client.MockRestServiceServer;
import org.springframework.test.web.reactive.server.WebTestClient;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.web.reactive.function.client.ClientResponse;

import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.matchesPattern;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.header;
import static org.springframework.test.web.client.match.MockRestRequestMatchers.requestTo;
import static org.springframework.test.web.client.response.MockRestResponseCreators.withSuccess;

/**
 * Tests for Spring Boot's test slices, used like in an application: without imports and
 * without replaced beans. Contexts with a connection to a server are closed, because the
 * client would otherwise connect to any later server at the same port.
 */
@Tag("integration")
@Tag("product")
class SliceTests {

	private static final String VERSION_4 = "\"?\\p{XDigit}{8}-\\p{XDigit}{4}-4\\p{XDigit}{3}-[89ab]\\p{XDigit}{3}-\\p{XDigit}{12}\"?";

	@Nested
	@DataJpaTest(properties = "spring.jpa.hibernate.ddl-auto=create")
	class Jpa {

		@Test
		void assignsIdsOfEntities(@Autowired TestEntityManager entities) {
			assertThat(entities.persistAndFlush(new Purchase()).id).isNotNull()
				.satisfies((id) -> assertThat(id.version()).isEqualTo(7));
		}

	}

	@Nested
	@DataJdbcTest
	class DataJdbc {

		@Test
		void assignsIdsOfEntities(@Autowired JdbcAggregateTemplate notes, @Autowired JdbcTemplate jdbc) {
			jdbc.execute("CREATE TABLE NOTE (ID UUID PRIMARY KEY, TEXT VARCHAR(100))");
			Note note = notes.save(new Note(null, "text"));
			assertThat(note.id()).isNotNull().satisfies((id) -> assertThat(id.version()).isEqualTo(7));
			assertThat(notes.findAll(Note.class)).containsExactly(note);
		}

	}

	@Nested
	@DataR2dbcTest
	class DataR2dbc {

		@Test
		void assignsIdsOfEntities(@Autowired R2dbcEntityTemplate notes) {
			notes.getDatabaseClient().sql("CREATE TABLE NOTE (ID UUID PRIMARY KEY, TEXT VARCHAR(100))").then().block();
			Note note = notes.insert(new Note(null, "text")).block();
			assertThat(note.id()).isNotNull().satisfies((id) -> assertThat(id.version()).isEqualTo(7));
			assertThat(notes.select(Note.class).all().collectList().block()).containsExactly(note);
		}

	}

	@Nested
	@DataMongoTest(properties = "spring.mongodb.representation.uuid=standard")
	@DirtiesContext
	class DataMongo {

		private static final MongoServer server = new MongoServer(new MemoryBackend());

		@DynamicPropertySource
		static void connect(DynamicPropertyRegistry registry) {
			server.bind();
			registry.add("spring.mongodb.uri", () -> server.getConnectionString() + "/test");
		}

		@AfterAll
		static void stop() {
			server.shutdownNow();
		}

		@Test
		void assignsIdsOfDocuments(@Autowired MongoTemplate letters) {
			Letter letter = letters.save(new Letter(null, "text"));
			assertThat(letter.id()).isNotNull().satisfies((id) -> assertThat(id.version()).isEqualTo(7));
			assertThat(letters.findAll(Letter.class)).containsExactly(letter);
		}

	}

	@Nested
	@DataRedisTest
	@DirtiesContext
	@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
	class DataRedis {

		private static RedisServer server;

		@DynamicPropertySource
		static void connect(DynamicPropertyRegistry registry) {
			server = RedisServer.create();
			registry.add("spring.data.redis.port", () -> server.port());
		}

		@AfterAll
		static void stop() {
			server.close();
		}

		@Test
		void providesIdsForKeys(@Autowired StringRedisTemplate redis, @Autowired UuidGenerator ids) {
			String key = ids.randomUuid().toString();
			redis.opsForValue().set(key, "value");
			assertThat(redis.opsForValue().get(key)).isEqualTo("value");
		}

	}

	@Nested
	@JdbcTest
	class Jdbc {

		@Test
		void providesIdsForRows(@Autowired JdbcTemplate jdbc, @Autowired UuidGenerator ids) {
			UUID id = ids.timeOrderedUuid();
			assertThat(jdbc.queryForObject("SELECT CAST(? AS UUID)", UUID.class, id)).isEqualTo(id);
		}

	}

	@Nested
	@WebMvcTest(IdController.class)
	class WebMvc {

		@Test
		void providesIdsForControllers(@Autowired MockMvcTester mvc) {
			assertThat(mvc.get().uri("/id")).hasStatusOk().bodyText().matches(VERSION_4);
		}

	}

	@Nested
	@WebFluxTest(controllers = IdController.class, properties = "spring.main.web-application-type=reactive")
	class WebFlux {

		@Test
		void providesIdsForControllers(@Autowired WebTestClient client) {
			client.get()
				.uri("/id")
				.exchange()
				.expectBody(String.class)
				.value((body) -> assertThat(body).matches(VERSION_4));
		}

	}

	@Nested
	@RestClientTest(BlockingClient.class)
	class Rest {

		@Test
		void providesIdsForRequests(@Autowired BlockingClient client, @Autowired MockRestServiceServer server) {
			server.expect(requestTo("http://prices.test/price"))
				.andExpect(header("Idempotency-Key", matchesPattern(VERSION_4)))
				.andRespond(withSuccess().body("42"));
			assertThat(client.price()).isEqualTo("42");
		}

	}

	@Nested
	@WebClientTest(ReactiveClient.class)
	class Web {

		@Test
		void providesIdsForRequests(@Autowired ReactiveClient client) {
			assertThat(client.price().block()).matches(VERSION_4);
		}

		@TestConfiguration(proxyBeanMethods = false)
		static class Echo {

			@Bean
			WebClientCustomizer echo() {
				return (builder) -> builder.exchangeFunction((request) -> Mono.just(ClientResponse.create(HttpStatus.OK)
					.body(String.valueOf(request.headers().getFirst("Idempotency-Key")))
					.build()));
			}

		}

	}

	@Nested
	@JsonTest
	class Json {

		@Autowired
		private JacksonTester<Note> json;

		@Test
		void providesIdsForObjects(@Autowired UuidGenerator ids) throws Exception {
			Note note = new Note(ids.randomUuid(), "text");
			assertThat(this.json.parse(this.json.write(note).getJson())).isEqualTo(note);
		}

	}

}
