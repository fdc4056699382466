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
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.bench.cache.HitRatio;
import dev.uncontended.bench.tls.ConnectionLatency;
import dev.uncontended.bench.tls.ResumptionCounts;
import dev.uncontended.bench.tls.RollingRestart;
import dev.uncontended.bench.uuid.BlockedThreadsProfiler;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Prints the tables of the raw results, and draws the charts of
 * {@code docs/benchmarks.md}:
 * {@code java -cp benchmarks.jar dev.uncontended.bench.Figures bench/results}.
 */
public final class Figures {

	private static final List<String> ROUNDS = List.of("redis-push.tsv", "colliding-threads.tsv",
			"database-inserts.tsv", "first-draw.tsv", "low-rate.tsv", "large-caches.tsv", "handshake-cost.tsv",
			"request-cost.tsv", "connection-memory.tsv", "start-up.tsv");

	/** The sources of version 4 UUIDs in the chart. */
	private static final Set<String> SOURCES = Set.of("JDK", "JDK_WITH_ACCP", "DROP_IN", "UNCONTENDED",
			"THREAD_LOCAL_BUFFER");

	/** The words of a chart for parameters of benchmarks. */
	private static final Map<String, String> WORDS = Map.of("JDK", "the JDK", "JDK_WITH_ACCP", "the JDK with ACCP",
			"DROP_IN", "the drop-in", "UNCONTENDED", "Uncontended", "THREAD_LOCAL", "thread-local digest",
			"THREAD_LOCAL_BUFFER", "thread-local buffer", "CLONE", "cloned digest", "CAFFEINE", "Caffeine", "SCANNING",
			"the scanning cache", "B/op", "bytes per UUID");

	private static final int WIDTH = 960;

	private static final int HEIGHT = 260;

	private static final int LEFT = 60;

	private static final int TOP = 40;

	private static final int LEGEND = 210;

	private static final String[] COLORS = { "#2f6f9f", "#e08e45", "#5b9e6f", "#9d6aa8", "#888888", "#b5484f" };

	private Figures() {
	}

	/**
	 * Prints the tables and writes the charts.
	 * @param args the directory of the results
	 * @throws IOException if a file cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		Path results = Path.of(args[0]);
		System.out.println(tables(results));
		for (Map.Entry<String, String> chart : charts(results).entrySet()) {
			Files.writeString(results.resolve(chart.getKey()), chart.getValue());
		}
	}

	/**
	 * Returns the tables. The score of JMH is followed by the lowest and the highest
	 * score of a fork.
	 * @param results the directory of the results
	 * @return the tables as Markdown
	 * @throws IOException if a file cannot be read
	 */
	static String tables(Path results) throws IOException {
		List<String> lines = new ArrayList<>();
		scores(results).stream()
			.collect(Collectors.groupingBy(Score::title, TreeMap::new, Collectors.toList()))
			.forEach((title, scores) -> {
				lines.add("## " + title + "\n");
				lines.addAll(table(scores));
				lines.add("");
			});
		for (String file : ROUNDS) {
			add(lines, results.resolve(file), Rounds::table);
		}
		add(lines, results.resolve("hit-ratio.tsv"), HitRatio::table);
		add(lines, results.resolve("connection-latency.tsv"), ConnectionLatency::table);
		add(lines, results.resolve("rolling-restart.tsv"), RollingRestart::table);
		add(lines, results.resolve("clients.tsv"), ResumptionCounts::table);
		return String.join("\n", lines);
	}

	private static void add(List<String> lines, Path file, Function<List<String>, List<String>> table)
			throws IOException {
		if (Files.exists(file)) {
			lines.add("## " + file.getFileName() + "\n");
			lines.addAll(table.apply(Files.readAllLines(file)));
			lines.add("");
		}
	}

