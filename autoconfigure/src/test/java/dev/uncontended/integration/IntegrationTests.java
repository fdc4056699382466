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

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.UUID;

import dev.uncontended.uuid.UuidGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.OptimisticLockException;
import jakarta.servlet.http.HttpSession;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.messaging.support.MessageBuilder;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for an application whose Spring Session, Spring Integration and Hibernate draw
 * ids from the generator.
 */
@SpringBootTest(webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
		properties = { "server.address=127.0.0.1", "uncontended.uuid.id-generator=true",
				"uncontended.uuid.spring-session=true" })
@DirtiesContext
@Tag("integration")
class IntegrationTests {

	@Autowired
	private UuidGenerator generator;

	@Autowired
	private JdbcTemplate jdbc;

	@Autowired
	private EntityManager entityManager;

	@Autowired
	private TransactionTemplate transaction;

	@LocalServerPort
	private int port;

	@Test
	void assignsIdsOfSpringSession() throws Exception {
		long before = this.generator.stats().generated(4);
		HttpResponse<String> created = session();
		UUID id = UUID.fromString(created.body());
		assertThat(id.version()).isEqualTo(4);
		assertThat(this.generator.stats().generated(4) - before).isEqualTo(1);
		assertThat(this.jdbc.queryForList("SELECT SESSION_ID FROM SPRING_SESSION", String.class))
			.contains(id.toString());
		String cookie = "SESSION="
				+ Base64.getEncoder().encodeToString(id.toString().getBytes(StandardCharsets.US_ASCII));
		assertThat(created.headers().firstValue("Set-Cookie").orElseThrow()).startsWith(cookie);
		assertThat(session("Cookie", cookie).body()).isEqualTo(id.toString());
	}

	@Test
	void assignsMessageIdsWithSpringIntegration() {
		long before = this.generator.stats().generated(4);
		UUID id = MessageBuilder.withPayload("payload").build().getHeaders().getId();
		assertThat(id).isNotNull();
		assertThat(id.version()).isEqualTo(4);
		assertThat(this.generator.stats().generated(4) - before).isEqualTo(1);
	}

	@Test
	void assignsIdsOfEntities() {
		long before = this.generator.stats().generated(7);
		List<UUID> ids = this.transaction.execute((status) -> List.of(persist("first"), persist("second")));
		assertThat(this.generator.stats().generated(7) - before).isEqualTo(2);
		assertThat(ids).allMatch((id) -> id.version() == 7);
		assertThat(this.jdbc.queryForList("SELECT ID FROM PURCHASE ORDER BY ID", UUID.class)).isEqualTo(ids);
		assertThat(this.entityManager.find(Purchase.class, ids.get(1)).text).isEqualTo("second");
	}

	@Test
	void rejectsEntitiesWithExistingId() {
		Purchase purchase = new Purchase();
		purchase.id = UUID.randomUUID();
		assertThatException()
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.entityManager.persist(purchase)))
			.withMessageContaining("etached entity passed to persist");
		assertThatException()
			.isThrownBy(() -> this.transaction.executeWithoutResult((status) -> this.entityManager.merge(purchase)))
			.isInstanceOf(OptimisticLockException.class);
	}

	private UUID persist(String text) {
		Purchase purchase = new Purchase();
		purchase.text = text;
		this.entityManager.persist(purchase);
		assertThat(purchase.id).isNotNull();
		return purchase.id;
	}

	private HttpResponse<String> session(String... headers) throws Exception {
		HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://localhost:" + this.port + "/session"));
		if (headers.length > 0) {
			request.headers(headers);
		}
		return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
	}

	@Entity(name = "Purchase")
	static class Purchase {

		@Id
		@GeneratedValue
		@TimeOrderedUuid
		private @Nullable UUID id;

		private @Nullable String text;

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration(exclude = { MongoAutoConfiguration.class, R2dbcAutoConfiguration.class })
	static class Application {

		@Bean
		PersistenceManagedTypes persistenceManagedTypes() {
			return PersistenceManagedTypes.of(Purchase.class.getName());
		}

		@Bean
		SessionController sessionController() {
			return new SessionController();
		}

	}

	@RestController
	static class SessionController {

		@GetMapping("/session")
		String session(HttpSession session) {
			return session.getId();
		}

	}

}
