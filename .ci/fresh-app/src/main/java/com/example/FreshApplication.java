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

package com.example;

import java.util.UUID;

import dev.uncontended.integration.TimeOrderedUuid;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;

import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.support.TransactionOperations;

@SpringBootApplication
public class FreshApplication {

	public static void main(String[] args) {
		SpringApplication.run(FreshApplication.class, args);
	}

	@Bean
	CommandLineRunner draw(UuidGenerator ids, EntityManager entities, TransactionOperations transaction) {
		return (args) -> {
			Purchase purchase = new Purchase();
			transaction.executeWithoutResult((status) -> entities.persist(purchase));
			System.out.printf("Drew %s and %s by %s on Spring Boot %s%n", ids.randomUuid(), purchase.id,
					UuidGenerator.class.getPackage().getImplementationVersion(), SpringBootVersion.getVersion());
		};
	}

	@Entity
	static class Purchase {

		@Id
		@GeneratedValue
		@TimeOrderedUuid
		private UUID id;

	}

}
