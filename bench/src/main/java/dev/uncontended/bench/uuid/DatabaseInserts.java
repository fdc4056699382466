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

package dev.uncontended.bench.uuid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.uuid.UuidGenerator;
import org.hibernate.id.uuid.UuidVersion7Strategy;

/**
 * Inserts rows with UUIDs as primary keys into tables of H2, in files that are new each
 * time. Measures the time, the size of the index, and the size of the file of the
 * database. The ids are created in advance; the sources alternate.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code rows};
 * {@code rounds}; {@code results}, a file to which the raw results are appended.
 */
public final class DatabaseInserts {

	private static final String HEADER = "database\tids\tround\tms\tindex MB\tfile MB";

	private static final int BATCH = 1000;

	private DatabaseInserts() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if the database fails
	 */
	public static void main(String[] args) throws Exception {
		Options options = Options.parse(args, Map.of("rows", "1000000", "rounds", "5", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 0; round <= options.number("rounds"); round++) {
			for (Ids ids : Ids.values()) {
				UUID[] uuids = ids.create(options.number("rows"));
				String figures = insert(uuids);
				// The first round warms up.
				if (round > 0) {
					results.add("H2\t" + ids + "\t" + round + "\t" + figures);
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static String insert(UUID[] uuids) throws IOException, SQLException {
		Path directory = Files.createTempDirectory("inserts");
		long nanos;
		long index;
		try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + directory.resolve("database"))) {
			connection.createStatement().execute("CREATE TABLE PURCHASE (ID UUID PRIMARY KEY, TEXT VARCHAR)");
			connection.setAutoCommit(false);
			long start = System.nanoTime();
			insert(uuids, connection);
			connection.createStatement().execute("CHECKPOINT SYNC");
			nanos = System.nanoTime() - start;
			index = indexSize(connection);
		}
		try (Stream<Path> files = Files.list(directory)) {
			long size = 0;
			for (Path file : files.toList()) {
				size += Files.size(file);
				Files.delete(file);
			}
			Files.delete(directory);
			return nanos / 1_000_000 + "\t" + index / 1e6 + "\t" + size / 1e6;
		}
	}

	private static void insert(UUID[] uuids, Connection connection) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement("INSERT INTO PURCHASE VALUES (?, 'text')")) {
			for (int i = 0; i < uuids.length; i++) {
				insert.setObject(1, uuids[i]);
				insert.addBatch();
				if ((i + 1) % BATCH == 0 || i + 1 == uuids.length) {
					insert.executeBatch();
					connection.commit();
				}
			}
		}
	}

	private static long indexSize(Connection connection) throws SQLException {
		try (ResultSet size = connection.createStatement().executeQuery("""
				SELECT DB_OBJECT_SIZE('INDEX', INDEX_SCHEMA, INDEX_NAME) FROM INFORMATION_SCHEMA.INDEXES
				WHERE TABLE_NAME = 'PURCHASE'""")) {
			size.next();
			return size.getLong(1);
		}
	}

	/** The ids of the rows, in the order of their insertion. */
	private enum Ids {

		VERSION_4(UuidGenerator::fill),

		VERSION_7((generator, uuids) -> Arrays.setAll(uuids, (i) -> generator.timeOrderedUuid())),

		VERSION_7_SHUFFLED((generator, uuids) -> {
			VERSION_7.source.accept(generator, uuids);
			Collections.shuffle(Arrays.asList(uuids));
		}),

		HIBERNATE_VERSION_7(
				(generator, uuids) -> Arrays.setAll(uuids, (i) -> UuidVersion7Strategy.INSTANCE.generateUuid(null)));

		@SuppressWarnings("ImmutableEnumChecker")
		private final BiConsumer<UuidGenerator, UUID[]> source;

		Ids(BiConsumer<UuidGenerator, UUID[]> source) {
			this.source = source;
		}

		UUID[] create(int count) {
			UUID[] uuids = new UUID[count];
			try (UuidGenerator generator = UuidGenerator.builder().build()) {
				this.source.accept(generator, uuids);
			}
			return uuids;
		}

	}

}
