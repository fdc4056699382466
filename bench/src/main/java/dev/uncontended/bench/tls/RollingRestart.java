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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

import dev.uncontended.bench.tls.ServerProcess.BootServer;

/**
 * Measures a rolling restart: three nodes with Tomcat run behind the TCP proxy of the
 * sample, which sends each connection to the next node. Returning clients connect at a
 * fixed rate, each with its last session. In the middle, the nodes restart one after
 * another: the proxy drains a node, the node stops, starts, and is added again.
 * <p>
 * Compares an application without Uncontended, with which each node has its own keys for
 * session tickets, to the JDK's engine with sessions stored in each node, and to
 * BoringSSL with ticket keys from a shared secret and from Redis. Prints a table, and
 * writes the results of each second to a file:
 * {@code java -cp benchmarks.jar dev.uncontended.bench.tls.RollingRestart FILE [rate [seconds [warm-up seconds]]]}.
 * Without {@code redis-server} on the path, the program skips Redis. All processes share
 * the processors, so a starting node slows down the others.
 */
public final class RollingRestart {

	private static final int NODES = 3;

	private static final String SECRET = "the-secret-of-all-nodes-of-32-bytes";

	private static final String HEADER = "keys\tsecond\tconnections\tfull\tfailed\tp50 us\tp99 us\tevent";

	private final int rate;

	private final int seconds;

	private final int warmUp;

	private RollingRestart(int rate, int seconds, int warmUp) {
		this.rate = rate;
		this.seconds = seconds;
		this.warmUp = warmUp;
	}

	/**
	 * Measures and prints the table.
	 * @param args the file of the results, the connections per second, the duration of a
	 * measurement, and the duration of the warm-up
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		int rate = (args.length > 1) ? Integer.parseInt(args[1]) : 200;
		int seconds = (args.length > 2) ? Integer.parseInt(args[2]) : 50;
		int warmUp = (args.length > 3) ? Integer.parseInt(args[3]) : 20;
		List<String> results = run(rate, seconds, warmUp, List.of("jdk", "stateful", "secret", "redis"));
		Files.write(Path.of(args[0]), results);
		table(results).forEach(System.out::println);
	}

	/**
	 * Measures.
	 * @param rate the connections per second
	 * @param seconds the duration of a measurement
	 * @param warmUp the duration of the warm-up in seconds
	 * @param sources where sessions are: {@code jdk} and {@code stateful} with the JDK's
	 * engine, or the sources of BoringSSL's ticket keys, {@code secret} and {@code redis}
	 * @return the lines of the file with results
	 */
	static List<String> run(int rate, int seconds, int warmUp, List<String> sources) throws Exception {
		RollingRestart restart = new RollingRestart(rate, seconds, warmUp);
		List<String> results = new ArrayList<>(List.of(HEADER));
		Path directory = Files.createTempDirectory("rolling-restart");
		try {
			ServerProcess.writeCertificate(directory);
			for (String source : sources) {
				results.addAll(restart.run(source, directory));
			}
		}
		finally {
			ServerProcess.delete(directory);
		}
		return results;
	}

	private List<String> run(String source, Path directory) throws Exception {
		if (source.equals("jdk")) {
			return run(source, Variant.WITHOUT, BootServer.TOMCAT, directory, List.of());
		}
		if (source.equals("stateful")) {
			return run(source, Variant.JDK, BootServer.TOMCAT, directory,
					List.of("--uncontended.ssl.session-cache.stateful=true"));
		}
		List<String> arguments = new ArrayList<>();
		arguments.add("--uncontended.ssl.tickets.secrets=" + SECRET);
		arguments.add("--uncontended.ssl.tickets.source=" + source);
		if (source.equals("secret")) {
			return run(source, Variant.BORINGSSL, BootServer.TOMCAT, directory, arguments);
		}
		if (!ServerProcess.isInstalled("redis-server")) {
			System.err.println("Skipped: redis-server is not on the path");
			return List.of();
		}
		try (ServerProcess redis = ServerProcess.redis(directory)) {
			arguments.add("--spring.data.redis.port=" + redis.port());
			return run(source, Variant.BORINGSSL, BootServer.TOMCAT_WITH_REDIS, directory, arguments);
		}
	}

	private List<String> run(String keys, Variant variant, BootServer server, Path directory, List<String> arguments)
			throws Exception {
		Map<Integer, String> events = new TreeMap<>();
		List<ServerProcess> nodes = new ArrayList<>();
		try (ClientProcess client = ClientProcess.start()) {
			for (int i = 0; i < NODES; i++) {
				nodes.add(ServerProcess.boot(server, variant, ServerProcess.currentJavaHome(), directory, arguments));
			}
			List<Integer> ports = nodes.stream().map(ServerProcess::port).toList();
			try (Proxy proxy = Proxy.start(ports)) {
				client.warmUp(proxy.port, "resumed", this.warmUp);
				client.begin(proxy.port, "resumed", this.rate, this.seconds, 1);
				long start = System.nanoTime();
				TimeUnit.SECONDS.sleep(this.seconds / 5);
				for (int i = 0; i < NODES; i++) {
					proxy.tell("drain " + ports.get(i), ports.get(i) + " is drained");
					record(events, start, "node " + (i + 1) + " stops");
					nodes.get(i).close();
					nodes.set(i, ServerProcess.boot(server, variant, ServerProcess.currentJavaHome(), ports.get(i),
							directory, arguments));
					proxy.tell("ready " + ports.get(i), ports.get(i) + " is ready");
					record(events, start, "node " + (i + 1) + " is back");
				}
				return lines(keys, client.results(), events);
			}
		}
		finally {
			nodes.forEach(ServerProcess::close);
		}
	}

