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

package dev.uncontended.random.internal;

import java.security.Provider;
import java.security.SecureRandomSpi;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import dev.uncontended.random.UnavailableAlgorithmException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link RandomAlgorithm}.
 */
class RandomAlgorithmTests {

	@Test
	void findsCtrDrbgWithoutInstalledProvider() {
		RandomAlgorithm algorithm = RandomAlgorithm.of("ctr_drbg", null);
		assertThat(algorithm.name()).isEqualTo("CTR_DRBG");
		assertThat(algorithm.provider()).isEqualTo("Uncontended");
		assertThat(Security.getProvider("Uncontended")).isNull();
	}

	@Test
	void returnsProviderOfAlgorithm() {
		assertThat(RandomAlgorithm.of("DRBG", null).provider()).isEqualTo("SUN");
		assertThat(RandomAlgorithm.of("DRBG", "SUN").provider()).isEqualTo("SUN");
	}

	@Test
	void unavailableAlgorithmIsReportedWithAvailableOnes() {
		assertThatExceptionOfType(UnavailableAlgorithmException.class)
			.isThrownBy(() -> RandomAlgorithm.of("CTR_DRBG", "SUN"))
			.withMessageStartingWith("The SecureRandom algorithm 'CTR_DRBG' of the provider 'SUN' is not available: "
					+ "this JVM does not offer it. Available algorithms: [CTR_DRBG of Uncontended, ")
			.withMessageContaining("DRBG of SUN")
			.withMessageContaining("SHA1PRNG of SUN");
	}

	@Test
	void messageCreatesNoGenerator() {
		Security.addProvider(new BrokenProvider(new IllegalStateException("created")));
		try {
			assertThatExceptionOfType(UnavailableAlgorithmException.class)
				.isThrownBy(() -> RandomAlgorithm.of("Fortuna", null))
				.withMessageContaining("Broken of BrokenProvider");
			assertThat(BrokenProvider.created).isFalse();
		}
		finally {
			Security.removeProvider("BrokenProvider");
		}
	}

	@Test
	void messageIsComposedOnce() {
		UnavailableAlgorithmException ex = new UnavailableAlgorithmException("Fortuna", null, "reason", null);
		Security.addProvider(new BrokenProvider(new IllegalStateException("created")));
		try {
			assertThat(ex).hasMessageNotContaining("BrokenProvider");
		}
		finally {
			Security.removeProvider("BrokenProvider");
		}
	}

	@Test
	void messageOmitsProviderIfNoneWasRequested() {
		assertThatExceptionOfType(UnavailableAlgorithmException.class)
			.isThrownBy(() -> RandomAlgorithm.of("Fortuna", null))
			.withMessageStartingWith(
					"The SecureRandom algorithm 'Fortuna' is not available: this JVM does not offer it.");
	}

	@ParameterizedTest
	@MethodSource("failures")
	void rejectsAlgorithmThatDoesNotWork(Throwable failure) {
		Security.addProvider(new BrokenProvider(failure));
		try {
			assertThatExceptionOfType(UnavailableAlgorithmException.class)
				.isThrownBy(() -> RandomAlgorithm.of("Broken", null))
				.withMessageContaining("does not work in this JVM: refused by policy")
				.withMessageContaining("CTR_DRBG")
				.withCause(failure);
		}
		finally {
			Security.removeProvider("BrokenProvider");
		}
	}

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("refused by policy"), new UnsatisfiedLinkError("refused by policy"),
				new AssertionError("refused by policy"));
	}

	private static final class BrokenProvider extends Provider {

		private static final long serialVersionUID = 1L;

		private static boolean created;

		BrokenProvider(Throwable failure) {
			super("BrokenProvider", "1", "");
			created = false;
			putService(
					new Service(this, "SecureRandom", "Broken", SecureRandomSpi.class.getName(), List.of(), Map.of()) {
						@Override
						public Object newInstance(Object parameters) {
							created = true;
							ReflectionUtils.rethrowRuntimeException(failure);
							return failure;
						}
					});
		}

	}

}
