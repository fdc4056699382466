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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link BoringSslAvailability} with systems and libraries that are not
 * available. Available ones are tested in separate JVMs.
 */
class BoringSslAvailabilityTests {

	@TempDir
	private Path root;

	@ParameterizedTest
	@ValueSource(strings = { "x86_64", "aarch64" })
	void reportsVersionThatCrashesOnMusl(String architecture) throws Exception {
		create("lib/ld-musl-" + architecture + ".so.1");
		assertThatExceptionOfType(BoringSslUnavailableException.class)
			.isThrownBy(() -> BoringSslAvailability.requireGlibcOrMusl(this.root, "2.0.81.Final"))
			.withMessageContaining("netty-tcnative 2.0.81.Final crashes on systems that use musl")
			.satisfies((exception) -> assertThat(exception.getAction()).contains("2.0.84.Final or later",
					"an image with glibc", "engine 'jdk'"));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "2.0.82.Final", "2.0.100.Final" })
	void acceptsVersionThatLoadsOnMusl(@Nullable String version) throws Exception {
		create("lib/ld-musl-x86_64.so.1");
		assertThatNoException().isThrownBy(() -> BoringSslAvailability.requireGlibcOrMusl(this.root, version));
	}

	@Test
	void acceptsMuslNextToGlibc() throws Exception {
		create("lib/ld-musl-x86_64.so.1");
		create("lib64/ld-linux-x86-64.so.2");
		assertThatNoException().isThrownBy(() -> BoringSslAvailability.requireGlibcOrMusl(this.root, "2.0.81.Final"));
	}

	@ParameterizedTest
	@NullSource
	@ValueSource(strings = { "OpenSSL 3.5.1 1 Jul 2025", "LibreSSL 3.9.2" })
	void reportsOtherLibrary(@Nullable String version) {
		assertThatExceptionOfType(BoringSslUnavailableException.class)
			.isThrownBy(() -> BoringSslAvailability.requireBoringSsl(version))
			.withMessageContaining("'" + version + "' instead of BoringSSL")
			.satisfies((exception) -> assertThat(exception.getAction()).contains("Remove other variants",
					"netty-tcnative-boringssl-static"));
	}

	@Test
	void acceptsBoringSsl() {
		assertThatNoException().isThrownBy(() -> BoringSslAvailability.requireBoringSsl("BoringSSL"));
	}

	private void create(String file) throws IOException {
		Path path = this.root.resolve(file);
		Files.createDirectories(path.getParent());
		Files.createFile(path);
	}

}
