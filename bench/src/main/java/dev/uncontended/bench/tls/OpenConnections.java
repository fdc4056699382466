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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;
import org.jspecify.annotations.Nullable;

/**
 * Measures the memory of open connections, which wait for the next request after one
 * response. A JVM's heap has a fixed size, all of which it touches at its start, so that
 * growth of its resident memory is outside of the heap. In the heap, the live objects are
 * counted, with a full collection before. Each round starts the servers anew.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * {@code servers}, {@code variants}, {@code connections}, {@code rounds} and
 * {@code results}, as for {@link RequestCost}. The limit of open files must be higher
 * than the number of connections. With the arguments {@code table FILE}, prints the table
 * of raw results.
 */
public final class OpenConnections {

	private static final String HEADER = "java\tserver\tvariant\tround\tconnections\theap bytes\tother bytes";

	/** The connections before the first look, which load classes and start threads. */
	private static final int WARM_UP = 500;

	private static final List<String> ARGUMENTS = List.of("-Xms2g", "-Xmx2g", "-XX:+AlwaysPreTouch", "-XX:+UseSerialGC",
			"--server.tomcat.max-connections=30000", "--server.tomcat.connection-timeout=10m",
			"--server.jetty.connection-idle-timeout=10m", "--server.netty.idle-timeout=10m");

	private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

	private final Options options;

	private final List<String> results = new ArrayList<>(List.of(HEADER));

	private OpenConnections(String[] args) {
		this.options = Options.parse(args,
				Map.of("java", ServerProcess.currentJavaHome().toString(), "servers", "tomcat,jetty,netty", "variants",
						"without,jdk,boringssl,netty", "connections", "10000", "rounds", "3", "results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a server does not start
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 2 && args[0].equals("table")) {
			table(Files.readAllLines(Path.of(args[1]))).forEach(System.out::println);
			return;
		}
		OpenConnections measured = new OpenConnections(args);
		measured.run();
		table(measured.results).forEach(System.out::println);
	}

	private void run() throws Exception {
		Path directory = Files.createTempDirectory("open-connections");
		Path javaHome = Path.of(this.options.text("java"));
		String java = ServerProcess.javaVersion(javaHome);
		try {
			ServerProcess.writeCertificate(directory);
			for (int round = 1; round <= this.options.number("rounds"); round++) {
				if (ServerProcess.isInstalled("nginx")) {
					measure("\tnginx\topenssl\t" + round, ServerProcess.nginx(directory, true), null);
				}
				for (String name : this.options.list("servers")) {
					BootServer server = BootServer.valueOf(name.toUpperCase(Locale.ROOT));
					for (String variant : this.options.list("variants")) {
						if (Variant.of(variant) != Variant.NETTY || server == BootServer.NETTY) {
							measure(String.join("\t", java, server.toString(), variant, String.valueOf(round)),
									ServerProcess.boot(server, Variant.of(variant), javaHome, directory, ARGUMENTS),
									javaHome);
						}
					}
				}
			}
		}
		finally {
			ServerProcess.delete(directory);
		}
		this.options.append(this.results);
	}

	private void measure(String row, ServerProcess server, @Nullable Path javaHome) throws Exception {
		int count = this.options.number("connections");
		try (server) {
			try (KeptAliveClient client = KeptAliveClient.open(server.port(), true, WARM_UP)) {
				client.run("/", 0);
			}
			long heap = liveBytes(server, javaHome);
			long resident = resident(server);
			try (KeptAliveClient client = KeptAliveClient.open(server.port(), true, count)) {
				client.run("/", 0);
				heap = liveBytes(server, javaHome) - heap;
				resident = resident(server) - resident;
				this.results.add(row + "\t" + count + "\t" + heap + "\t" + resident);
				System.err.println(this.results.get(this.results.size() - 1));
			}
		}
	}

	private static long resident(ServerProcess server) throws IOException {
		Matcher resident = RESIDENT.matcher(Files.readString(Path.of("/proc", String.valueOf(server.pid()), "status")));
		if (!resident.find()) {
			throw new IOException("No resident memory of " + server.pid());
		}
		return Long.parseLong(resident.group(1)) * 1024;
	}

	/*
	 * Returns the bytes of all live objects, which jcmd collects before it counts them.
	 */
	private static long liveBytes(ServerProcess server, @Nullable Path javaHome) throws Exception {
		if (javaHome == null) {
			return 0;
		}
		Process jcmd = new ProcessBuilder(javaHome.resolve(Path.of("bin", "jcmd")).toString(),
				String.valueOf(server.pid()), "GC.class_histogram")
			.start();
		try (Stream<String> lines = jcmd.inputReader(StandardCharsets.UTF_8).lines()) {
			String total = lines.filter((line) -> line.startsWith("Total")).findFirst().orElseThrow();
			jcmd.waitFor(10, TimeUnit.SECONDS);
			return Long.parseLong(total.strip().split("\\s+")[2]);
		}
	}

	/**
	 * Returns the table of raw results.
	 * @param results the lines of the file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		Map<String, List<String[]>> groups = new LinkedHashMap<>();
		results.stream().skip(1).map((line) -> line.split("\t")).forEach((cells) -> {
			String group = "| %s | %s | %s | %s | ".formatted(cells[0], cells[1], cells[2], cells[4]);
			groups.computeIfAbsent(group, (key) -> new ArrayList<>()).add(cells);
		});
		List<String> lines = new ArrayList<>(List.of(
				"| Java | server | TLS | connections | heap, KiB | outside of the heap, KiB | sum, KiB | rounds |",
				"|---|---|---|---|---|---|---|---|"));
		groups.forEach((group, rows) -> lines.add("%s%s | %s | %s | %d |".formatted(group, perConnection(rows, 1, 0),
				perConnection(rows, 0, 1), perConnection(rows, 1, 1), rows.size())));
		return lines;
	}

	private static String perConnection(List<String[]> rows, int heap, int other) {
		return new Rounds(rows.stream()
			.map((cells) -> (heap * Double.parseDouble(cells[5]) + other * Double.parseDouble(cells[6])) / 1024
					/ Double.parseDouble(cells[4]))
			.toList()).formatIfSteady("%.1f");
	}

}
