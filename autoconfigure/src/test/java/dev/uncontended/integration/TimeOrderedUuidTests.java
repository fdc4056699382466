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

import java.util.UUID;

import dev.uncontended.autoconfigure.uuid.UuidAutoConfiguration;
import dev.uncontended.uuid.UuidGenerator;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for invalid mappings with {@link TimeOrderedUuid @TimeOrderedUuid}.
 * {@link IntegrationTests} contains a valid one.
 */
class TimeOrderedUuidTests {

	private final ApplicationContextRunner contextRunner = new ApplicationContextRunner()
		.withConfiguration(AutoConfigurations.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
				UuidAutoConfiguration.class));

	@Test
	void identifierOfOtherTypeCannotBeStored() {
		this.contextRunner.withBean(PersistenceManagedTypes.class, () -> managed(TextIdentified.class))
			.run((context) -> {
				EntityManager entityManager = context.getBean(EntityManagerFactory.class).createEntityManager();
				assertThatException().isThrownBy(() -> entityManager.persist(new TextIdentified()))
					.withMessageContaining("TextIdentified.id");
			});
	}

	@Test
	void reportsMissingGenerator() {
		this.contextRunner.withPropertyValues("uncontended.uuid.enabled=false")
			.withBean(PersistenceManagedTypes.class, () -> managed(Identified.class))
			.run((context) -> assertThat(context).getFailure()
				.rootCause()
				.isInstanceOf(NoSuchBeanDefinitionException.class)
				.hasMessageContaining(UuidGenerator.class.getName()));
	}

	private static PersistenceManagedTypes managed(Class<?> entity) {
		return PersistenceManagedTypes.of(entity.getName());
	}

	@Entity
	static class TextIdentified {

		@Id
		@TimeOrderedUuid
		@Nullable String id;

	}

	@Entity
	static class Identified {

		@Id
		@TimeOrderedUuid
		@Nullable UUID id;

	}

}
