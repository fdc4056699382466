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

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;

import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidTimestamps;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.Id;
import jakarta.persistence.PostLoad;
import jakarta.persistence.PostPersist;
import jakarta.persistence.Transient;
import org.hibernate.SessionFactory;
import org.hibernate.stat.Statistics;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.data.jpa.test.autoconfigure.DataJpaTest;
import org.springframework.context.annotation.Bean;
import org.springframework.data.domain.Persistable;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the entities and the query in {@code docs/uuid.md}, with Spring Data JPA.
 * Without a transaction of the test, each call of a repository is a transaction.
 */
@DataJpaTest(properties = { "spring.jpa.hibernate.ddl-auto=create",
		"spring.jpa.properties.hibernate.generate_statistics=true" })
@Transactional(propagation = Propagation.NOT_SUPPORTED)
@Tag("integration")
class SpringDataJpaTests {

	@Autowired
	private UuidGenerator ids;

	@Autowired
	private PurchaseRepository purchases;

	@Autowired
	private AssignedRepository assigned;

	@Autowired
	private PersistableRepository persistables;

	private final Statistics statistics;

	SpringDataJpaTests(@Autowired EntityManagerFactory factory) {
		this.statistics = factory.unwrap(SessionFactory.class).getStatistics();
		this.statistics.clear();
	}

	@Test
	void generatedIdNeedsNoSelect() {
		UUID before = this.ids.timeOrderedUuid();
		UUID id = this.purchases.save(new Purchase()).id;
		assertThat(id).isGreaterThan(before);
		assertThat(id.version()).isEqualTo(7);
		assertThat(this.statistics.getPrepareStatementCount()).isEqualTo(1);
		assertThat(this.purchases.existsById(id)).isTrue();
	}

	@Test
	void assignedIdNeedsSelectBeforeEachInsert() {
		UUID id = this.ids.timeOrderedUuid();
		this.assigned.save(new Assigned(id));
		assertThat(this.statistics.getPrepareStatementCount()).isEqualTo(2);
		assertThat(this.assigned.existsById(id)).isTrue();
	}

	@Test
	void assignedIdOfPersistableNeedsNoSelect() {
		UUID id = this.ids.timeOrderedUuid();
		this.persistables.save(new Invoice(id));
		assertThat(this.statistics.getPrepareStatementCount()).isEqualTo(1);
		Invoice loaded = this.persistables.findById(id).orElseThrow();
		assertThat(loaded.isNew()).isFalse();
		this.persistables.save(loaded);
		this.persistables.delete(loaded);
		assertThat(this.persistables.existsById(id)).isFalse();
	}

	@Test
	void queryFindsRowsOfDay() {
		Instant day = Instant.parse("2026-01-01T00:00:00Z");
		Instant nextDay = day.plus(Duration.ofDays(1));
		save(day.minusMillis(1));
		UUID first = save(day);
		UUID last = save(nextDay.minusMillis(1));
		save(nextDay);
		List<Assigned> found = this.assigned.findCreated(UuidTimestamps.smallest(day),
				UuidTimestamps.smallest(nextDay));
		assertThat(found).extracting((each) -> each.id).containsExactlyInAnyOrder(first, last);
		assertThat(found).extracting((each) -> UuidTimestamps.instant(each.id))
			.containsExactlyInAnyOrder(day, nextDay.minusMillis(1));
	}

	private UUID save(Instant instant) {
		try (UuidGenerator clocked = UuidGenerator.builder().clock(Clock.fixed(instant, ZoneOffset.UTC)).build()) {
			return this.assigned.save(new Assigned(clocked.timeOrderedUuid())).id;
		}
	}

	interface PurchaseRepository extends JpaRepository<Purchase, UUID> {

	}

	interface AssignedRepository extends JpaRepository<Assigned, UUID> {

		@Query("select a from Assigned a where a.id >= :from and a.id < :to")
		List<Assigned> findCreated(UUID from, UUID to);

	}

	interface PersistableRepository extends JpaRepository<Invoice, UUID> {

	}

	@Entity(name = "Purchase")
	static class Purchase {

		@Id
		@GeneratedValue
		@TimeOrderedUuid
		private @Nullable UUID id;

	}

	@Entity(name = "Assigned")
	static class Assigned {

		@Id
		private @Nullable UUID id;

		protected Assigned() {
		}

		Assigned(UUID id) {
			this.id = id;
		}

	}

	@Entity(name = "Invoice")
	static class Invoice implements Persistable<UUID> {

		@Id
		private @Nullable UUID id;

		@Transient
		private boolean isNew = true;

		protected Invoice() {
		}

		Invoice(UUID id) {
			this.id = id;
		}

		@Override
		public @Nullable UUID getId() {
			return this.id;
		}

		@Override
		public boolean isNew() {
			return this.isNew;
		}

		@PostLoad
		@PostPersist
		void markNotNew() {
			this.isNew = false;
		}

	}

	@SpringBootConfiguration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	@EnableJpaRepositories(considerNestedRepositories = true, basePackageClasses = SpringDataJpaTests.class)
	static class Application {

		@Bean
		PersistenceManagedTypes persistenceManagedTypes() {
			return PersistenceManagedTypes.of(Purchase.class.getName(), Assigned.class.getName(),
					Invoice.class.getName());
		}

	}

}
