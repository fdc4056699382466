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
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that the published charts and tables show the raw results.
 */
class PublishedResultsTests {

	private static final Path RESULTS = Path.of("results");

	private static final Pattern SCORE_WITH_ERROR = Pattern.compile("[0-9.,]+ ± [0-9.,]+");

	@Test
	void chartsShowRawResults() throws IOException {
		Map<String, String> charts = new TreeMap<>();
		try (Stream<Path> files = Files.list(RESULTS)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".svg")).toList()) {
				charts.put(file.getFileName().toString(), Files.readString(file));
			}
		}
		assertThat(charts).isEqualTo(Charts.draw(RESULTS));
	}

	@Test
	void tablesShowRawResults() throws IOException {
		Set<String> scores = new HashSet<>();
		for (JsonNode result : Charts.read(RESULTS)) {
			JsonNode metric = result.get("primaryMetric");
			scores.add(format(metric.get("score").asDouble()) + " ± " + format(metric.get("scoreError").asDouble()));
		}
		List<String> published = SCORE_WITH_ERROR.matcher(Files.readString(Path.of("..", "docs", "benchmarks.md")))
			.results()
			.map((match) -> match.group())
			.toList();
		assertThat(published).isNotEmpty();
		assertThat(scores).containsAll(published);
	}

	private static String format(double figure) {
		return String.format(Locale.ROOT, (figure < 99.95) ? "%.1f" : "%.0f", figure);
	}

}
