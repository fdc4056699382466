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
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.sun.management.OperatingSystemMXBean;
import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures what the dependency adds to the start of an application with Tomcat, HTTPS and
 * Actuator: CPU time of the process, and loaded classes. Each start is a JVM of its own,
 * and the variants alternate: without an archive, then with a CDS archive, or from Java
 * 25 an AOT cache, of an earlier start of the same variant.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * homes of JDKs; {@code variants}; {@code rounds}; {@code results}, a file to which the
 * raw results are appended.
 */
public final class StartUp {

	private static final String HEADER = "java\tarchive\tvariant\tround\tCPU ms\tclasses";

	private final Options options;

	private final List<String> results = new ArrayList<>(List.of(HEADER));

	private StartUp(String[] args) {
		this.options = Options.parse(args, Map.of("java", ServerProcess.currentJavaHome().toString(), "variants",
				"without,jdk", "rounds", "10", "results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a JVM does not start
	 */
	public static void main(String[] args) throws Exception {
		if (args.length > 0 && args[0].equals("start")) {
			start(Arrays.copyOfRange(args, 1, args.length));
			return;
		}
		StartUp measured = new StartUp(args);
		measured.run();
		Rounds.table(measured.results).forEach(System.out::println);
	}

	private static void start(String[] args) {
		OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
		ConfigurableApplicationContext context = SpringApplication.run(MeasuredApplication.class, args);
		System.out.println(system.getProcessCpuTime() / 1_000_000 + "\t"
				+ ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
		context.close();
	}

	private void run() throws IOException {
		for (String java : this.options.list("java")) {
			measure(Path.of(java), false);
			measure(Path.of(java), true);
		}
		this.options.append(this.results);
	}

	private void measure(Path javaHome, boolean archive) throws IOException {
		String java = ServerProcess.javaVersion(javaHome);
		boolean cache = Integer.parseInt(java) >= 25;
		Map<String, List<String>> jvmOptions = new LinkedHashMap<>();
		for (String variant : this.options.list("variants")) {
			Path file = ServerProcess.DIRECTORY.resolve(String.join("-", "archive", java, variant));
			if (archive) {
				run(javaHome, variant, List.of((cache ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + file));
			}
			jvmOptions.put(variant,
					archive ? List.of((cache ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file) : List.of());
		}
		for (int round = 1; round <= this.options.number("rounds"); round++) {
			for (Map.Entry<String, List<String>> variant : jvmOptions.entrySet()) {
				this.results.add(String.join("\t", java, archive ? (cache ? "AOT cache" : "CDS archive") : "",
						variant.getKey(), String.valueOf(round), run(javaHome, variant.getKey(), variant.getValue())));
				System.err.println(this.results.get(this.results.size() - 1));
			}
		}
	}

	private static String run(Path javaHome, String name, List<String> jvmOptions) throws IOException {
		Variant variant = Variant.of(name);
		List<String> command = ServerProcess.java(javaHome, variant.classPath(BootServer.TOMCAT_WITH_ACTUATOR.jars()));
		command.addAll(List.of(StartUp.class.getName(), "start", "--management.endpoints.web.exposure.include=*"));
		ServerProcess.addArguments(command, variant, 0, jvmOptions);
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		// The output ends with the process, which writes the archive last.
		try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
			List<String> figures = output.lines().filter((line) -> line.matches("\\d+\t\\d+")).toList();
			if (figures.isEmpty()) {
				throw new IOException("The application does not start: " + name);
			}
			return figures.get(0);
		}
	}

}
