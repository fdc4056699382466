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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import com.sun.management.OperatingSystemMXBean;
import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess.BootServer;

import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Measures what the dependency adds to the start of an application with Tomcat, HTTPS and
 * Actuator: CPU time of the process, and loaded classes. Each start is a JVM of its own,
 * and the variants alternate. With archives, the JVM has a CDS archive, or from Java 25
 * an AOT cache, of an earlier start of the same variant.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * homes of JDKs; {@code archives}, {@code false} and {@code true}; {@code variants};
 * {@code rounds}; {@code results}, a file to which the raw results are appended.
 */
public final class StartUp {

	private static final String HEADER = "java\tarchive\tvariant\tround\tCPU ms\tclasses";

	private final Options options;

	private final List<String> results = new ArrayList<>(List.of(HEADER));

	private StartUp(String[] args) {
		this.options = Options.parse(args, Map.of("java", ServerProcess.currentJavaHome().toString(), "archives",
				"false,true", "variants", "without,jdk", "rounds", "10", "results", ""));
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

	private void run() throws Exception {
		Path directory = Files.createTempDirectory("start-up");
		try {
			ServerProcess.writeCertificate(directory);
			for (String java : this.options.list("java")) {
				for (String archive : this.options.list("archives")) {
					measure(directory, Path.of(java), Boolean.parseBoolean(archive));
				}
			}
		}
		finally {
			ServerProcess.delete(directory);
		}
		this.options.append(this.results);
	}

	private void measure(Path directory, Path javaHome, boolean archive) throws IOException {
		String java = ServerProcess.javaVersion(javaHome);
		boolean cache = Integer.parseInt(java) >= 25;
		Map<String, List<String>> jvmOptions = new LinkedHashMap<>();
		for (String variant : this.options.list("variants")) {
			String file = directory.resolve(String.join("-", "archive", java, variant)).toString();
			if (archive) {
				run(javaHome, variant, directory,
						List.of((cache ? "-XX:AOTCacheOutput=" : "-XX:ArchiveClassesAtExit=") + file));
			}
			jvmOptions.put(variant,
					archive ? List.of((cache ? "-XX:AOTCache=" : "-XX:SharedArchiveFile=") + file) : List.of());
		}
		for (int round = 1; round <= this.options.number("rounds"); round++) {
			for (Map.Entry<String, List<String>> variant : jvmOptions.entrySet()) {
				this.results
					.add(String.join("\t", java, archive ? (cache ? "AOT cache" : "CDS archive") : "", variant.getKey(),
							String.valueOf(round), run(javaHome, variant.getKey(), directory, variant.getValue())));
				System.err.println(this.results.get(this.results.size() - 1));
			}
		}
	}

	private static String run(Path javaHome, String name, Path directory, List<String> jvmOptions) throws IOException {
		Variant variant = Variant.of(name);
		List<String> command = ServerProcess.java(javaHome, variant.classPath(BootServer.TOMCAT_WITH_ACTUATOR.jars()));
		command.addAll(1, jvmOptions);
		command.addAll(List.of(StartUp.class.getName(), "start", "--server.address=127.0.0.1", "--server.port=0",
				"--management.endpoints.web.exposure.include=*", "--spring.main.banner-mode=off",
				"--logging.level.root=warn"));
		command.addAll(ServerProcess.bundle(directory));
		command.addAll(variant.properties());
		Process process = new ProcessBuilder(command).redirectError(directory.resolve("errors").toFile()).start();
		try (BufferedReader output = process.inputReader(StandardCharsets.US_ASCII)) {
			return output.lines()
				.filter((line) -> line.matches("\\d+\t\\d+"))
				.collect(Collectors.collectingAndThen(Collectors.toList(), (lines) -> lines.get(0)));
		}
		catch (IndexOutOfBoundsException ex) {
			throw new IOException("No start of " + name + ": " + Files.readString(directory.resolve("errors")), ex);
		}
	}

}
