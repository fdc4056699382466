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

import java.lang.management.ClassLoadingMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
 * appended.
 */
public final class FirstDraw {

	private static final String HEADER = "java\tsource\tround\tCPU ms\telapsed ms\tclasses";

	private FirstDraw() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a JVM does not start
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 3 && args[0].equals("draw")) {
			draw(Source.valueOf(args[1]), args[2]);
			return;
		}
		Options options = Options.parse(args,
				Map.of("java", System.getProperty("java.home"), "rounds", "9", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1; round <= options.number("rounds"); round++) {
			for (String java : options.list("java")) {
				for (Source source : Source.values()) {
					Process process = new ProcessBuilder(Path.of(java, "bin", "java").toString(), "-cp",
							System.getProperty("java.class.path"), FirstDraw.class.getName(), "draw", source.name(),
							String.valueOf(round))
						.redirectError(ProcessBuilder.Redirect.INHERIT)
						.start();
					results.add(new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip());
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static void draw(Source source, String round) {
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
		System.out.println(String.join("\t", String.valueOf(Runtime.version().feature()), source.name(), round,
				String.valueOf(cpu / 1e6), String.valueOf(elapsed / 1e6), String.valueOf(loaded)));
	}

	/**
	 * A source of UUIDs.
	 */
	private enum Source {

		/** The JDK's method. */
		JDK(UUID::randomUUID),

		/** The JDK's method with Uncontended's provider. */
		DROP_IN(() -> {
			UncontendedProvider.install();
			return UUID.randomUUID();
		}),

		/** Uncontended's generator. */
		GENERATOR(() -> UuidGenerator.builder().build().randomUuid());

		@SuppressWarnings("ImmutableEnumChecker")
		private final Supplier<UUID> uuids;

		Source(Supplier<UUID> uuids) {
			this.uuids = uuids;
		}

	}

}