	private static void record(Map<Integer, String> events, long start, String event) {
		int second = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
		events.merge(second, event, (first, next) -> first + ", " + next);
	}

	private static List<String> lines(String keys, List<ClientResult> results, Map<Integer, String> events) {
		List<String> lines = new ArrayList<>();
		for (int second = 0; second < results.size(); second++) {
			ClientResult result = results.get(second);
			lines.add(new Row(keys, second, result.connections(), result.connections() - result.resumed(),
					result.failed(), result.median(), result.p99(), events.getOrDefault(second, ""))
				.toString());
		}
		return lines;
	}

	/**
	 * Returns the table of results.
	 * @param results the lines of the file with results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		List<String> lines = new ArrayList<>(List.of(
				"| engine, ticket keys or sessions | seconds | connections | full, % | p50, ms | p99, ms | failed |",
				"|---|---|---|---|---|---|---|"));
		read(results).forEach((keys, rows) -> {
			int first = firstEvent(rows);
			int last = lastEvent(rows);
			lines.add(line(keys, "before", rows.subList(0, first)));
			lines.add(line(keys, "restart", rows.subList(first, last + 1)));
			if (last + 1 < rows.size()) {
				lines.add(line(keys, "after", rows.subList(last + 1, rows.size())));
			}
		});
		return lines;
	}

	private static String line(String keys, String phase, List<Row> rows) {
		long connections = rows.stream().mapToLong(Row::connections).sum();
		long full = rows.stream().mapToLong(Row::full).sum();
		return String.format(Locale.ROOT, "| %s | %s: %d | %d | %.0f | %s | %s | %d |", describe(keys), phase,
				rows.size(), connections, 100.0 * full / connections, range(rows, Row::median), range(rows, Row::p99),
				rows.stream().mapToLong(Row::failed).sum());
	}

	private static String range(List<Row> rows, ToLongFunction<Row> micros) {
		return String.format(Locale.ROOT, "%.1f to %.1f", rows.stream().mapToLong(micros).min().orElseThrow() / 1e3,
				rows.stream().mapToLong(micros).max().orElseThrow() / 1e3);
	}

	static int firstEvent(List<Row> rows) {
		return rows.stream().filter((row) -> !row.event.isEmpty()).mapToInt(Row::second).min().orElse(rows.size());
	}

	static int lastEvent(List<Row> rows) {
		return rows.stream().filter((row) -> !row.event.isEmpty()).mapToInt(Row::second).max().orElse(rows.size() - 1);
	}

	static String describe(String keys) {
		return switch (keys) {
			case "jdk" -> "JDK, each node's own";
			case "stateful" -> "JDK, stored in each node";
			default -> "BoringSSL, from " + keys;
		};
	}

	/**
	 * Returns the results of a file by the source of ticket keys.
	 */
	static Map<String, List<Row>> read(List<String> results) {
		Map<String, List<Row>> rows = new LinkedHashMap<>();
		results.stream()
			.skip(1)
			.map(Row::parse)
			.forEach((row) -> rows.computeIfAbsent(row.keys, (keys) -> new ArrayList<>()).add(row));
		return rows;
	}

	/**
	 * The result of one second. Times are microseconds.
	 *
	 * @param keys the source of the ticket keys
	 * @param second the second
	 * @param connections the number of connections
	 * @param full how many of them made a full handshake
	 * @param failed how many of them got no response
	 * @param median half of the latencies are at most so long
	 * @param p99 99% of the latencies are at most so long
	 * @param event what happened to a node in this second, or empty
	 */
	record Row(String keys, int second, long connections, long full, long failed, long median, long p99, String event) {

		static Row parse(String line) {
			String[] cells = line.split("\t", -1);
			return new Row(cells[0], Integer.parseInt(cells[1]), Long.parseLong(cells[2]), Long.parseLong(cells[3]),
					Long.parseLong(cells[4]), Long.parseLong(cells[5]), Long.parseLong(cells[6]), cells[7]);
		}

		@Override
		public String toString() {
			return this.keys + "\t" + this.second + "\t" + this.connections + "\t" + this.full + "\t" + this.failed
					+ "\t" + this.median + "\t" + this.p99 + "\t" + this.event;
		}

	}

	/**
	 * The proxy of the sample.
	 */
	private static final class Proxy implements AutoCloseable {

		private final int port;

		private final Process process;

		private final BufferedReader answers;

		private Proxy(int port, Process process) {
			this.port = port;
			this.process = process;
			this.answers = process.inputReader(StandardCharsets.US_ASCII);
		}

		static Proxy start(List<Integer> nodes) throws IOException {
			int port = ServerProcess.freePort();
			List<String> command = new ArrayList<>(
					List.of(ServerProcess.currentJavaHome().resolve(Path.of("bin", "java")).toString(),
							ServerProcess.repository().resolve(Path.of("sample-app", "proxy", "Proxy.java")).toString(),
							String.valueOf(port)));
			nodes.forEach((node) -> command.add(String.valueOf(node)));
			Proxy proxy = new Proxy(port,
					new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
			proxy.await("Listening on " + port);
			return proxy;
		}

		void tell(String command, String answer) throws IOException {
			this.process.getOutputStream().write((command + "\n").getBytes(StandardCharsets.US_ASCII));
			this.process.getOutputStream().flush();
			await(answer);
		}

		private void await(String answer) throws IOException {
			String line;
			do {
				line = this.answers.readLine();
				if (line == null) {
					throw new IOException("The proxy has ended");
				}
			}
			while (!line.equals(answer));
		}

		@Override
		public void close() {
			this.process.destroy();
		}

	}

}
