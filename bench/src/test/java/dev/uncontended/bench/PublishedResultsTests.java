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
import java.nio.file.Files;
import java.nio.file.Path;
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

	/** A score with its error, or a median with the lowest and the highest figure. */
	private static final Pattern FIGURE = Pattern
		.compile("N \u00b1 N|N \\(N to N\\)".replace("N", "[0-9]+(\\.[0-9]+)?"));

	private static final Pattern MEDIAN = Pattern.compile("[0-9]+(?= \\([0-9]+ to )");

	private static final Pattern CHART = Pattern.compile("results/([^)]+\\.svg)");

	private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*[0-9]|[0-9]");

	@Test
	void allTablesShowRawResults() throws IOException {
		assertThat(Files.readString(RESULTS.resolve("README.md"))).isEqualTo(Tables.write(RESULTS));
	}

	@Test
	void documentShowsFiguresOfTables() throws IOException {
		assertThat(Files.readString(RESULTS.resolve("README.md")))
			.contains(find(FIGURE, Files.readString(BENCHMARKS).replaceAll("\\s+", " ")));
	}

	@Test
	void documentShowsChartsOfResults() throws IOException {
		List<String> charts = find(CHART, Files.readString(BENCHMARKS)).stream()
			.map((chart) -> chart.substring(chart.indexOf('/') + 1))
			.toList();
		assertThat(charts).isNotEmpty().allSatisfy((chart) -> assertThat(RESULTS.resolve(chart)).exists());
		assertThat(Charts.draw(RESULTS)).containsKeys(charts.toArray(String[]::new));
	}

	@Test
	void handshakesShowMediansOfTables() throws IOException {
		List<String> medians = find(MEDIAN, Files.readString(RESULTS.resolve("README.md")));
		List<String> costs = Files.readString(BENCHMARKS)
			.lines()
			.filter((line) -> line.matches("\\| (P-256|RSA-2048) \\|.*"))
			.flatMap((line) -> Stream.of(line.split("\\|")))
			.map(String::strip)
			.filter((cell) -> cell.matches("[0-9]+"))
			.toList();
		assertThat(costs).isNotEmpty();
		assertThat(medians).containsAll(costs);
	}

	@Test
	void readmeShowsFiguresOfDocument() throws IOException {
		List<String> known = find(NUMBER, Files.readString(BENCHMARKS));
		List<String> cells = Files.readString(Path.of("..", "README.md"))
			.lines()
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.flatMap((line) -> Stream.of(line.split("\\|")).skip(2).limit(2))
			.filter((cell) -> cell.matches(" [0-9].*"))
			.toList();
		assertThat(cells).isNotEmpty().allSatisfy((cell) -> assertThat(known).as(cell).containsAll(find(NUMBER, cell)));
	}

	private static List<String> find(Pattern pattern, String text) {
		return pattern.matcher(text).results().map(MatchResult::group).distinct().toList();
	}

}
