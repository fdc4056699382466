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

package dev.uncontended;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a main class in a separate JVM.
 */
public final class ChildJvm {

	private ChildJvm() {
	}

	/**
	 * Starts a main class with the class path of this JVM, and returns immediately.
	 * @param main the main class
	 * @param arguments its arguments
	 * @return the process
	 */
	public static Process start(Class<?> main, String... arguments) throws IOException {
		return start(List.of(), "", (entry) -> true, main, arguments);
	}

	/**
	 * Runs a main class with the class path of this JVM. Fails if the exit value is not
	 * zero.
	 * @param main the main class
	 * @param arguments its arguments
	 * @return its output
	 */
	public static String run(Class<?> main, String... arguments) throws IOException, InterruptedException {
		return run((entry) -> true, main, arguments);
	}

	/**
	 * Runs a main class with a part of the class path. Fails if the exit value is not
	 * zero.
	 * @param entries selects by file name the jars and directories to keep
	 * @param main the main class
	 * @param arguments its arguments
	 * @return its output
	 */
	public static String run(Predicate<String> entries, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		return run(List.of(), entries, main, arguments);
	}

	/**
	 * Runs a main class with the class path of this JVM after a directory of classes.
	 * Fails if the exit value is not zero.
	 * @param options options of the JVM
	 * @param classes the directory
	 * @param main the main class
	 * @param arguments its arguments
	 * @return its output
	 */
	public static String run(List<String> options, String classes, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		return run(options, classes + File.pathSeparator, (entry) -> true, main, arguments);
	}

	/**
	 * Runs a main class with a part of the class path. Fails if the exit value is not
	 * zero.
	 * @param options options of the JVM
	 * @param entries selects by file name the jars and directories to keep
	 * @param main the main class
	 * @param arguments its arguments
	 * @return its output
	 */
	public static String run(List<String> options, Predicate<String> entries, Class<?> main, String... arguments)
			throws IOException, InterruptedException {
		return run(options, "", entries, main, arguments);
	}

	private static String run(List<String> options, String first, Predicate<String> entries, Class<?> main,
			String... arguments) throws IOException, InterruptedException {
		Process process = start(options, first, entries, main, arguments);
		try {
			String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
			assertThat(process.waitFor()).as(output).isZero();
			return output;
		}
		finally {
			process.destroyForcibly();
		}
	}

	private static Process start(List<String> options, String first, Predicate<String> entries, Class<?> main,
			String... arguments) throws IOException {
		List<String> command = new ArrayList<>();
		command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
		// C1 only, because most of these JVMs are short-lived.
		command.add("-XX:TieredStopAtLevel=1");
		command.addAll(options);
		command.add("-cp");
		command.add(first + Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> entries.test(Path.of(entry).getFileName().toString()))
			.collect(Collectors.joining(File.pathSeparator)));
		command.add(main.getName());
		command.addAll(List.of(arguments));
		return new ProcessBuilder(command).redirectErrorStream(true).start();
	}

}
