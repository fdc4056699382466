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
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
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

	private static final Pattern NUMBER = Pattern.compile("[0-9][0-9.,]*[0-9]|[0-9]");

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

	/** The README has two digits, and seconds where a document has milliseconds. */
	@Test
	void readmeShowsRoundedFiguresOfDocuments() throws IOException {
		Set<String> known = Stream.of(Files.readString(BENCHMARKS), Files.readString(UUIDS))
			.flatMap((document) -> find(NUMBER, document).stream())
			.flatMap((number) -> Stream.of(rounded(number, 0), rounded(number, 3)))
			.collect(Collectors.toSet());
		List<String> effects = Files.readString(README)
			.lines()
			.dropWhile((line) -> !line.startsWith("|"))
			.takeWhile((line) -> line.startsWith("|"))
			.skip(2)
			.map((line) -> line.split("\\|")[3])
			.toList();
		assertThat(effects).isNotEmpty()
			.allSatisfy((effect) -> assertThat(find(NUMBER, effect)).as(effect)
				.isNotEmpty()
				.allSatisfy((number) -> assertThat(known).contains(rounded(number, 0))));
	}

	private static String rounded(String number, int shift) {
		return new BigDecimal(number.replace(",", "")).movePointLeft(shift)
			.round(new MathContext(2))
			.stripTrailingZeros()
			.toPlainString();
	}

	private static List<String> find(Pattern pattern, String text) {
		return pattern.matcher(text).results().map(MatchResult::group).distinct().toList();
	}

}
