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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.bench.tls.ConnectionLatency;
import dev.uncontended.bench.tls.HandshakeCost;
import dev.uncontended.bench.tls.RequestCost;
import dev.uncontended.bench.tls.RollingRestartChart;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Draws JMH results as SVG, one file for each benchmark and JDK. A chart has a group of
 * bars for each combination of parameters, and a bar for each number of threads. Draws
 * handshakes, latencies, requests and the rolling restart, too. The build draws
 * {@code bench/results} into {@code bench/target/charts}.
 */
public final class Charts {

	private static final int WIDTH = 860;

	private static final int LABELS = 300;

	private static final int VALUES = 110;

	private static final int BAR = 13;

	private static final int GAP = 9;

	private static final int TOP = 64;

	private static final String[] COLORS = { "#2f6f9f", "#e08e45", "#5b9e6f", "#9d6aa8", "#888888", "#b5484f" };

	private Charts() {
	}

	/**
	 * Draws the charts.
	 * @param args the directory with the results, and the directory of the SVG files,
	 * which is created if needed
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		Path target = Files.createDirectories(Path.of(args[1]));
		for (Map.Entry<String, String> chart : draw(Path.of(args[0])).entrySet()) {
			Files.writeString(target.resolve(chart.getKey()), chart.getValue());
		}
	}

	/**
	 * Draws the results of a directory.
	 * @param results the directory with the results
	 * @return the SVG files by name
	 * @throws IOException if a file cannot be read
	 */
	static Map<String, String> draw(Path results) throws IOException {
		Map<String, List<Result>> charts = new TreeMap<>();
		for (JsonNode node : read(results)) {
			Result result = Result.of(node);
			charts.computeIfAbsent(result.chart(), (chart) -> new ArrayList<>()).add(result);
		}
		for (Bars bars : List.of(new Bars("handshake-cost", HandshakeCost::table, new int[] { 1, 2, 3, 4, 5 }, 6, 7),
				new Bars("connection-latency", ConnectionLatency::table, new int[] { 1, 2, 4 }, 3, 7),
				new Bars("request-cost", Charts::largeResponses, new int[] { 1, 3 }, 4, 5))) {
			Path file = results.resolve(bars.chart + ".tsv");
			if (Files.exists(file)) {
				charts.put(bars.chart, bars.read(Files.readAllLines(file)));
			}
		}
		Map<String, String> drawings = new TreeMap<>();
		charts.forEach((title, bars) -> drawings.put(title + ".svg", draw(title, bars)));
		Path restart = results.resolve("rolling-restart.tsv");
		if (Files.exists(restart)) {
			drawings.put("rolling-restart.svg", RollingRestartChart.draw(Files.readAllLines(restart)));
		}
		return drawings;
	}

