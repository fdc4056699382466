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
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;
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
 * <li>{@code engines}: names of {@link Variant}s
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

	private static final String NGINX = "nginx";

	private static final String PLAIN = "plain";

	/** A round does not count if nginx's percentile is so many times its best one. */
	private static final int DISTURBED = 2;

	private final Options options;

	private final List<Target> targets = new ArrayList<>();

	private final List<Row> rows = new ArrayList<>();

	private ConnectionLatency(String[] args) {
		this.options = Options.parse(args,
				Map.of("java", ServerProcess.currentJavaHome().toString(), "servers", "tomcat,jetty,netty", "engines",
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
		return table(results.stream().skip(1).map(Row::parse).toList().stream());
	}

	private List<String> run() throws Exception {
		Path directory = Files.createTempDirectory("connection-latency");
		try (ClientProcess client = ClientProcess.start()) {
			ServerProcess.writeCertificate(directory);
			start(directory);
			warmUp(client);
			for (int round = 1; round <= this.options.number("rounds"); round++) {
				for (Target target : this.targets) {
					for (String kind : target.kinds) {
						this.rows.add(measure(client, target, kind, round));
					}
				}
			}
		}
		finally {
			this.targets.forEach((target) -> target.server.close());
			ServerProcess.delete(directory);
		}
		List<Row> judged = judged();
		this.options.append(Stream.concat(Stream.of(Row.HEADER), judged.stream().map(Row::toString)).toList());
		if (judged.stream().noneMatch(Row::counts)) {
			System.err.println("No round counts: " + NGINX + " was disturbed in each. Measure on a quieter machine");
		}
		return table(judged.stream());
	}

	private void start(Path directory) throws IOException {
		List<String> kinds = this.options.list("kinds");
		List<String> engines = this.options.list("engines");
		if (!ServerProcess.isInstalled(NGINX)) {
			System.err.println("nginx is not on the path, so no round is discarded");
		}
		else {
			List<String> nginxKinds = kinds.stream().filter((kind) -> !kind.equals("hybrid")).toList();
			this.targets.add(new Target("", NGINX, "OpenSSL", nginxKinds, ServerProcess.nginx(directory, true)));
			if (engines.contains(PLAIN)) {
				this.targets.add(new Target("", NGINX, PLAIN, List.of(PLAIN), ServerProcess.nginx(directory, false)));
			}
		}
		for (String home : this.options.list("java")) {
			Path javaHome = Path.of(home);
			for (String name : this.options.list("servers")) {
				BootServer server = BootServer.valueOf(name.toUpperCase(Locale.ROOT));
				for (String engine : engines) {
					Variant variant = Variant.of(engine);
					List<String> engineKinds = variant.isTls()
							? kinds.stream().filter((kind) -> hasHybrid(variant) || !kind.equals("hybrid")).toList()
							: List.of(PLAIN);
					this.targets.add(new Target(ServerProcess.javaVersion(javaHome), server.toString(), engine,
							engineKinds, ServerProcess.boot(server, variant, javaHome, directory, List.of())));
				}
			}
		}
	}

	private static boolean hasHybrid(Variant variant) {
		return variant == Variant.BORINGSSL || variant == Variant.CONSCRYPT || variant == Variant.NETTY;
	}

	private void warmUp(ClientProcess client) throws IOException {
		for (Target target : this.targets) {
			int seconds = target.name.equals(NGINX) ? 2 : this.options.number("warm-up");
			for (String kind : target.kinds) {
				client.warmUp(target.server.port(), kind, seconds);
			}
		}
	}

	private Row measure(ClientProcess client, Target target, String kind, int round) throws IOException {
		Duration serverBefore = target.server.processorTime();
		Duration clientBefore = client.processorTime();
		int seconds = this.options.number("seconds");
		ClientResult result = client.run(target.server.port(), kind, this.options.number("rate"), seconds, seconds)
			.get(0);
		Duration server = target.server.processorTime().minus(serverBefore);
		Duration own = client.processorTime().minus(clientBefore);
		Row row = new Row(target.java, target.name, target.engine, kind, this.options.number("rate"), round, true,
				server.toNanos() / 1000 / result.connections(), own.toNanos() / 1000 / result.connections(), result);
		System.err.println(row);
		return row;
	}

	/*
	 * Returns the results with the mark of rounds that count.
	 */
	private List<Row> judged() {
		List<Integer> disturbed = new ArrayList<>();
		for (Row row : this.rows) {
			long best = this.rows.stream()
				.filter((other) -> other.measuresSame(row))
				.mapToLong((other) -> other.result.p99())
				.min()
				.orElseThrow();
			if (row.server.equals(NGINX) && row.result.p99() > DISTURBED * best) {
				disturbed.add(row.round);
			}
		}
		return this.rows.stream().map((row) -> row.counting(!disturbed.contains(row.round))).toList();
	}

	private static List<String> table(Stream<Row> rows) {
		Map<String, List<Row>> groups = new LinkedHashMap<>();
		rows.filter((row) -> row.counts)
			.forEach((row) -> groups.computeIfAbsent(row.group(), (group) -> new ArrayList<>()).add(row));
		List<String> lines = new ArrayList<>(List.of(
				"| Java | server | engine | handshake | connections/s | p50, ms | p99, ms | server's CPU, \u00b5s"
						+ " | resumed, % | failed, % | client late, p99, ms | rounds |",
				"|---|---|---|---|---|---|---|---|---|---|---|---|"));
		groups.forEach((group,
				counted) -> lines.add(group + percentile(counted, 50, (row) -> row.result.median())
						+ percentile(counted, 99, (row) -> row.result.p99()) + range(counted, (row) -> row.serverTime)
						+ share(counted, (row) -> 100.0 * row.result.resumed() / row.result.connections())
						+ share(counted, (row) -> 100.0 * row.result.failed() / row.result.connections())
						+ range(counted, (row) -> row.result.p99Lateness() / 1e3) + counted.size() + " |"));
		return lines;
	}

	private static String percentile(List<Row> rows, int percentile, ToLongFunction<Row> ofRound) {
		Rounds rounds = new Rounds(rows.stream().map((row) -> ofRound.applyAsLong(row) / 1e3).toList());
		Histogram all = ClientResult.merge(rows.stream().map(Row::result).toList());
		// Results without latencies are older, and have the median of the rounds.
		return rounds.format((all.getTotalCount() > 0) ? all.getValueAtPercentile(percentile) / 1e3 : rounds.median())
				+ " | ";
	}

	private static String range(List<Row> rows, ToDoubleFunction<Row> figure) {
		Rounds rounds = new Rounds(rows.stream().mapToDouble(figure).boxed().toList());
		return rounds.format(rounds.median()) + " | ";
	}

	private static String share(List<Row> rows, ToDoubleFunction<Row> percent) {
		return "%.1f | ".formatted(rows.stream().mapToDouble(percent).average().orElseThrow());
	}

	private record Target(String java, String name, String engine, List<String> kinds, ServerProcess server) {
	}

	/**
	 * The result of one measurement.
	 *
	 * @param serverTime the server's CPU time per connection in microseconds
	 * @param clientTime the client's CPU time per connection in microseconds
	 */
	private record Row(String java, String server, String engine, String kind, int rate, int round, boolean counts,
			long serverTime, long clientTime, ClientResult result) {

		private static final String HEADER = "java\tserver\tengine\tkind\trate\tround\tcounts\tserver CPU us\tclient CPU us"
				+ "\tconnections\tresumed\tfailed\tp50 us\tp99 us\tp99.9 us\tmax us\tlate p50 us\tlate p99 us\tfailure\tlatencies";

		static Row parse(String line) {
			String[] cells = line.split("\t", 10);
			return new Row(cells[0], cells[1], cells[2], cells[3], Integer.parseInt(cells[4]),
					Integer.parseInt(cells[5]), Boolean.parseBoolean(cells[6]), Long.parseLong(cells[7]),
					Long.parseLong(cells[8]), ClientResult.parse(cells[9]));
		}

		boolean measuresSame(Row other) {
			return group().equals(other.group());
		}

		Row counting(boolean counts) {
			return new Row(this.java, this.server, this.engine, this.kind, this.rate, this.round, counts,
					this.serverTime, this.clientTime, this.result);
		}

		String group() {
			return "| %s | %s | %s | %s | %d | ".formatted(this.java, this.server, this.engine, this.kind, this.rate);
		}

		@Override
		public String toString() {
			return String.join("\t", this.java, this.server, this.engine, this.kind, String.valueOf(this.rate),
					String.valueOf(this.round), String.valueOf(this.counts), String.valueOf(this.serverTime),
					String.valueOf(this.clientTime), this.result.toString());
		}

	}

}
