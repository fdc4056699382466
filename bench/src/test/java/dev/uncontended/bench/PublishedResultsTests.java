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

import dev.uncontended.bench.tls.ConnectionLatency;
import dev.uncontended.bench.tls.RollingRestart;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that the published charts and tables show the raw results.
 */
class PublishedResultsTests {

	private static final Path RESULTS = Path.of("results");

	private static final Path BENCHMARKS = Path.of("..", "docs", "benchmarks.md");

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
		List<String> published = SCORE_WITH_ERROR.matcher(Files.readString(BENCHMARKS))
			.results()
			.map((match) -> match.group())
			.toList();
		assertThat(published).isNotEmpty();
		assertThat(scores).containsAll(published);
	}

	@Test
	void tableOfConnectionLatencyShowsRawResults() throws IOException {
		List<String> table = ConnectionLatency.table(Files.readAllLines(RESULTS.resolve("connection-latency.tsv")));
		assertThat(table).hasSizeGreaterThan(2);
		assertThat(Files.readString(BENCHMARKS)).contains(String.join("\n", table));
	}

	@Test
	void tableOfRollingRestartShowsRawResults() throws IOException {
		List<String> table = RollingRestart.table(Files.readAllLines(RESULTS.resolve("rolling-restart.tsv")));
		assertThat(table).hasSizeGreaterThan(2);
		assertThat(Files.readString(BENCHMARKS)).contains(String.join("\n", table));
	}

	@Test
	void ratiosOfSessionCacheShowRawResults() throws IOException {
		Map<String, Map<String, Double>> nanos = sessionCacheNanos();
		Map<String, String> expected = new TreeMap<>();
		Map<String, String> published = new TreeMap<>();
		for (List<String> row : ratioRows()) {
			String[] targets = row.get(1).split(" / ");
			Map<String, Double> times = nanos.getOrDefault(row.get(0), Map.of());
			assertThat(times).as(row.get(0)).containsOnlyKeys("UNCONTENDED", "CAFFEINE", "JDK");
			published.put(row.get(0), row.get(2));
			expected.put(row.get(0), ratio(times, "JDK", targets[0]) + " / " + ratio(times, "CAFFEINE", targets[1]));
		}
		assertThat(published).hasSize(7).isEqualTo(expected);
	}

	/**
	 * Returns the rows of the table with two ratios per cell.
	 */
	private static List<List<String>> ratioRows() throws IOException {
		return Files.readString(BENCHMARKS)
			.lines()
			.filter((line) -> line.matches("\\| `(get|putNew)`, .*"))
			.map((line) -> Stream.of(line.substring(1).split("\\|")).map(String::strip).toList())
			.toList();
	}

	private static String ratio(Map<String, Double> nanos, String type, String target) {
		double ratio = nanos.getOrDefault(type, 0.0) / nanos.getOrDefault("UNCONTENDED", 0.0);
		String text = String.format(Locale.ROOT, (ratio < 1) ? "%.2f" : (ratio < 9.95) ? "%.1f" : "%.0f", ratio);
		return (ratio < Double.parseDouble(target)) ? "**" + text + "**" : text;
	}

	/**
	 * Returns the times of each cache, by the first cell of the row.
	 */
	private static Map<String, Map<String, Double>> sessionCacheNanos() throws IOException {
		Map<String, Map<String, Double>> nanos = new TreeMap<>();
		for (String file : List.of("1-thread.json", "2-threads.json")) {
			for (JsonNode result : JsonMapper.shared().readTree(RESULTS.resolve("session-cache").resolve(file))) {
				String benchmark = result.get("benchmark").asString();
				String row = "`" + benchmark.substring(benchmark.lastIndexOf('.') + 1) + "`, "
						+ ((result.get("threads").asInt() == 1) ? "1 thread" : "all processors");
				nanos.computeIfAbsent(row, (key) -> new TreeMap<>())
					.put(result.get("params").get("type").asString(),
							result.get("primaryMetric").get("score").asDouble());
			}
		}
		Files.readAllLines(RESULTS.resolve("session-cache").resolve("large.tsv")).stream().skip(1).forEach((line) -> {
			String[] cells = line.split("\t");
			String row = "`" + cells[0] + "`, 1 thread, " + cells[1].replace("000000", "") + " million entries";
			nanos.computeIfAbsent(row, (key) -> new TreeMap<>())
				.put(cells[2], Stream.of(cells[3].split(" ")).mapToDouble(Double::parseDouble).average().orElseThrow());
		});
		return nanos;
	}

	private static String format(double figure) {
		return String.format(Locale.ROOT, (figure < 99.95) ? "%.1f" : "%.0f", figure);
	}

}