	/**
	 * Reads the results of a directory.
	 * @param results the directory with JMH's JSON files
	 * @return the results, in the order of the file names
	 * @throws IOException if a file cannot be read
	 */
	static List<JsonNode> read(Path results) throws IOException {
		List<JsonNode> nodes = new ArrayList<>();
		try (Stream<Path> files = Files.list(results)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".json")).sorted().toList()) {
				JsonMapper.shared().readTree(Files.readString(file)).forEach(nodes::add);
			}
		}
		return nodes;
	}

	private static List<String> largeResponses(List<String> lines) {
		return RequestCost
			.table(lines.stream().filter((line) -> line.equals(lines.get(0)) || line.contains("/bytes/")).toList());
	}

	private static String draw(String title, List<Result> results) {
		Map<String, Map<String, Result>> groups = new LinkedHashMap<>();
		List<String> series = results.stream().map(Result::series).distinct().toList();
		double largest = 0;
		for (Result result : results) {
			groups.computeIfAbsent(result.label(), (label) -> new LinkedHashMap<>()).put(result.series(), result);
			largest = Math.max(largest, result.score());
		}
		StringBuilder bars = new StringBuilder();
		int y = TOP;
		for (Map.Entry<String, Map<String, Result>> group : groups.entrySet()) {
			int middle = y + group.getValue().size() * BAR / 2 + 4;
			bars.append(text(LABELS - 8, middle, "end", group.getKey()));
			for (Result result : group.getValue().values()) {
				double width = result.score() / largest * (WIDTH - LABELS - VALUES);
				String color = COLORS[series.indexOf(result.series()) % COLORS.length];
				bars.append(String.format(Locale.ROOT,
						"<rect x=\"%d\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/>\n", LABELS, y, width,
						BAR - 2, color));
				bars.append(text((int) (LABELS + width + 5), y + BAR - 3, "start",
						(result.error() > 0) ? String.format(Locale.ROOT, "%.4g ± %.2g", result.score(), result.error())
								: String.format(Locale.ROOT, "%.4g", result.score())));
				y += BAR;
			}
			y += GAP;
		}
		String unit = results.get(0).unit();
		return String.format(Locale.ROOT, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
				+ "font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
				WIDTH, y + GAP)
				+ text(12, 20, "start",
						title + ", " + unit + (unit.startsWith("ops") ? ": more is better" : ": less is better"))
				+ legend(series) + bars + "</svg>\n";
	}

	private static String legend(List<String> series) {
		StringBuilder legend = new StringBuilder();
		int x = 12;
		for (int i = 0; i < series.size(); i++) {
			legend
				.append(String.format(Locale.ROOT, "<rect x=\"%d\" y=\"34\" width=\"11\" height=\"11\" fill=\"%s\"/>\n",
						x, COLORS[i % COLORS.length]));
			legend.append(text(x + 16, 44, "start", series.get(i)));
			x += 32 + 6 * series.get(i).length();
		}
		return legend.toString();
	}

	private static String text(int x, int y, String anchor, String text) {
		String escaped = text.replace("&", "&amp;").replace("<", "&lt;");
		return String.format(Locale.ROOT, "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n", x, y, anchor,
				escaped);
	}

	private record Result(String chart, String label, String series, double score, double error, String unit) {

		static Result of(JsonNode node) {
			String benchmark = node.get("benchmark").asString();
			String method = benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1);
			List<String> parameters = new ArrayList<>();
			for (Map.Entry<String, JsonNode> parameter : node.path("params").properties()) {
				parameters.add(parameter.getKey().equals("implementation") ? parameter.getValue().asString()
						: parameter.getKey() + "=" + parameter.getValue().asString());
			}
			JsonNode metric = node.get("primaryMetric");
			int threads = node.get("threads").asInt();
			String jdk = node.get("jdkVersion").asString().split("\\.")[0];
			return new Result(method + "-jdk" + jdk,
					parameters.isEmpty() ? method.substring(method.indexOf('.') + 1) : String.join(" ", parameters),
					threads + ((threads == 1) ? " thread" : " threads"), metric.get("score").asDouble(),
					// JMH writes "NaN" as text.
					metric.get("scoreError").isNumber() ? metric.get("scoreError").asDouble() : 0,
					metric.get("scoreUnit").asString());
		}

	}

	/**
	 * The bars of a table whose cells contain medians.
	 *
	 * @param chart the name of the chart and of the file with results
	 * @param table creates the table
	 * @param labels the columns of a bar's label
	 * @param series the column of a bar's color
	 * @param value the column of a bar's length
	 */
	private record Bars(String chart, Function<List<String>, List<String>> table, int[] labels, int series, int value) {

		private static final Pattern MEDIAN = Pattern.compile("([0-9.]+) \\(.*");

		List<Result> read(List<String> lines) {
			List<String> rows = this.table.apply(lines);
			String unit = cells(rows.get(0))[this.value];
			List<Result> results = new ArrayList<>();
			for (String row : rows.subList(2, rows.size())) {
				String[] cells = cells(row);
				Matcher median = MEDIAN.matcher(cells[this.value]);
				if (median.matches()) {
					String label = Arrays.stream(this.labels)
						.mapToObj((column) -> cells[column])
						.filter((cell) -> !cell.isEmpty())
						.collect(Collectors.joining(", "));
					results.add(new Result(this.chart, label, cells[this.series], Double.parseDouble(median.group(1)),
							0, unit));
				}
			}
			return results;
		}

		private static String[] cells(String row) {
			return Arrays.stream(row.split("\\|")).map(String::strip).toArray(String[]::new);
		}

	}

}
