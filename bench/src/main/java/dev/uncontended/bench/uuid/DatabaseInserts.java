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
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.uuid.UuidGenerator;
import org.hibernate.id.uuid.UuidVersion7Strategy;

/**
 * Inserts rows with UUIDs as primary keys into a new table. Measures the time, the size
 * of the index, and the size of the table with its index, which for H2 is the size of the
 * new file of the database. The ids are created in advance; the sources alternate.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code url}: the JDBC URL of a PostgreSQL database, in which the program creates
 * and drops the table {@code uncontended_purchase}; {@code h2} for files of H2
 * <li>{@code rows}
 * <li>{@code rounds}
 * <li>{@code results}: a file to which the raw results are appended
 * </ul>
 */
public final class DatabaseInserts {

	private static final String HEADER = "database\tids\tround\tms\tindex MB\tfile MB";

	private static final int BATCH = 1000;

	private static final String H2 = "h2";

	private static final String TABLE = "uncontended_purchase";

	private DatabaseInserts() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if the database fails
	 */
	public static void main(String[] args) throws Exception {
		Options options = Options.parse(args, Map.of("url", H2, "rows", "1000000", "rounds", "5", "results", ""));
		String url = options.text("url");
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 0; round <= options.number("rounds"); round++) {
			for (Ids ids : Ids.values()) {
				UUID[] uuids = ids.create(options.number("rows"));
				String figures = url.equals(H2) ? insertIntoH2(uuids) : insertIntoPostgreSql(url, uuids);
				// The first round warms up.
				if (round > 0) {
					results.add((url.equals(H2) ? "H2" : "PostgreSQL") + "\t" + ids + "\t" + round + "\t" + figures);
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static String insertIntoH2(UUID[] uuids) throws IOException, SQLException {
		Path directory = Files.createTempDirectory("inserts");
		long nanos;
		long index;
		try (Connection connection = DriverManager.getConnection("jdbc:h2:file:" + directory.resolve("database"))) {
			nanos = insert(uuids, connection, "CHECKPOINT SYNC");
			index = number(connection, """
					SELECT DB_OBJECT_SIZE('INDEX', INDEX_SCHEMA, INDEX_NAME) FROM INFORMATION_SCHEMA.INDEXES
					WHERE TABLE_NAME = '%s'""".formatted(TABLE.toUpperCase(Locale.ROOT)));
		}
		try (Stream<Path> files = Files.list(directory)) {
			long size = 0;
			for (Path file : files.toList()) {
				size += Files.size(file);
				Files.delete(file);
			}
			Files.delete(directory);
			return figures(nanos, index, size);
		}
	}

	private static String insertIntoPostgreSql(String url, UUID[] uuids) throws SQLException {
		try (Connection connection = DriverManager.getConnection(url)) {
			connection.createStatement().execute("DROP TABLE IF EXISTS " + TABLE);
			// Needs the role pg_checkpoint or a superuser. Each round then writes its own
			// pages only.
			connection.createStatement().execute("CHECKPOINT");
			long nanos = insert(uuids, connection, "CHECKPOINT");
			long index = number(connection, "SELECT pg_indexes_size('" + TABLE + "')");
			long size = number(connection, "SELECT pg_total_relation_size('" + TABLE + "')");
			connection.createStatement().execute("DROP TABLE " + TABLE);
			connection.commit();
			return figures(nanos, index, size);
		}
	}

	private static String figures(long nanos, long index, long size) {
		return nanos / 1_000_000 + "\t" + index / 1e6 + "\t" + size / 1e6;
	}

	/**
	 * Creates the table and inserts the rows.
	 * @param checkpoint the statement that writes all changes to the disk
	 * @return the duration of the inserts and of the checkpoint in nanoseconds
	 */
	private static long insert(UUID[] uuids, Connection connection, String checkpoint) throws SQLException {
		connection.createStatement().execute("CREATE TABLE " + TABLE + " (ID UUID PRIMARY KEY, TEXT VARCHAR)");
		connection.setAutoCommit(false);
		long start = System.nanoTime();
		insert(uuids, connection);
		connection.createStatement().execute(checkpoint);
		return System.nanoTime() - start;
	}

	private static void insert(UUID[] uuids, Connection connection) throws SQLException {
		try (PreparedStatement insert = connection.prepareStatement("INSERT INTO " + TABLE + " VALUES (?, 'text')")) {
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

	private static long number(Connection connection, String query) throws SQLException {
		try (ResultSet result = connection.createStatement().executeQuery(query)) {
			result.next();
			return result.getLong(1);
		}
	}

	/** The ids of the rows, in the order of their insertion. */
	private enum Ids {

		/** The JDK's. */
		JDK_VERSION_4((generator, uuids) -> Arrays.setAll(uuids, (i) -> UUID.randomUUID())),

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
