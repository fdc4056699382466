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

package dev.uncontended.tls.boringssl;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import dev.uncontended.tls.CommandLine;
import io.netty.util.internal.PlatformDependent;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies with a C program, instead of a JVM, that musl's loader accepts the native
 * library.
 */
@Tag("integration")
@EnabledIf("isCompilerInstalled")
class MuslTests {

	private static final String PROGRAM = """
			#include <dlfcn.h>
			#include <stdio.h>
			int main(int count, char **arguments) {
				void *library = dlopen(arguments[1], RTLD_NOW);
				void *entry = library ? dlsym(library, "JNI_OnLoad_netty_tcnative") : 0;
				puts(entry ? "loaded" : dlerror());
				return 0;
			}
			""";

	@TempDir
	private Path folder;

	static boolean isCompilerInstalled() {
		return CommandLine.isInstalled("musl-gcc");
	}

	@Test
	void nativeLibraryLoads() throws Exception {
		Path library = this.folder.resolve("library.so");
		String name = "libnetty_tcnative_linux_" + PlatformDependent.normalizedArch() + ".so";
		try (InputStream resource = getClass().getResourceAsStream("/META-INF/native/" + name)) {
			Files.copy(resource, library);
		}
		assertThat(load(library)).isEqualTo("loaded\n");
	}

	/*
	 * Proves that the program detects a library that does not load.
	 */
	@Test
	void otherFileDoesNotLoad() throws Exception {
		Path file = Files.writeString(this.folder.resolve("library.so"), PROGRAM);
		assertThat(load(file)).isNotEqualTo("loaded\n").contains("library.so");
	}

	private String load(Path library) throws Exception {
		Path source = Files.writeString(this.folder.resolve("load.c"), PROGRAM);
		Path program = this.folder.resolve("load");
		assertThat(CommandLine.run("", List.of("musl-gcc", "-o", program.toString(), source.toString()))).isEmpty();
		return CommandLine.run("", List.of(program.toString(), library.toString()));
	}

}
