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

package dev.uncontended.sample.demo;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.LongSummaryStatistics;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests that the page publishes the figures of the benchmarks and the documents.
 */
class PublishedFiguresTests {

	private static final List<String> SPREAD = List.of("least", "median", "most");

	private final JsonMapper json = new JsonMapper();

	private final JsonNode published = this.json.readTree(Path.of("src/main/resources/static/published.json").toFile());

	@ParameterizedTest
	@CsvSource({ "jdk, random, JDK", "pool, random, UNCONTENDED", "time-ordered, time-ordered, UNCONTENDED",
			"jdk-names, name, JDK", "names, name, UNCONTENDED" })
	void ratesAreFromResultsOfBenchmarks(String source, String benchmark, String implementation) {
		assertThat(this.published.at("/uuids/perSecond/" + source).properties()).hasSize(2).allSatisfy((rate) -> {
			DoubleSummaryStatistics forks = forks("%s-%s".formatted(benchmark, rate.getKey()), implementation);
			assertThat(SPREAD).extracting((name) -> rate.getValue().path(name).longValue())
				.containsExactly(perSecond(forks.getMin()), perSecond(forks.getAverage()), perSecond(forks.getMax()));
		});
	}

	@Test
	void ratesReadAsInDocuments() throws Exception {
		String benchmarks = Files.readString(Path.of("../docs/benchmarks.md"));
		assertThat(this.published.at("/uuids/perSecond")).hasSize(5)
			.flatExtracting((source) -> source.valueStream().toList())
			.allSatisfy(
					(rate) -> assertThat(benchmarks).contains("%s (%s to %s)".formatted(perMicrosecond(rate, "median"),
							perMicrosecond(rate, "least"), perMicrosecond(rate, "most"))));
	}

	private DoubleSummaryStatistics forks(String file, String implementation) {
		return this.json.readTree(Path.of("../bench/results/%s.json".formatted(file)).toFile())
			.valueStream()
			.filter((result) -> result.at("/params/implementation").asString("").equals(implementation))
			.findFirst()
			.orElseThrow()
			.at("/primaryMetric/rawData")
			.valueStream()
			.mapToDouble((fork) -> fork.valueStream().mapToDouble(JsonNode::doubleValue).average().orElseThrow())
			.summaryStatistics();
	}

	private static long perSecond(double perMicrosecond) {
		return Math.round(perMicrosecond * 1e6);
	}

	/**
	 * Returns a rate with three digits, as the page and the documents show it.
	 */
	private static String perMicrosecond(JsonNode rate, String name) {
		return BigDecimal.valueOf(rate.path(name).longValue(), 6)
			.round(new MathContext(3, RoundingMode.HALF_UP))
			.toPlainString();
	}

	@Test
	void costsOfHandshakesAreFromDocuments() throws Exception {
		String document = Files.readString(Path.of("../docs/benchmarks.md"));
		for (String kind : List.of("full", "resumed")) {
			List<Integer> costs = this.published.at("/handshakes/engines")
				.valueStream()
				.map((engine) -> engine.path(kind).at("/micros/median").intValue())
				.toList();
			String[] cells = document.lines()
				.filter((line) -> line.startsWith("| P-256 | " + kind + " |"))
				.findFirst()
				.orElseThrow()
				.split("\\|");
			assertThat(costs).containsExactly(cost(cells[3]), cost(cells[4]), cost(cells[5]));
		}
	}

	private static int cost(String cell) {
		return (int) Math.round(Double.parseDouble(cell.strip().split(" ")[0]));
	}

	@Test
	void latencyIsFromResultsOfBenchmarks() throws Exception {
		JsonNode latency = this.published.path("latency");
		List<String> lines = Files.readAllLines(Path.of("../bench/results/connection-latency.tsv"));
		List<String> columns = List.of(lines.get(0).split("\t"));
		assertThat(latency.path("results")).hasSizeGreaterThan(1).allSatisfy((result) -> {
			List<String[]> rounds = lines.stream()
				.map((line) -> line.split("\t"))
				.filter((row) -> row[columns.indexOf("server")].equals(result.path("server").stringValue())
						&& row[columns.indexOf("engine")].equals(variant(result.path("engine").stringValue()))
						&& row[columns.indexOf("kind")].equals("full") && row[columns.indexOf("counts")].equals("true")
						&& row[columns.indexOf("rate")].equals(latency.path("perSecond").asString())
						&& (row[0].isEmpty() || row[0].equals(latency.at("/machine/jdk").stringValue())))
				.toList();
			for (String percentile : List.of("p50", "p99")) {
				LongSummaryStatistics micros = rounds.stream()
					.mapToLong((row) -> Long.parseLong(row[columns.indexOf(percentile + " us")]))
					.summaryStatistics();
				assertThat(result.path(percentile).path(0).doubleValue()).as(result.toString())
					.isCloseTo(micros.getMin() / 1000.0, within(0.051));
				assertThat(result.path(percentile).path(1).doubleValue()).as(result.toString())
					.isCloseTo(micros.getMax() / 1000.0, within(0.051));
			}
		});
	}

	/*
	 * The JDK's engine is published as it is without Uncontended.
	 */
	private static String variant(String engine) {
		return engine.equals("jdk") ? "without" : engine;
	}

}
