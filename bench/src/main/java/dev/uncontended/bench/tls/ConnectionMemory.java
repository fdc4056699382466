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

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

/**
 * Measures the resident memory of open TLS connections that wait for their next request.
 * The server's heap shrinks to its live objects first. The limit of open files must
 * exceed the number of connections.
 * <p>
 * The arguments have the form {@code name=value}: {@code servers}, {@code variants},
 * {@code rounds} and {@code results} as for {@link RequestCost}, and {@code connections}.
 */
public final class ConnectionMemory {

	private static final String HEADER = "server\tvariant\tround\tMB per 1,000 connections";

	private static final List<String> ARGUMENTS = List.of("-XX:+UseSerialGC", "-Xms64m", "-Xmx2g", "-Xmn32m",
			"-XX:MinHeapFreeRatio=1", "-XX:MaxHeapFreeRatio=1", "--server.tomcat.max-connections=30000",
			"--server.tomcat.connection-timeout=10m", "--server.jetty.connection-idle-timeout=10m");

	private ConnectionMemory() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		Options options = Options.parse(args, Map.of("servers", "tomcat,jetty,netty", "variants", "jdk,boringssl",
				"connections", "5000", "rounds", "3", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1; round <= options.number("rounds"); round++) {
			for (String server : options.list("servers")) {
				for (String variant : options.list("variants")) {
					results.add(String.join("\t", server, variant, String.valueOf(round),
							measure(BootServer.of(server), Variant.of(variant), options.number("connections"))));
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static String measure(BootServer boot, Variant variant, int count) throws Exception {
		try (ServerProcess server = ServerProcess.boot(boot, variant, ServerProcess.currentJavaHome(),
				ServerProcess.freePort(), ARGUMENTS)) {
			KeptAliveClient.open(server.port(), true, 500).close();
			long before = resident(server.pid());
			try (KeptAliveClient client = KeptAliveClient.open(server.port(), true, count)) {
				client.run("/", 0);
				return Rounds.number((resident(server.pid()) - before) * 1.024 / count);
			}
		}
	}

	/*
	 * Returns KiB after a full collection.
	 */
	private static long resident(long pid) throws Exception {
		Path jcmd = ServerProcess.currentJavaHome().resolve(Path.of("bin", "jcmd"));
		new ProcessBuilder(jcmd.toString(), String.valueOf(pid), "GC.run").start().waitFor();
		return Files.readAllLines(Path.of("/proc", String.valueOf(pid), "status"))
			.stream()
			.filter((line) -> line.startsWith("VmRSS:"))
			.mapToLong((line) -> Long.parseLong(line.replaceAll("\\D", "")))
			.sum();
	}

}
