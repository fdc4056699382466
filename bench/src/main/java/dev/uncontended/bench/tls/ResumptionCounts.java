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
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

/**
 * Counts the full handshakes of clients that resume sessions, with servers with and
 * without Uncontended, which run one after another. {@link HandshakeCounter} counts, so
 * the figures do not rely on what clients or servers report. Clients that are not
 * installed are named and left out.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * homes of JDKs for the servers; {@code servers}; {@code variants}; {@code clients},
 * names of constants of {@link ResumingClient}; {@code results}, a file to which the raw
 * results are appended.
 */
public final class ResumptionCounts {

	static final String HEADER = "java\tserver\tclient\tvariant\tconnections\tfull\tretried";

	private final Options options;

	private final List<String> results = new ArrayList<>(List.of(HEADER));

	private ResumptionCounts(String[] args) {
		this.options = Options.parse(args,
				Map.of("java", ServerProcess.currentJavaHome().toString(), "servers", "tomcat,jetty,netty", "variants",
						"without,jdk", "clients",
						Arrays.stream(ResumingClient.values())
							.map((client) -> client.name().toLowerCase(Locale.ROOT))
							.collect(Collectors.joining(",")),
						"results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a server does not start, or a request fails
	 */
	public static void main(String[] args) throws Exception {
		table(run(args)).forEach(System.out::println);
	}

	/**
	 * Counts.
	 * @param args the arguments
	 * @return the lines of the file with results
	 */
	static List<String> run(String... args) throws Exception {
		ResumptionCounts counts = new ResumptionCounts(args);
		counts.run();
		return counts.results;
	}

	private void run() throws Exception {
		List<ResumingClient> clients = new ArrayList<>();
		for (String name : this.options.list("clients")) {
			ResumingClient client = ResumingClient.valueOf(name.toUpperCase(Locale.ROOT));
			if (client.isInstalled()) {
				clients.add(client);
			}
			else {
				System.err.println("Left out, because it is not installed: " + client);
			}
		}
		for (String java : this.options.list("java")) {
			for (String server : this.options.list("servers")) {
				for (String variant : this.options.list("variants")) {
					count(Path.of(java), BootServer.of(server), Variant.of(variant), clients);
				}
			}
		}
		this.options.append(this.results);
	}

	private void count(Path java, BootServer boot, Variant variant, List<ResumingClient> clients) throws Exception {
		try (ServerProcess server = ServerProcess.boot(boot, variant, java, ServerProcess.freePort(), List.of())) {
			for (ResumingClient client : clients) {
				this.results.add(String.join("\t", ServerProcess.javaVersion(java), boot.toString(), client.toString(),
						variant.name().toLowerCase(Locale.ROOT), count(server, client)));
				System.err.println(this.results.get(this.results.size() - 1));
			}
		}
	}

	/*
	 * Fails if the client did not do what its name says, because the figures would then
	 * mislead.
	 */
	private static String count(ServerProcess server, ResumingClient client) throws Exception {
		try (HandshakeCounter counter = new HandshakeCounter(server.port())) {
			client.connect(counter.port());
			List<ServerHandshake> handshakes = counter.handshakes();
			if (counter.connections() != client.count() || handshakes.size() != client.count()) {
				throw new IOException("%s opened %d connections instead of %d, of which %d have handshakes"
					.formatted(client, counter.connections(), client.count(), handshakes.size()));
			}
			long full = handshakes.stream().filter(ServerHandshake::full).count();
			long retried = handshakes.stream().filter(ServerHandshake::retried).count();
			if (client.isRetried() && retried != client.count()) {
				throw new IOException("%s got only %d HelloRetryRequests".formatted(client, retried));
			}
			return client.count() + "\t" + full + "\t" + retried;
		}
	}

	/**
	 * Returns the tables of the full handshakes, one for each version of Java, with a
	 * line for each client, and a column for each server. A cell contains the figures of
	 * all variants, in order.
	 * @param results the lines of a file with raw results
	 * @return the lines of the tables
	 */
	public static List<String> table(List<String> results) {
		List<String> lines = new ArrayList<>();
		Rounds.rows(results)
			.stream()
			.collect(Collectors.groupingBy((row) -> row.getOrDefault("java", ""), LinkedHashMap::new,
					Collectors.toList()))
			.forEach((java, rows) -> {
				lines.add("Java " + java + ":\n");
				lines.addAll(tableOfRows(rows));
				lines.add("");
			});
		return lines;
	}

	private static List<String> tableOfRows(List<Map<String, String>> rows) {
		Set<String> servers = new LinkedHashSet<>();
		Map<String, Map<String, String>> clients = new LinkedHashMap<>();
		for (Map<String, String> row : rows) {
			String server = row.getOrDefault("server", "");
			servers.add(server);
			clients.computeIfAbsent(row.get("client") + " | " + row.get("connections"), (key) -> new LinkedHashMap<>())
				.merge(server, row.getOrDefault("full", ""), (first, second) -> first + " / " + second);
		}
		List<String> lines = new ArrayList<>();
		lines.add("| client | connections | " + String.join(" | ", servers) + " |");
		lines.add(lines.get(0).replaceAll("[^|]+", "---"));
		clients.forEach((client, cells) -> lines.add("| " + client + " | "
				+ servers.stream().map((server) -> cells.getOrDefault(server, "")).collect(Collectors.joining(" | "))
				+ " |"));
		return lines;
	}

}
