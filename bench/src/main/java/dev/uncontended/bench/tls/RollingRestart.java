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
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

/**
 * Measures a rolling restart: three nodes with Tomcat run behind the TCP proxy of the
 * sample, which sends each connection to the next node. Returning clients connect at a
 * fixed rate, each with its last session. In the middle, the nodes restart one after
 * another: the proxy drains a node, the node stops, starts, and is added again.
 * <p>
 * Compares an application without Uncontended, with which each node has its own keys for
 * session tickets, to BoringSSL with ticket keys from a shared secret and from Redis.
 * Prints a table, and writes the results of each second to a file:
 * {@code java -cp benchmarks.jar dev.uncontended.bench.tls.RollingRestart FILE RATE SECONDS WARM-UP}.
 * Needs {@code redis-server} on the path. All processes share the processors, so a
 * starting node slows down the others.
 */
public final class RollingRestart {

	private static final int NODES = 3;

	private static final String SECRET = "the-secret-of-all-nodes-of-32-bytes";

	static final String HEADER = "keys\tsecond\tconnections\tfull\tfailed\tp50 us\tp99 us\tevent";

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
	 * @param args the file of the results, the connections per second, and the seconds of
	 * a measurement and of the warm-up
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		List<String> results = run(Integer.parseInt(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]),
				List.of("jdk", "secret", "redis"));
		Files.write(Path.of(args[0]), results);
		table(results).forEach(System.out::println);
	}

	/**
	 * Measures.
	 * @param rate the connections per second
	 * @param seconds the duration of a measurement
	 * @param warmUp the duration of the warm-up in seconds
	 * @param sources {@code jdk} for the JDK's engine without Uncontended, or the sources
	 * of BoringSSL's ticket keys, {@code secret} and {@code redis}
	 * @return the lines of the file with results
	 */
	static List<String> run(int rate, int seconds, int warmUp, List<String> sources) throws Exception {
		RollingRestart restart = new RollingRestart(rate, seconds, warmUp);
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (String source : sources) {
			results.addAll(restart.run(source));
		}
		return results;
	}

	private List<String> run(String source) throws Exception {
		List<String> tickets = List.of("--uncontended.ssl.tickets.secrets=" + SECRET,
				"--uncontended.ssl.tickets.source=" + source);
		return switch (source) {
			case "jdk" -> run(source, Variant.WITHOUT, BootServer.TOMCAT, List.of());
			case "secret" -> run(source, Variant.BORINGSSL, BootServer.TOMCAT, tickets);
			default -> {
				try (ServerProcess redis = ServerProcess.redis()) {
					yield run(source, Variant.BORINGSSL, BootServer.TOMCAT_WITH_REDIS,
							List.of(tickets.get(0), tickets.get(1), "--spring.data.redis.port=" + redis.port()));
				}
			}
		};
	}

	private List<String> run(String keys, Variant variant, BootServer server, List<String> arguments) throws Exception {
		Map<Integer, String> events = new TreeMap<>();
		List<ServerProcess> nodes = new ArrayList<>();
		try (CommandProcess client = ConnectionClient.start()) {
			for (int i = 0; i < NODES; i++) {
				nodes.add(ServerProcess.boot(server, variant, ServerProcess.currentJavaHome(), ServerProcess.freePort(),
						arguments));
			}
			List<Integer> ports = nodes.stream().map(ServerProcess::port).toList();
			int port = ServerProcess.freePort();
			try (CommandProcess proxy = proxy(port, ports)) {
				proxy.readUntil("Listening on " + port);
				ConnectionClient.begin(client, port, "resumed", 0, this.warmUp, this.warmUp);
				ConnectionClient.results(client);
				ConnectionClient.begin(client, port, "resumed", this.rate, this.seconds, 1);
				long start = System.nanoTime();
				TimeUnit.SECONDS.sleep(this.seconds / 5);
				for (int i = 0; i < NODES; i++) {
					proxy.send("drain " + ports.get(i));
					proxy.readUntil(ports.get(i) + " is drained");
					record(events, start, "node " + (i + 1) + " stops");
					nodes.get(i).close();
					nodes.set(i, ServerProcess.boot(server, variant, ServerProcess.currentJavaHome(), ports.get(i),
							arguments));
					proxy.send("ready " + ports.get(i));
					proxy.readUntil(ports.get(i) + " is ready");
					record(events, start, "node " + (i + 1) + " is back");
				}
				return lines(keys, ConnectionClient.results(client), events);
			}
		}
		finally {
			nodes.forEach(ServerProcess::close);
		}
	}

	/*
	 * Starts the proxy of the sample.
	 */
	private static CommandProcess proxy(int port, List<Integer> nodes) throws IOException {
		List<String> command = new ArrayList<>(
				List.of(ServerProcess.currentJavaHome().resolve(Path.of("bin", "java")).toString(),
						ServerProcess.repository().resolve(Path.of("sample-app", "proxy", "Proxy.java")).toString(),
						String.valueOf(port)));
		nodes.forEach((node) -> command.add(String.valueOf(node)));
		return new CommandProcess(command);
	}

	private static void record(Map<Integer, String> events, long start, String event) {
		int second = (int) TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start);
		events.merge(second, event, (first, next) -> first + ", " + next);
	}

	private static List<String> lines(String keys, List<Map<String, String>> results, Map<Integer, String> events) {
		List<String> lines = new ArrayList<>();
		for (int second = 0; second < results.size(); second++) {
			List<Map<String, String>> result = results.subList(second, second + 1);
			long full = (long) (Rounds.column(result, "connections").sum() - Rounds.column(result, "resumed").sum());
			Map<String, String> row = new HashMap<>(results.get(second));
			row.putAll(Map.of("keys", keys, "second", String.valueOf(second), "full", String.valueOf(full), "event",
					events.getOrDefault(second, "")));
			lines.add(Stream.of(HEADER.split("\t")).map(row::get).collect(Collectors.joining("\t")));
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
		Rounds.rows(results)
			.stream()
			.collect(Collectors.groupingBy((row) -> row.getOrDefault("keys", ""), LinkedHashMap::new,
					Collectors.toList()))
			.forEach((keys, rows) -> {
				int[] events = IntStream.range(0, rows.size())
					.filter((second) -> !rows.get(second).getOrDefault("event", "").isEmpty())
					.toArray();
				int first = events[0];
				int last = events[events.length - 1];
				lines.add(line(keys, "before", rows.subList(0, first)));
				lines.add(line(keys, "restart", rows.subList(first, last + 1)));
				if (last + 1 < rows.size()) {
					lines.add(line(keys, "after", rows.subList(last + 1, rows.size())));
				}
			});
		return lines;
	}

	private static String line(String keys, String phase, List<Map<String, String>> rows) {
		double connections = Rounds.column(rows, "connections").sum();
		return String.format(Locale.ROOT, "| %s | %s: %d | %.0f | %.0f | %s | %s | %.0f |", describe(keys), phase,
				rows.size(), connections, 100 * Rounds.column(rows, "full").sum() / connections,
				range(Rounds.column(rows, "p50 us")), range(Rounds.column(rows, "p99 us")),
				Rounds.column(rows, "failed").sum());
	}

	private static String range(Rounds micros) {
		return String.format(Locale.ROOT, "%.1f to %.1f", Collections.min(micros.values()) / 1e3,
				Collections.max(micros.values()) / 1e3);
	}

	private static String describe(String keys) {
		return switch (keys) {
			case "jdk" -> "JDK, each node's own";
			default -> "BoringSSL, from " + keys;
		};
	}

}
