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

package dev.uncontended.uuid;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Compiles the Kotlin example in {@code docs/uuid.md}. The profile {@code ci} copies the
 * compiler.
 */
@EnabledIf("isCompilerAvailable")
@Tag("integration")
@Tag("product")
class KotlinExampleTests {

	private static final Path COMPILER = Path.of("target", "kotlin");

	private static final Pattern EXAMPLE = Pattern.compile("```kotlin\\n(.*?)```", Pattern.DOTALL);

	@TempDir
	Path directory;

	static boolean isCompilerAvailable() {
		return Files.isDirectory(COMPILER);
	}

	@Test
	void exampleCompilesWithoutWarnings() throws Exception {
		assertThat(compile(example())).isEmpty();
		assertThat(this.directory.resolve("OrderController.class")).exists();
	}

	@Test
	void generatedIdIsNeverNull() throws Exception {
		assertThat(compile(example().replace("ids.timeOrderedUuid()", "ids.timeOrderedUuid() ?: UUID(0, 0)")))
			.containsIgnoringCase("elvis operator");
	}

	private static String example() throws IOException {
		List<String> examples = EXAMPLE.matcher(Files.readString(Path.of("..", "docs", "uuid.md")))
			.results()
			.map((MatchResult match) -> match.group(1))
			.toList();
		assertThat(examples).hasSize(1);
		return examples.get(0);
	}

	/** Returns the messages of the compiler. */
	private String compile(String source) throws IOException, InterruptedException {
		Path file = Files.writeString(this.directory.resolve("Example.kt"), source);
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", COMPILER + "/*"));
		if (Runtime.version().feature() >= 24) {
			command.addAll(1, List.of("--enable-native-access=ALL-UNNAMED", "--sun-misc-unsafe-memory-access=allow"));
		}
		command.addAll(List.of("org.jetbrains.kotlin.cli.jvm.K2JVMCompiler", "-Werror", "-no-stdlib", "-no-reflect",
				"-classpath", System.getProperty("java.class.path") + File.pathSeparator + standardLibrary(), "-d",
				this.directory.toString(), file.toString()));
		Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
		String messages = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(messages).isEqualTo(messages.isEmpty() ? 0 : 1);
		return messages;
	}

	private static Path standardLibrary() throws IOException {
		try (var jars = Files.newDirectoryStream(COMPILER, "kotlin-stdlib-*.jar")) {
			return jars.iterator().next();
		}
	}

}
