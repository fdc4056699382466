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

package dev.uncontended.tls;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A program that tests run, such as {@code openssl}.
 */
public final class CommandLine {

	private CommandLine() {
	}

	/**
	 * Returns whether the program is installed.
	 */
	public static boolean isInstalled(String program) {
		return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
			.anyMatch((directory) -> Files.isExecutable(Path.of(directory, program)));
	}

	/**
	 * Runs the program to its end and returns its output.
	 */
	public static String run(String input, List<String> command) throws Exception {
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		try {
			try (OutputStream out = process.getOutputStream()) {
				out.write(input.getBytes(StandardCharsets.US_ASCII));
			}
			catch (IOException ex) {
				// The program did not read all of its input.
			}
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
			assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
			return output;
		}
		finally {
			process.destroyForcibly();
		}
	}

	/**
	 * Connects with {@code openssl s_client}, optionally makes a request, and returns its
	 * output.
	 */
	public static String openSslClient(int port, String input, String... options) throws Exception {
		List<String> command = new ArrayList<>(
				List.of("openssl", "s_client", "-noservername", "-connect", "localhost:" + port));
		command.addAll(Arrays.asList(options));
		return run(input, command);
	}

}