	private static List<String> table(List<Score> scores) {
		List<Integer> threads = scores.stream().map(Score::threads).distinct().sorted().toList();
		boolean blocked = scores.stream().anyMatch((score) -> score.blocked != null);
		List<String> lines = new ArrayList<>();
		lines.add("| " + String.join(" | ", scores.get(0).parameters.keySet()) + " | "
				+ threads.stream()
					.map((count) -> count + ((count == 1) ? " thread" : " threads"))
					.collect(Collectors.joining(" | "))
				+ (blocked ? " | BLOCKED, %" : "") + " | B/op | forks |");
		lines.add(lines.get(0).replaceAll("[^|]+", "---"));
		scores.stream()
			.collect(Collectors.groupingBy((score) -> String.join(" | ", score.parameters.values()), LinkedHashMap::new,
					Collectors.toMap(Score::threads, Function.identity(), (first, second) -> second, TreeMap::new)))
			.forEach((row, cells) -> {
				double allocated = cells.values().stream().mapToDouble(Score::allocated).max().orElseThrow();
				int forks = cells.values().stream().mapToInt((score) -> score.forks.size()).min().orElseThrow();
				lines.add("| " + row + " | "
						+ threads.stream()
							.map((count) -> cells.containsKey(count) ? cells.get(count).toString() : "")
							.collect(Collectors.joining(" | "))
						+ (blocked ? " | " + blocked(cells.values()) : "")
						+ String.format(Locale.ROOT, " | %.0f | %d |", allocated, forks));
			});
		return lines;
	}

	/**
	 * Draws the charts.
	 * @param results the directory of the results
	 * @return the SVG files by name
	 * @throws IOException if a file cannot be read
	 */
	static Map<String, String> charts(Path results) throws IOException {
		Map<String, String> charts = new LinkedHashMap<>();
		List<Score> scores = scores(results);
		charts.put("random-uuids.svg",
				draw("Version 4 UUIDs per \u00b5s over threads, JDK 25: more is better", false,
						scores.stream()
							.filter((score) -> score.title.equals("RandomUuidBenchmark.randomUuid, ops/us, JDK 25")
									&& SOURCES.contains(score.parameter("implementation")))
							.map((score) -> new Point(score.parameter("implementation"), score.threads + " threads",
									score.mean))));
		charts.put("pool-algorithms.svg",
				draw("Version 4 UUIDs per \u00b5s by algorithm over threads: more is better", true,
						scores.stream()
							.filter((score) -> score.title.startsWith("PoolSettingsBenchmark")
									&& score.parameter("stripesPerProcessor").equals("8")
									&& score.parameter("bufferKilobytes").equals("8"))
							.map((score) -> new Point(score.parameter("algorithm"), score.threads + " threads",
									score.mean))));
		charts.put("pool-stripes.svg",
				draw("Version 4 UUIDs per \u00b5s over stripes per processor: more is better", false,
						scores.stream()
							.filter((score) -> score.title.startsWith("PoolSettingsBenchmark") && score.threads > 1
									&& score.parameter("algorithm").equals("CTR_DRBG")
									&& score.parameter("bufferKilobytes").equals("8"))
							.sorted(Comparator
								.comparingInt((score) -> Integer.parseInt(score.parameter("stripesPerProcessor"))))
							.map((score) -> new Point(score.threads + " threads",
									score.parameter("stripesPerProcessor"), score.mean))));
		charts.put("session-cache-put.svg",
				draw("ns per put over entries, none expired: less is better", true, Stream
					.concat(scores.stream()
						.filter((score) -> score.title.startsWith("SessionCacheBenchmark.put") && score.threads == 1
								&& score.parameter("expired").equals("0"))
						.map((score) -> new Point(score.parameter("type"), score.parameter("entries"), score.mean)),
							medians(results.resolve("large-caches.tsv"), 4, "ns").entrySet()
								.stream()
								.filter((put) -> put.getKey().get(0).equals("put") && put.getKey().get(2).equals("0"))
								.map((put) -> new Point(put.getKey().get(3), put.getKey().get(1), put.getValue())))
					.sorted(Comparator.comparingInt((point) -> Integer.parseInt(point.column)))));
		charts.put("name-uuids.svg",
				draw("Allocated bytes per version 3 UUID, JDK 25: less is better", false,
						scores.stream()
							.filter((score) -> score.title.startsWith("NameUuidBenchmark") && score.threads == 1)
							.map((score) -> new Point("B/op", score.parameter("implementation"), score.allocated))));
		charts.put("redis-push.svg",
				draw("Thousand ids per second pushed to Redis over threads: more is better", true,
						medians(results.resolve("redis-push.tsv"), 3, "1000 ids/s").entrySet()
							.stream()
							.map((push) -> new Point(push.getKey().get(2) + ", " + push.getKey().get(1) + " in a push",
									push.getKey().get(0) + " threads", push.getValue()))));
		charts.values().removeIf(String::isEmpty);
		return charts;
	}

