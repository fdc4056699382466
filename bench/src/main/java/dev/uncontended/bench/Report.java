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
import java.util.Locale;
import java.util.stream.Stream;

import dev.uncontended.bench.tls.ConnectionLatency;
import dev.uncontended.bench.tls.HandshakeCost;
import dev.uncontended.bench.tls.RequestCost;
import dev.uncontended.bench.uuid.RandomUuidBenchmark;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures the main figures on any machine, in about ten minutes, and prints them as
 * Markdown to paste into an issue: {@code bench/measure report}. The measured machine
 * should do nothing else.
 */
public final class Report {

	private Report() {
	}

	/**
	 * Prints the report.
	 * @param args not used
	 * @throws Exception if a measurement fails
	 */
	public static void main(String[] args) throws Exception {
		int processors = Runtime.getRuntime().availableProcessors();
		System.out.printf("%s, %d processors, %s %s, Java %s%n", processor(), processors, System.getProperty("os.name"),
				System.getProperty("os.arch"), Runtime.version());
		heading("Version 4 UUIDs per microsecond");
		System.out.println("| threads | `UUID.randomUUID()` | the drop-in | `UuidGenerator` |\n|---|---|---|---|");
		for (int threads : Stream.of(1, processors, 32, 300).distinct().toList()) {
			System.out.printf("| %d | %s | %s | %s |%n", threads, uuids("JDK", threads), uuids("DROP_IN", threads),
					uuids("UNCONTENDED", threads));
		}
		heading("Server's cost of a handshake");
		HandshakeCost.main(new String[] { "keys=P-256", "protocols=TLSv1.3" });
		heading("New connections");
		ConnectionLatency.main(new String[] { "servers=tomcat", "variants=without,boringssl", "rate=300", "seconds=10",
				"warm-up=20", "rounds=3" });
		heading("Large responses");
		RequestCost.main(new String[] { "servers=tomcat", "variants=without,boringssl", "rounds=3", "warm-up=5" });
	}

	private static void heading(String text) {
		System.out.println("\n**" + text + "**\n");
	}

	private static String processor() throws IOException {
		Path file = Path.of("/proc/cpuinfo");
		if (!Files.exists(file)) {
			return "Unknown processor";
		}
		try (Stream<String> lines = Files.lines(file)) {
			return lines.filter((line) -> line.startsWith("model name"))
				.findFirst()
				.map((line) -> line.substring(line.indexOf(':') + 1).strip())
				.orElse("Unknown processor");
		}
	}

	/*
	 * JMH's output goes to a file, because forks of newer JDKs warn of JMH itself.
	 */
	private static String uuids(String implementation, int threads) throws RunnerException, IOException {
		Path output = Files.createTempFile("jmh", ".log");
		try {
			RunResult result = new Runner(
					new OptionsBuilder().include(RandomUuidBenchmark.class.getName() + ".randomUuid")
						.param("implementation", implementation)
						.threads(threads)
						.forks(1)
						.warmupIterations(2)
						.warmupTime(TimeValue.seconds(1))
						.measurementIterations(4)
						.measurementTime(TimeValue.seconds(1))
						.verbosity(VerboseMode.SILENT)
						.output(output.toString())
						.build())
				.runSingle();
			return String.format(Locale.ROOT, "%.1f", result.getPrimaryResult().getScore());
		}
		finally {
			Files.delete(output);
		}
	}

}
