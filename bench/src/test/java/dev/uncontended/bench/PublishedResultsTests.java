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
package dev.uncontended.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that documents publish the raw results.
 */
class PublishedResultsTests {

	private static final Path RESULTS = Path.of("results");

	private static final Path BENCHMARKS = Path.of("..", "docs", "benchmarks.md");

	private static final Path README = Path.of("..", "README.md");

	private static final Path SESSIONS = Path.of("..", "docs", "sessions.md");

	private static final Path UUIDS = Path.of("..", "docs", "uuid.md");

	/** A figure with its range. */
	private static final Pattern FIGURE = Pattern.compile("N \\(N to N\\)".replace("N", "[0-9]+(\\.[0-9]+)?"));

	/** A line of a table with the counts of several variants. */
	private static final Pattern COUNTS = Pattern.compile("(?m)^\\|.* [0-9]+ / [0-9]+ \\|$");

	@Test
	void documentsShowFiguresOfTables() throws IOException {
		List<String> figures = new ArrayList<>();
		for (Path document : documents()) {
			figures.addAll(find(FIGURE, Files.readString(document).replaceAll("\\s+", " ")));
		}
		assertThat(Figures.tables(RESULTS)).contains(figures);
	}

	/** Returns the documents of the project and of this module. */
	private static List<Path> documents() throws IOException {
		try (Stream<Path> documents = Files.list(Path.of("..", "docs"))) {
			return Stream.concat(Stream.of(README, Path.of("README.md")), documents)
				.filter((file) -> file.toString().endsWith(".md"))
				.toList();
		}
	}

	@Test
	void documentShowsCountsOfTables() throws IOException {
		assertThat(Figures.tables(RESULTS).lines()).containsAll(find(COUNTS, Files.readString(SESSIONS)));
	}

	@Test
	void chartsShowResults() throws IOException {
		Figures.charts(RESULTS)
			.forEach((chart, svg) -> assertThat(RESULTS.resolve(chart)).as(chart).content().isEqualTo(svg));
	}

	@Test
	void readmeRoundsFiguresOfDocuments() throws IOException {
		String benchmarks = Files.readString(BENCHMARKS);
		String uuids = Files.readString(UUIDS);
		String readme = Files.readString(README);
		String rates = "| 2 threads create %s instead of %s UUIDs per \u00b5s |";
		String jdk = rounded(benchmarks, "| Xeon, 2 processors | `UUID.randomUUID()` |", 2, 0);
		String generator = rounded(benchmarks, "| | **`UuidGenerator.randomUuid()`** |", 2, 0);
		assertThat(readme).contains(rates.formatted(generator, jdk));
		String dropIn = rounded(benchmarks, "| | **with the drop-in**", 3, 0);
		assertThat(readme).contains(rates.formatted(dropIn, jdk));
		String ordered = rounded(uuids, "| `@TimeOrderedUuid` |", 1, 3);
		String random = rounded(uuids, "| version 4 |", 1, 3);
		String inserts = "| a million inserts into PostgreSQL take %s instead of %s s |";
		assertThat(readme).contains(inserts.formatted(ordered, random));
		String boringSsl = rounded(benchmarks, "| Tomcat, BoringSSL | 25 |", 3, 0);
		String jdkTls = rounded(benchmarks, "| Tomcat, JDK | 25 |", 3, 0);
		String connection = "| a connection takes %s instead of %s \u00b5s of CPU time |";
		assertThat(readme).contains(connection.formatted(boringSsl, jdkTls));
	}

	/**
	 * Returns a figure of a table with two digits.
	 * @param document the document with the table
	 * @param start the first cells of the row
	 * @param column the number of the cell after these
	 * @param shift the power of ten by which to divide the figure
	 */
	private static String rounded(String document, String start, int column, int shift) {
		String row = document.lines().filter((line) -> line.startsWith(start)).findFirst().orElseThrow();
		String figure = row.substring(start.length()).split("\\|")[column - 1].strip().split(" ")[0];
		return new BigDecimal(figure).movePointLeft(shift).round(new MathContext(2)).toPlainString();
	}

	private static List<String> find(Pattern pattern, String text) {
		return pattern.matcher(text).results().map(MatchResult::group).distinct().toList();
	}

}
