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

package dev.uncontended.random.prng;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.FaultyProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link OperatingSystemSeedSource}.
 */
class OperatingSystemSeedSourceTests {

	@Test
	void readsAnotherSeedEachTime() {
		byte[] seed = OperatingSystemSeedSource.INSTANCE.generate(48);
		assertThat(seed).hasSize(48).isNotEqualTo(OperatingSystemSeedSource.INSTANCE.generate(48));
	}

	@Test
	void readsGeneratorOfJdkWithoutDevice(@TempDir Path directory) {
		SeedSource source = new OperatingSystemSeedSource(directory.resolve("urandom").toString(), '/');
		byte[] seed = source.generate(48);
		assertThat(seed).hasSize(48).isNotEqualTo(new byte[48]).isNotEqualTo(source.generate(48));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 15, 16, 100 })
	void seedMayHaveAnyLength(int length) {
		assertThat(OperatingSystemSeedSource.INSTANCE.generate(length)).hasSize(length);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 47 })
	void rejectsShortSeed(int length, @TempDir Path directory) throws IOException {
		SeedSource source = source(directory, new byte[length]);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> source.generate(48))
			.withMessageContaining("the entropy source returned " + length + " bytes instead of ");
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> new CtrDrbg(source));
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 48 })
	void rejectsRepeatedSeed(int length, @TempDir Path directory) throws IOException {
		byte[] bytes = new byte[64];
		new SecureRandom().nextBytes(bytes);
		SeedSource source = source(directory, bytes);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> source.generate(length))
			.withMessageContaining("the entropy source is stuck");
	}

	private static SeedSource source(Path directory, byte[] device) throws IOException {
		return new OperatingSystemSeedSource(Files.write(directory.resolve("device"), device).toString(), '/');
	}

	@Test
	void rejectsSourceThatRepeatsItselfLater(@TempDir Path directory) throws IOException {
		byte[] bytes = new byte[64];
		new SecureRandom().nextBytes(bytes);
		Path device = Files.write(directory.resolve("device"), bytes);
		SeedSource source = new OperatingSystemSeedSource(device.toString(), '/');
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> source.generate(48));
		bytes[0]++;
		Files.write(device, bytes);
		assertThat(source.generate(48)).hasSize(48);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> source.generate(48))
			.withMessageContaining("the entropy source is stuck");
	}

	@Test
	void doesNotReadFileWithoutDevices(@TempDir Path directory) throws IOException {
		Path file = Files.write(directory.resolve("device"), new byte[48]);
		SeedSource source = new OperatingSystemSeedSource(file.toString(), '\\');
		assertThat(source.generate(48)).hasSize(48).isNotEqualTo(source.generate(48));
	}

	@Test
	@EnabledOnOs(OS.WINDOWS)
	void doesNotReadFileOfCurrentDrive() throws IOException {
		Path folder = Files.createDirectories(Path.of("/dev"));
		Path file = Files.write(folder.resolve("urandom"), new byte[48]);
		try {
			assertThat(OperatingSystemSeedSource.INSTANCE.generate(48)).isNotEqualTo(new byte[48]);
		}
		finally {
			Files.delete(file);
		}
	}

	/**
	 * A JVM without the JDK's generators. The drop-in reads seeds from this class.
	 */
	@Test
	void readsSeedOfOtherProviderButNotOfDropIn(@TempDir Path directory) {
		Provider jdk = Security.getProvider("SUN");
		int position = List.of(Security.getProviders()).indexOf(jdk) + 1;
		Provider other = new FaultyProvider();
		Security.removeProvider(jdk.getName());
		try {
			Security.insertProviderAt(new UncontendedProvider(), 1);
			Security.addProvider(other);
			assertThat(new OperatingSystemSeedSource(directory.resolve("urandom").toString(), '/').generate(48))
				.hasSize(48)
				.containsOnly(2);
		}
		finally {
			Security.removeProvider(other.getName());
			Security.removeProvider(UncontendedProvider.NAME);
			Security.insertProviderAt(jdk, position);
		}
	}

}
