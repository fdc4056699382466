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
package dev.uncontended.bench.uuid;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;

import com.sun.management.OperatingSystemMXBean;
import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;

/**
 * Measures what the first version 4 UUID of a JVM costs: CPU time of the process, elapsed
 * time, and loaded classes, from the creation of the generator to the first id. Each
 * measurement runs in a JVM of its own; the sources alternate.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * homes of JDKs; {@code rounds}; {@code results}, a file to which the raw results are
 * appended. With the arguments {@code table FILE}, prints the table of raw results.
 */
public final class FirstDraw {

	private static final String HEADER = "java\tsource\tround\tCPU us\telapsed us\tclasses";

	private FirstDraw() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a JVM does not start
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 2 && args[0].equals("draw")) {
			System.out.println(draw(Source.valueOf(args[1])));
			return;
		}
		if (args.length == 2 && args[0].equals("table")) {
			table(Files.readAllLines(Path.of(args[1]))).forEach(System.out::println);
			return;
		}
		Options options = Options.parse(args,
				Map.of("java", System.getProperty("java.home"), "rounds", "9", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1; round <= options.number("rounds"); round++) {
			for (String java : options.list("java")) {
				for (Source source : Source.values()) {
					String[] cells = run(java, source).split("\t", 2);
					results.add(cells[0] + "\t" + source + "\t" + round + "\t" + cells[1]);
				}
			}
		}
		options.append(results);
		table(results).forEach(System.out::println);
	}

	private static String run(String java, Source source) throws IOException {
		Process process = new ProcessBuilder(Path.of(java, "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), FirstDraw.class.getName(), "draw", source.toString())
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
			String line = output.readLine();
			if (line == null) {
				throw new IOException("No output of " + source + " on " + java);
			}
			return line;
		}
	}

	private static String draw(Source source) {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		ClassLoadingMXBean classes = ManagementFactory.getClassLoadingMXBean();
		long cpu = system.getProcessCpuTime();
		long loaded = classes.getTotalLoadedClassCount();
		long start = System.nanoTime();
		UUID uuid = source.uuids.get();
		long elapsed = System.nanoTime() - start;
		loaded = classes.getTotalLoadedClassCount() - loaded;
		cpu = system.getProcessCpuTime() - cpu;
		if (uuid.version() != 4) {
			throw new IllegalStateException();
		}
		return Runtime.version().feature() + "\t" + cpu / 1000 + "\t" + elapsed / 1000 + "\t" + loaded;
	}

	/**
	 * Returns the table of raw results.
	 * @param results the lines of the file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		Map<String, List<String[]>> groups = new LinkedHashMap<>();
		results.stream().skip(1).map((line) -> line.split("\t")).forEach((cells) -> {
			String group = "| %s | %s | ".formatted(cells[0], Source.valueOf(cells[1]).label);
			groups.computeIfAbsent(group, (key) -> new ArrayList<>()).add(cells);
		});
		List<String> lines = new ArrayList<>(
				List.of("| Java | source | CPU, ms | elapsed, ms | classes | JVMs |", "|---|---|---|---|---|---|"));
		groups.forEach((group,
				rows) -> lines.add(String.format(Locale.ROOT, "%s%s | %s | %.0f | %d |", group,
						rounds(rows, 3).formatIfSteady("%.0f"), rounds(rows, 4).formatIfSteady("%.0f"),
						rounds(rows, 5).median() * 1000, rows.size())));
		return lines;
	}

	private static Rounds rounds(List<String[]> rows, int column) {
		return new Rounds(rows.stream().map((cells) -> Double.parseDouble(cells[column]) / 1000).toList());
	}

	/**
	 * A source of UUIDs.
	 */
	private enum Source {

		/** The JDK's method. */
		JDK("`UUID.randomUUID()`", UUID::randomUUID),

		/** The JDK's method with Uncontended's provider. */
		DROP_IN("`UUID.randomUUID()`, the drop-in installed", () -> {
			UncontendedProvider.install();
			return UUID.randomUUID();
		}),

		/** Uncontended's generator. */
		GENERATOR("`UuidGenerator`", () -> UuidGenerator.builder().build().randomUuid());

		private final String label;

		@SuppressWarnings("ImmutableEnumChecker")
		private final Supplier<UUID> uuids;

		Source(String label, Supplier<UUID> uuids) {
			this.label = label;
			this.uuids = uuids;
		}

	}

}
