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

package dev.uncontended.aot;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

import dev.uncontended.ChildJvm;
import dev.uncontended.integration.TimeOrderedUuid;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.SpringApplicationAotProcessor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TimeOrderedUuid @TimeOrderedUuid} with a Spring Data repository that
 * is processed ahead of time.
 */
@Tag("integration")
@Tag("product")
class AheadOfTimeRepositoryTests {

	@Test
	void processedApplicationDrawsIdsFromBean(@TempDir Path directory) throws Exception {
		Path sources = directory.resolve("sources");
		Path classes = Files.createDirectories(directory.resolve("classes"));
		ChildJvm.run(SpringApplicationAotProcessor.class, RepositoryApplication.class.getName(), sources.toString(),
				directory.resolve("resources").toString(), classes.toString(), "test", "test");
		compile(sources, classes);
		String output = ChildJvm.run(List.of("-Dspring.aot.enabled=true", "-Dspring.main.banner-mode=off"),
				classes.toString(), RepositoryApplication.class);
		assertThat(output).contains("Starting AOT-processed").contains("version 7, drawn from the bean: 1");
	}

	private static void compile(Path sources, Path classes) throws Exception {
		try (Stream<Path> files = Files.walk(sources)) {
			String[] arguments = Stream
				.concat(Stream.of("-proc:none", "-nowarn", "-parameters", "-d", classes.toString(), "-cp",
						System.getProperty("java.class.path") + File.pathSeparator + classes),
						files.filter((file) -> file.toString().endsWith(".java")).map(Path::toString))
				.toArray(String[]::new);
			assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, arguments)).isZero();
		}
	}

}