	/*
	 * The medians of a column by the cells before the round.
	 */
	private static Map<List<String>, Double> medians(Path file, int keys, String column) throws IOException {
		if (!Files.exists(file)) {
			return Map.of();
		}
		return Rounds.rows(Files.readAllLines(file))
			.stream()
			.collect(Collectors.groupingBy((row) -> row.values().stream().limit(keys).toList(), LinkedHashMap::new,
					Collectors.collectingAndThen(Collectors.toList(), (rows) -> Rounds.column(rows, column).median())));
	}

	private static String draw(String title, boolean logarithmic, Stream<Point> figures) {
		List<Point> points = figures.toList();
		if (points.isEmpty()) {
			return "";
		}
		List<String> columns = points.stream().map(Point::column).distinct().toList();
		Map<String, List<Point>> series = points.stream()
			.collect(Collectors.groupingBy(Point::series, LinkedHashMap::new, Collectors.toList()));
		double top = points.stream().mapToDouble(Point::value).max().orElseThrow();
		double bottom = logarithmic ? points.stream().mapToDouble(Point::value).min().orElseThrow() / 2 : 0;
		StringBuilder svg = new StringBuilder(String.format(Locale.ROOT,
				"<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\""
						+ " font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n",
				WIDTH, TOP + HEIGHT + 30));
		svg.append(text(12, 20, "start", title + (logarithmic ? " (logarithmic)" : "")));
		svg.append(path("M%d %dV%dH%d".formatted(LEFT, TOP, TOP + HEIGHT, WIDTH - LEGEND), "#888888"));
		int step = (WIDTH - LEGEND - LEFT) / columns.size();
		for (int i = 0; i < columns.size(); i++) {
			svg.append(text(LEFT + step / 2 + i * step, TOP + HEIGHT + 18, "middle",
					words(columns.get(i).replaceAll("^1 threads", "1 thread"))));
		}
		int i = 0;
		for (Map.Entry<String, List<Point>> entry : series.entrySet()) {
			String color = COLORS[i % COLORS.length];
			StringBuilder line = new StringBuilder();
			for (Point point : entry.getValue()) {
				double share = logarithmic ? Math.log(point.value / bottom) / Math.log(top / bottom)
						: point.value / top;
				int x = LEFT + step / 2 + columns.indexOf(point.column) * step;
				int y = (int) Math.round(TOP + HEIGHT * (1 - share));
				line.append((line.isEmpty() || series.size() == 1) ? "M" : "L").append(x).append(' ').append(y);
				if (series.size() == 1) {
					line.append('V').append(TOP + HEIGHT);
				}
				svg.append("<circle cx=\"%d\" cy=\"%d\" r=\"3\" fill=\"%s\"/>\n".formatted(x, y, color));
				svg.append(text(x + 6, y - 4, "start", Rounds.number(point.value)));
			}
			svg.append(path(line.toString(), color));
			svg.append("<rect x=\"%d\" y=\"%d\" width=\"10\" height=\"10\" fill=\"%s\"/>\n"
				.formatted(WIDTH - LEGEND + 10, TOP + 18 * i, color));
			svg.append(text(WIDTH - LEGEND + 26, TOP + 18 * i + 9, "start", words(entry.getKey())));
			i++;
		}
		return svg.append("</svg>\n").toString();
	}

