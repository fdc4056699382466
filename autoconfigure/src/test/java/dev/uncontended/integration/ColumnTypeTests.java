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

import java.io.IOException;
import java.nio.file.Path;
import java.util.UUID;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.mapping.Column;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that Hibernate creates the columns that docs/uuid.md lists.
 */
class ColumnTypeTests {

	@ParameterizedTest
	@CsvSource(delimiter = ';', textBlock = """
			PostgreSQL; PostgreSQL, H2; uuid
			H2; PostgreSQL, H2; uuid
			MySQL; MySQL; binary(16)
			Oracle; Oracle; raw(16)
			SQLServer; SQL Server; uniqueidentifier
			""")
	void hibernateCreatesDocumentedColumn(String dialect, String row, String type) throws IOException {
		assertThat(columnType("org.hibernate.dialect." + dialect + "Dialect")).isEqualTo(type);
		assertThat(Path.of("../docs/uuid.md")).content().contains("| " + row + " | `" + type + "` |");
	}

	private static String columnType(String dialect) {
		try (StandardServiceRegistry registry = new StandardServiceRegistryBuilder()
			.applySetting("hibernate.dialect", dialect)
			.applySetting("hibernate.boot.allow_jdbc_metadata_access", false)
			.build()) {
			Metadata metadata = new MetadataSources(registry).addAnnotatedClass(Purchase.class).buildMetadata();
			Column column = metadata.getEntityBinding(Purchase.class.getName()).getIdentifier().getColumns().get(0);
			return column.getSqlType(metadata);
		}
	}

	@Entity(name = "purchase")
	static class Purchase {

		@Id
		UUID id;

	}

}
