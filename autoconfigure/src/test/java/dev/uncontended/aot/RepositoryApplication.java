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

package dev.uncontended.aot;

import java.util.List;
import java.util.UUID;

import dev.uncontended.integration.TimeOrderedUuid;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.mongodb.autoconfigure.MongoAutoConfiguration;
import org.springframework.boot.r2dbc.autoconfigure.R2dbcAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;

/**
 * An application with a Spring Data repository, for {@link AheadOfTimeRepositoryTests}.
 */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(exclude = { MongoAutoConfiguration.class, R2dbcAutoConfiguration.class })
@EnableJpaRepositories(considerNestedRepositories = true)
class RepositoryApplication {

	public static void main(String[] args) {
		try (ConfigurableApplicationContext context = SpringApplication.run(RepositoryApplication.class,
				"--spring.jpa.hibernate.ddl-auto=create", "--spring.main.web-application-type=none")) {
			Order order = context.getBean(Orders.class).save(new Order());
			System.out.println("version " + order.id.version() + ", drawn from the bean: "
					+ context.getBean(UuidGenerator.class).stats().generated(7));
		}
	}

	interface Orders extends JpaRepository<Order, UUID> {

		List<Order> findByNote(String note);

	}

	@Entity(name = "orders")
	static class Order {

		@Id
		@TimeOrderedUuid
		@Nullable UUID id;

		@Nullable String note;

	}

}
