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

package dev.uncontended.random;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.UUID;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the provider under {@code UUID.randomUUID()}, each in a JVM of its own,
 * because {@code UUID} takes its generator once.
 */
class DropInTests {

	@Test
	void isEffectiveWhenInstalledBeforeTheFirstUuid() throws Exception {
		assertThat(run(InTime.class)).isEqualTo("false true true false");
	}

	@Test
	void isNotEffectiveWhenInstalledAfterTheFirstUuid() throws Exception {
		assertThat(run(TooLate.class)).isEqualTo("false true false");
	}

	@Test
	void askingWithoutTheProviderLeavesUuidAlone() throws Exception {
		assertThat(run(AskedFirst.class)).isEqualTo("false true");
	}

	private static String run(Class<?> main) throws IOException, InterruptedException {
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				System.getProperty("java.class.path"), main.getName())
			.redirectErrorStream(true)
			.start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
		assertThat(process.waitFor()).as(output).isZero();
		return output.strip();
	}

	static final class InTime {

		private InTime() {
		}

		public static void main(String[] args) {
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			long drawsBefore = StripedCtrDrbgSpi.pool().stats().draws();
			UUID.randomUUID();
			boolean drawn = StripedCtrDrbgSpi.pool().stats().draws() == drawsBefore + 1;
			boolean effective = UncontendedProvider.isEffective();
			UncontendedProvider.uninstall();
			UUID.randomUUID();
			System.out.println(before + " " + drawn + " " + effective + " " + UncontendedProvider.isEffective());
		}

	}

	static final class TooLate {

		private TooLate() {
		}

		public static void main(String[] args) {
			UUID.randomUUID();
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			new SecureRandom().nextBytes(new byte[16]);
			System.out
				.println(before + " " + UncontendedProvider.isInstalled() + " " + UncontendedProvider.isEffective());
		}

	}

	static final class AskedFirst {

		private AskedFirst() {
		}

		public static void main(String[] args) {
			boolean before = UncontendedProvider.isEffective();
			UncontendedProvider.install();
			System.out.println(before + " " + UncontendedProvider.isEffective());
		}

	}

}
