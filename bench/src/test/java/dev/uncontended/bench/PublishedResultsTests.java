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

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that documents publish the raw results.
 */
class PublishedResultsTests {

	private static final Path RESULTS = Path.of("results");

	private static final Path BENCHMARKS = Path.of("..", "docs", "benchmarks.md");

	private static final Path SESSIONS = Path.of("..", "docs", "sessions.md");

	/** A figure with its range. */
	private static final Pattern FIGURE = Pattern.compile("N \\(N to N\\)".replace("N", "[0-9]+(\\.[0-9]+)?"));

	/** A line of a table with the counts of several variants. */
	private static final Pattern COUNTS = Pattern.compile("(?m)^\\|.* [0-9]+ / [0-9]+ \\|$");

	private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*[0-9]|[0-9]");

	@Test
	void documentsShowFiguresOfTables() throws IOException {
		String tables = Figures.tables(RESULTS);
		for (Path document : List.of(BENCHMARKS, Path.of("..", "docs", "results.md"), Path.of("README.md"))) {
			assertThat(tables).contains(find(FIGURE, Files.readString(document).replaceAll("\\s+", " ")));
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
	void readmeShowsFiguresOfDocument() throws IOException {
		List<String> known = find(NUMBER, Files.readString(BENCHMARKS));
		List<String> cells = Files.readString(Path.of("..", "README.md"))
			.lines()
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.flatMap((line) -> List.of(line.split("\\|")).stream().skip(2))
			.filter((cell) -> cell.matches(" [0-9].*"))
			.toList();
		assertThat(cells).isNotEmpty().allSatisfy((cell) -> assertThat(known).as(cell).containsAll(find(NUMBER, cell)));
	}

	private static List<String> find(Pattern pattern, String text) {
		return pattern.matcher(text).results().map(MatchResult::group).distinct().toList();
	}

}
