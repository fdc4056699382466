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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

import dev.uncontended.bench.cache.ExpiredSessions;
import dev.uncontended.bench.tls.ConnectionLatency;
import dev.uncontended.bench.tls.HandshakeCost;
import dev.uncontended.bench.tls.OpenConnections;
import dev.uncontended.bench.tls.RequestCost;
import dev.uncontended.bench.tls.RollingRestart;
import dev.uncontended.bench.tls.StartUp;
import dev.uncontended.bench.tls.StoredSessions;
import dev.uncontended.bench.uuid.FirstDraw;
import dev.uncontended.bench.uuid.ScalingModel;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Writes all tables of a directory with results into its {@code README.md}. Empty cells
 * are figures whose interval exceeds a fifth of the value, or that were not measured.
 */
public final class Tables {

	/** The largest error of a published score, as a share of the score. */
	private static final double LARGEST_ERROR = 0.2;

	private static final String INTRODUCTION = """
			# All results

			`dev.uncontended.bench.Tables` writes this file from the raw results in this directory.
			[bench/README.md](../README.md) has the conditions and commands.

			- **Score &pm; error** is JMH's score with its 99.9% confidence interval.
			- **Median (lowest to highest)** are figures of alternating rounds.
			- **Ratios** compare figures of the same round to the first row of their group.
			- **Empty cells** were not measured, or their interval exceeds a fifth of the figure.
			""";

	private static final Map<String, Function<List<String>, List<String>>> FILES = files();

	private Tables() {
	}

	private static Map<String, Function<List<String>, List<String>>> files() {
		Map<String, Function<List<String>, List<String>>> files = new LinkedHashMap<>();
		files.put("first-draw.tsv", FirstDraw::table);
		files.put("start-up.tsv", StartUp::table);
		files.put("scaling-model.tsv", ScalingModel::table);
		files.put("handshake-cost.tsv", HandshakeCost::table);
		files.put("handshake-cost-stateful.tsv", HandshakeCost::table);
		files.put("stored-sessions.tsv", StoredSessions::table);
		files.put("connection-latency.tsv", ConnectionLatency::table);
		files.put("request-cost.tsv", RequestCost::table);
		files.put("open-connections.tsv", OpenConnections::table);
		files.put("rolling-restart.tsv", RollingRestart::table);
		files.put("session-cache/expired-sessions.tsv", ExpiredSessions::table);
		files.put("session-cache/hit-ratio.tsv", Tables::cells);
		return files;
	}

	/**
	 * Writes the file.
	 * @param args the directory with the results
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		Path results = Path.of(args[0]);
		Files.writeString(results.resolve("README.md"), write(results));
	}

	/**
	 * Returns the text of the file.
	 * @param results the directory with the results
	 * @return the text
	 * @throws IOException if a file cannot be read
	 */
	static String write(Path results) throws IOException {
		List<String> lines = new ArrayList<>(List.of(INTRODUCTION));
		scores(results).forEach((title, scores) -> section(lines, title, scores(scores)));
		for (Map.Entry<String, Function<List<String>, List<String>>> file : FILES.entrySet()) {
			Path path = results.resolve(file.getKey());
			if (Files.exists(path)) {
				section(lines, "[" + path.getFileName() + "](" + file.getKey() + ")",
						file.getValue().apply(Files.readAllLines(path)));
			}
		}
		return String.join("\n", lines);
	}

	private static void section(List<String> lines, String title, List<String> table) {
		lines.add("## " + title + "\n");
		lines.addAll(table);
		lines.add("");
	}

	/*
	 * Returns JMH's results by benchmark and JDK.
	 */
	private static Map<String, List<JsonNode>> scores(Path results) throws IOException {
		Map<String, List<JsonNode>> scores = new TreeMap<>();
		for (JsonNode result : Charts.read(results)) {
			String benchmark = result.get("benchmark").asString();
			String title = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1) + ", "
					+ result.get("primaryMetric").get("scoreUnit").asString() + ", JDK "
					+ result.get("jdkVersion").asString().split("\\.")[0];
			scores.computeIfAbsent(title, (key) -> new ArrayList<>()).add(result);
		}
		return scores;
	}

	private static List<String> scores(List<JsonNode> results) {
		TreeSet<Integer> threads = new TreeSet<>();
		Map<String, Map<Integer, JsonNode>> rows = new LinkedHashMap<>();
		for (JsonNode result : results) {
			String row = result.path("params")
				.properties()
				.stream()
				.map((parameter) -> parameter.getValue().asString())
				.collect(Collectors.joining(" | "));
			rows.computeIfAbsent(row, (key) -> new TreeMap<>()).put(result.get("threads").asInt(), result);
			threads.add(result.get("threads").asInt());
		}
		String parameters = String.join(" | ", results.get(0).path("params").propertyNames());
		List<String> lines = new ArrayList<>();
		lines.add("| " + parameters + " | "
				+ threads.stream()
					.map((count) -> count + ((count == 1) ? " thread" : " threads"))
					.collect(Collectors.joining(" | "))
				+ " | B/op |");
		lines.add(lines.get(0).replaceAll("[^|]+", "---"));
		rows.forEach((row,
				cells) -> lines.add("| " + row + " | "
						+ threads.stream().map((count) -> score(cells.get(count))).collect(Collectors.joining(" | "))
						+ " | " + allocated(cells.values().iterator().next()) + " |"));
		return lines;
	}

	private static String score(@Nullable JsonNode result) {
		if (result == null) {
			return "";
		}
		double score = result.get("primaryMetric").get("score").asDouble();
		double error = result.get("primaryMetric").get("scoreError").asDouble(Double.MAX_VALUE);
		return (error <= LARGEST_ERROR * score) ? format(score) + " \u00b1 " + format(error) : "";
	}

	private static String allocated(JsonNode result) {
		JsonNode bytes = result.path("secondaryMetrics").path("gc.alloc.rate.norm").path("score");
		return bytes.isNumber() ? String.format(Locale.ROOT, "%.0f", bytes.asDouble()) : "";
	}

	private static String format(double figure) {
		return String.format(Locale.ROOT, (figure < 99.95) ? "%.1f" : "%.0f", figure);
	}

	private static List<String> cells(List<String> lines) {
		List<String> table = lines.stream()
			.map((line) -> "| " + line.replace("\t", " | ") + " |")
			.collect(Collectors.toCollection(ArrayList::new));
		table.add(1, table.get(0).replaceAll("[^|]+", "---"));
		return table;
	}

}