	/** Returns the words for a name, of which a part after a comma stays. */
	private static String words(String name) {
		String[] parts = name.split(", ", 2);
		String word = parts[0].matches("(?!.*(DRBG|PRNG))[A-Z0-9_]+")
				? parts[0].toLowerCase(Locale.ROOT).replace('_', '-') : parts[0];
		parts[0] = WORDS.getOrDefault(parts[0], word);
		return String.join(", ", parts);
	}

	private static String path(String path, String color) {
		return "<path d=\"%s\" fill=\"none\" stroke=\"%s\"/>\n".formatted(path, color);
	}

	private static String text(int x, int y, String anchor, String text) {
		return "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\">%s</text>\n".formatted(x, y, anchor, text);
	}

	private static String blocked(Collection<Score> row) {
		return row.stream()
			.map((score) -> score.blocked)
			.filter((blocked) -> blocked != null)
			.reduce((first, second) -> second)
			.map((blocked) -> blocked.format(blocked.mean()))
			.orElse("");
	}

	private static List<Score> scores(Path results) throws IOException {
		List<Score> scores = new ArrayList<>();
		try (Stream<Path> files = Files.list(results)) {
			for (Path file : files.filter((path) -> path.toString().endsWith(".json")).sorted().toList()) {
				JsonMapper.shared().readTree(Files.readString(file)).forEach((node) -> scores.add(Score.of(node)));
			}
		}
		scores.sort((a, b) -> Integer.compare(a.threads, b.threads));
		return scores;
	}

	private record Point(String series, String column, double value) {
	}

	/**
	 * A result of JMH.
	 *
	 * @param mean the mean of the iterations, or the median of batches
	 * @param forks the same of each fork
	 * @param blocked the result of {@link BlockedThreadsProfiler} of each fork, if any
	 */
	private record Score(String title, Map<String, String> parameters, int threads, double mean, List<Double> forks,
			double allocated, @Nullable Rounds blocked) {

		static Score of(JsonNode node) {
			String benchmark = node.get("benchmark").asString();
			JsonNode metric = node.get("primaryMetric");
			Map<String, String> parameters = new LinkedHashMap<>();
			node.path("params")
				.properties()
				.forEach((each) -> parameters.put(each.getKey(), each.getValue().asString()));
			// A batch that was descheduled says nothing, so batches have a median.
			boolean batches = node.get("mode").asString().equals("ss");
			List<Double> forks = forks(metric).map((fork) -> batches ? fork.median() : fork.mean()).toList();
			JsonNode secondary = node.path("secondaryMetrics");
			JsonNode blocked = secondary.path(BlockedThreadsProfiler.BLOCKED);
			return new Score(benchmark.substring(benchmark.lastIndexOf('.', benchmark.lastIndexOf('.') - 1) + 1) + ", "
					+ metric.get("scoreUnit").asString() + ", JDK " + node.get("jdkVersion").asString().split("\\.")[0],
					parameters, node.get("threads").asInt(),
					batches ? new Rounds(forks).median() : metric.get("score").asDouble(), forks,
					secondary.path("gc.alloc.rate.norm").path("score").asDouble(0),
					blocked.isMissingNode() ? null : new Rounds(forks(blocked).map(Rounds::mean).toList()));
		}

		private static Stream<Rounds> forks(JsonNode metric) {
			return metric.get("rawData")
				.valueStream()
				.map((fork) -> new Rounds(fork.valueStream().map(JsonNode::asDouble).toList()));
		}

		String parameter(String name) {
			return this.parameters.getOrDefault(name, "");
		}

		@Override
		public String toString() {
			return new Rounds(this.forks).format(this.mean);
		}

	}

}
