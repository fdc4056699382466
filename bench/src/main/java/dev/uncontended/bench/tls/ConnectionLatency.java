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
package dev.uncontended.bench.tls;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import org.HdrHistogram.Histogram;

/**
 * Measures the latency of new connections under load: connect, TLS 1.3 handshake with a
 * P-256 certificate, one small request. The load is an open loop: connections arrive as a
 * Poisson process at a fixed rate, and the latency of a connection begins at its
 * scheduled time. Client and server share the processors.
 * <p>
 * The servers alternate in rounds. nginx, if it is installed, is measured in each round,
 * too. If other programs or virtual machines disturb a round, nginx's 99th percentile is
 * more than twice its best, and the round does not count.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code java}: homes of JDKs that run the servers
 * <li>{@code servers}: {@code tomcat,jetty,netty}
 * <li>{@code variants}: names of {@link Variant}s with TLS
 * <li>{@code kinds}: {@code full}, {@code resumed}, and {@code hybrid}, full with the
 * group X25519MLKEM768, which the JDK's engine does not have
 * <li>{@code rate}: connections per second
 * <li>{@code seconds} per measurement, {@code warm-up} in seconds per server and kind,
 * {@code rounds}
 * <li>{@code results}: a file to which the raw results are appended
 * </ul>
 * Prints a table of the rounds that count: percentiles of all connections, with the
 * lowest and the highest percentile of a round; other figures are medians of the rounds.
 */
public final class ConnectionLatency {

	private static final String HEADER = "java\tserver\tengine\tkind\trate\tround\tcounts\tserver CPU us\tclient CPU us\t"
			+ ConnectionClient.HEADER;

	/** A round does not count if nginx's percentile is so many times its best one. */
	private static final int DISTURBED = 2;

	private final Options options;

	private ConnectionLatency(String[] args) {
		this.options = Options.parse(args,
				Map.of("java", ServerProcess.currentJavaHome().toString(), "servers", "tomcat,jetty,netty", "variants",
						"without,jdk,boringssl", "kinds", "full", "rate", "800", "seconds", "15", "warm-up", "25",
						"rounds", "4", "results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		run(args).forEach(System.out::println);
	}

	/**
	 * Measures.
	 * @param args the arguments
	 * @return the lines of the table
	 * @throws Exception if a server does not start
	 */
	static List<String> run(String... args) throws Exception {
		return new ConnectionLatency(args).run();
	}

	/**
	 * Returns the table of raw results.
	 * @param results the lines of the file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		List<String> lines = new ArrayList<>(List.of(
				"| Java | server | engine | handshake | connections/s | p50, ms | p99, ms | server's CPU, \u00b5s"
						+ " | resumed, % | failed, % | client late, p99, ms | rounds |",
				"|---|---|---|---|---|---|---|---|---|---|---|---|"));
		Rounds.rows(results)
			.stream()
			.filter((row) -> "true".equals(row.get("counts")))
			.collect(Collectors.groupingBy(ConnectionLatency::group, LinkedHashMap::new, Collectors.toList()))
			.forEach((group,
					rows) -> lines.add(Stream
						.of(group, percentile(rows, "p50 us", 50), percentile(rows, "p99 us", 99),
								Rounds.column(rows, "server CPU us"), share(rows, "resumed"), share(rows, "failed"),
								Rounds.column(rows, "late p99 us").dividedBy(1e3), rows.size())
						.map(String::valueOf)
						.collect(Collectors.joining(" | ", "| ", " |"))));
		return lines;
	}

	private static String group(Map<String, String> row) {
		return row.values().stream().limit(5).collect(Collectors.joining(" | "));
	}

	private static String percentile(List<Map<String, String>> rows, String column, int percentile) {
		Histogram all = new Histogram(3);
		for (Map<String, String> row : rows) {
			try {
				all.add(Histogram.fromString(row.getOrDefault("latencies", "")));
			}
			catch (DataFormatException ex) {
				throw new IllegalArgumentException(ex);
			}
		}
		return Rounds.column(rows, column).dividedBy(1e3).format(all.getValueAtPercentile(percentile) / 1e3);
	}

	private static String share(List<Map<String, String>> rows, String column) {
		return "%.1f".formatted(100 * Rounds.column(rows, column).sum() / Rounds.column(rows, "connections").sum());
	}

	private List<String> run() throws Exception {
		List<String> results = new ArrayList<>(List.of(HEADER));
		List<Target> targets = Target.start(this.options, List.of());
		try (CommandProcess client = ConnectionClient.start()) {
			for (Target target : targets) {
				int seconds = target.name().equals(Target.NGINX) ? 2 : this.options.number("warm-up");
				for (String kind : kinds(target)) {
					ConnectionClient.begin(client, target.server().port(), kind, 0, seconds, seconds);
					ConnectionClient.results(client);
				}
			}
			for (int round = 1; round <= this.options.number("rounds"); round++) {
				for (Target target : targets) {
					for (String kind : kinds(target)) {
						results.add(measure(client, target, kind, round));
						System.err.println(results.get(results.size() - 1));
					}
				}
			}
		}
		finally {
			targets.forEach((target) -> target.server().close());
		}
		List<String> judged = judge(results);
		this.options.append(judged);
		return table(judged);
	}

	private List<String> kinds(Target target) {
		boolean hybrid = List.of("boringssl", "netty").contains(target.variant());
		return this.options.list("kinds").stream().filter((kind) -> hybrid || !kind.equals("hybrid")).toList();
	}

	private String measure(CommandProcess client, Target target, String kind, int round) throws IOException {
		int rate = this.options.number("rate");
		int seconds = this.options.number("seconds");
		Duration serverBefore = target.server().processorTime();
		Duration clientBefore = client.processorTime();
		ConnectionClient.begin(client, target.server().port(), kind, rate, seconds, seconds);
		Map<String, String> result = ConnectionClient.results(client).get(0);
		long connections = Long.parseLong(result.getOrDefault("connections", ""));
		long server = target.server().processorTime().minus(serverBefore).toNanos() / 1000 / connections;
		long own = client.processorTime().minus(clientBefore).toNanos() / 1000 / connections;
		return String.join("\t", target.java(), target.name(), target.variant(), kind, String.valueOf(rate),
				String.valueOf(round), "true", String.valueOf(server), String.valueOf(own),
				String.join("\t", result.values()));
	}

	/*
	 * Marks the rounds that do not count.
	 */
	private static List<String> judge(List<String> results) {
		List<Map<String, String>> rows = Rounds.rows(results);
		Set<String> disturbed = new HashSet<>();
		rows.stream()
			.filter((row) -> Target.NGINX.equals(row.get("server")))
			.collect(Collectors.groupingBy(ConnectionLatency::group))
			.forEach((group, ofNginx) -> {
				List<Double> percentiles = Rounds.column(ofNginx, "p99 us").values();
				for (int i = 0; i < percentiles.size(); i++) {
					if (percentiles.get(i) > DISTURBED * Collections.min(percentiles)) {
						disturbed.add(ofNginx.get(i).getOrDefault("round", ""));
					}
				}
			});
		rows.forEach((row) -> row.put("counts", String.valueOf(!disturbed.contains(row.get("round")))));
		return Stream.concat(Stream.of(HEADER), rows.stream().map((row) -> String.join("\t", row.values()))).toList();
	}

}
