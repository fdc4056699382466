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

package dev.uncontended.sample;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the sample application after ahead-of-time processing, as by the
 * {@code process-aot} goal of Boot's Maven plugin.
 */
@Tag("integration")
@Tag("product")
class AheadOfTimeTests {

	private static final Pattern HTTP_PORT = Pattern.compile("started on ports .*?(\\d+) \\(http\\)");

	/** Without the developer tools, which built applications do not contain. */
	private static final String CLASS_PATH = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
		.filter((entry) -> !entry.contains("spring-boot-devtools"))
		.collect(Collectors.joining(File.pathSeparator));

	@Test
	void startsFromGeneratedCode(@TempDir Path directory) throws Exception {
		Path sources = directory.resolve("sources");
		Path resources = directory.resolve("resources");
		Path classes = directory.resolve("classes");
		Process processing = java(CLASS_PATH, SpringApplicationAotProcessor.class.getName(),
				SampleApplication.class.getName(), sources.toString(), resources.toString(), classes.toString(),
				"dev.uncontended", "uncontended-sample-app");
		String output = String.join("\n", processing.inputReader().lines().toList());
		assertThat(processing.waitFor()).as(output).isZero();
		compile(sources, classes);
		Process application = java(
				String.join(File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH),
				"-Dspring.aot.enabled=true", SampleApplication.class.getName(), "--server.port=0",
				"--sample.https-port=0");
		try {
			List<String> log = readUntilStarted(application.inputReader());
			assertThat(log).anyMatch((line) -> line.contains("Starting AOT-processed SampleApplication"));
			assertThat(get(httpPort(log), "/uuids")).matches("\\[\"[0-9a-f-]{14}4[0-9a-f-]{21}\"]");
			assertThat(get(httpPort(log), "/actuator/uuid")).contains("\"algorithm\":\"CTR_DRBG\"", "\"random\":1");
			assertThat(get(httpPort(log), "/actuator/sslsessions")).contains("\"maximumSize\":200000");
		}
		finally {
			application.destroy();
			application.waitFor();
		}
	}

	private static Process java(String classPath, String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		command.addAll(List.of("-cp", classPath));
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

	private static void compile(Path sources, Path classes) throws IOException {
		List<String> arguments = new ArrayList<>(List.of("-d", classes.toString(), "-cp",
				classes + File.pathSeparator + CLASS_PATH, "-proc:none", "-nowarn"));
		try (Stream<Path> files = Files.walk(sources)) {
			files.map(Path::toString).filter((file) -> file.endsWith(".java")).forEach(arguments::add);
		}
		assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments.toArray(String[]::new)))
			.isZero();
	}

	private static List<String> readUntilStarted(BufferedReader output) throws IOException {
		List<String> log = new ArrayList<>();
		do {
			String line = output.readLine();
			assertThat(line).as(() -> String.join("\n", log)).isNotNull();
			log.add(line);
		}
		while (!log.get(log.size() - 1).contains("Started SampleApplication"));
		return log;
	}

	private static int httpPort(List<String> log) {
		Matcher matcher = HTTP_PORT.matcher(String.join("\n", log));
		assertThat(matcher.find()).isTrue();
		return Integer.parseInt(matcher.group(1));
	}

	private static String get(int port, String path) throws IOException, InterruptedException {
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
		return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
	}

}
