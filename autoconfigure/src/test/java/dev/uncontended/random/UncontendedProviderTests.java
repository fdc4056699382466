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

import java.io.ByteArrayOutputStream;
import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.security.DrbgParameters;
import java.security.DrbgParameters.Capability;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link UncontendedProvider}. Whether {@code UUID.randomUUID()} runs on it
 * depends on what the JVM did before, so that has a JVM of its own in
 * {@link UncontendedProviderInstallTests}.
 */
class UncontendedProviderTests {

	private final Provider provider = new UncontendedProvider();

	@AfterEach
	void uninstall() {
		while (Security.getProvider("Uncontended") != null) {
			UncontendedProvider.uninstall();
		}
	}

	@Test
	void isFirstWhenInstalled() {
		UncontendedProvider.install();
		UncontendedProvider.install();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
		assertThat(Security.getProviders()[0].getName()).isEqualTo("Uncontended");
		assertThat(Security.getProviders()).filteredOn((provider) -> provider.getName().equals("Uncontended"))
			.hasSize(1);
		assertThat(new SecureRandom().getAlgorithm()).isEqualTo("StripedCTR_DRBG");
	}

	@Test
	void movesToTheFrontWhenInstalledBehind() {
		Security.addProvider(this.provider);
		assertThat(UncontendedProvider.isInstalled()).isFalse();
		UncontendedProvider.install();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
	}

	@Test
	void isGoneWhenUninstalledAsOftenAsInstalled() {
		UncontendedProvider.install();
		UncontendedProvider.install();
		UncontendedProvider.uninstall();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
		UncontendedProvider.uninstall();
		assertThat(UncontendedProvider.isInstalled()).isFalse();
		UncontendedProvider.uninstall();
		UncontendedProvider.install();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
	}

	@Test
	void goesOnWithTheGeneratorOfTheJdkWhenUninstalled() {
		UncontendedProvider.install();
		SecureRandom kept = new SecureRandom();
		kept.nextLong();
		UncontendedProvider.uninstall();
		assertThat(new SecureRandom().getProvider().getName()).isNotEqualTo("Uncontended");
		long draws = UncontendedProvider.stats().draws();
		assertThat(kept.nextLong()).isNotEqualTo(kept.nextLong());
		assertThat(UncontendedProvider.stats().draws()).isEqualTo(draws);
		UncontendedProvider.install();
		assertThat(kept.nextLong()).isNotEqualTo(kept.nextLong());
		assertThat(UncontendedProvider.stats().draws()).isEqualTo(draws + 4);
	}

	@Test
	void stripedIsThreadSafeWithoutALock() throws Exception {
		assertThat(this.provider.getService("SecureRandom", "StripedCTR_DRBG").getAttribute("ThreadSafe"))
			.isEqualTo("true");
		assertThat(this.provider.getService("SecureRandom", "CTR_DRBG").getAttribute("ThreadSafe")).isNull();
		SecureRandom random = SecureRandom.getInstance("StripedCTR_DRBG", this.provider);
		CountDownLatch done = new CountDownLatch(1);
		Thread other = new Thread(() -> {
			random.nextBytes(new byte[16]);
			done.countDown();
		});
		synchronized (random) {
			other.start();
			done.await();
		}
		assertThat(done.getCount()).isZero();
	}

	@Test
	void anAliasIsNotOffered() {
		assertThat(this.provider.getServices()).extracting(Provider.Service::getAlgorithm)
			.containsExactlyInAnyOrder("StripedCTR_DRBG", "CTR_DRBG");
	}

	@ParameterizedTest
	@ValueSource(strings = { "CTR_DRBG", "StripedCTR_DRBG" })
	void fillsRequestsOfAnySize(String algorithm) throws Exception {
		SecureRandom random = SecureRandom.getInstance(algorithm, this.provider);
		for (int length : new int[] { 0, 1, 15, 16, 17, 8191, 8192, 8193, 65_536, 65_537, 200_001 }) {
			byte[] bytes = new byte[length];
			random.nextBytes(bytes);
			assertThat(longestRunOfZeros(bytes)).isLessThan(8);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "CTR_DRBG", "StripedCTR_DRBG" })
	void aSeedAddsAndNeverReplaces(String algorithm) throws Exception {
		Set<Long> drawn = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			SecureRandom random = SecureRandom.getInstance(algorithm, this.provider);
			random.setSeed(42);
			random.setSeed(new byte[1000]);
			drawn.add(random.nextLong());
		}
		assertThat(drawn).hasSize(10);
	}

	@ParameterizedTest
	@ValueSource(strings = { "CTR_DRBG", "StripedCTR_DRBG" })
	void generatesSeeds(String algorithm) throws Exception {
		assertThat(SecureRandom.getInstance(algorithm, this.provider).generateSeed(100)).hasSize(100);
	}

	@Test
	void tellsTheParametersInEffect() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG",
				DrbgParameters.instantiation(112, Capability.RESEED_ONLY, new byte[] { 1, 2 }), this.provider);
		DrbgParameters.Instantiation parameters = (DrbgParameters.Instantiation) random.getParameters();
		assertThat(parameters.getStrength()).isEqualTo(256);
		assertThat(parameters.getCapability()).isEqualTo(Capability.RESEED_ONLY);
		assertThat(parameters.getPersonalizationString()).containsExactly(1, 2);
	}

	@Test
	void promisesNoPredictionResistanceThatWasNotAskedFor() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
		assertThat(random.getParameters()).hasToString("256,reseed_only,null");
	}

	@Test
	void takesAdditionalInputAndPredictionResistance() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG",
				DrbgParameters.instantiation(256, Capability.PR_AND_RESEED, null), this.provider);
		byte[] bytes = new byte[100_000];
		random.nextBytes(bytes, DrbgParameters.nextBytes(256, true, new byte[48]));
		assertThat(longestRunOfZeros(bytes)).isLessThan(8);
		random.nextBytes(bytes, DrbgParameters.nextBytes(-1, false, new byte[3]));
		random.reseed();
		random.reseed(DrbgParameters.reseed(true, new byte[48]));
	}

	@Test
	void refusesParametersItCannotHonour() throws Exception {
		assertThatExceptionOfType(NoSuchAlgorithmException.class).isThrownBy(() -> SecureRandom.getInstance("CTR_DRBG",
				DrbgParameters.instantiation(257, Capability.NONE, null), this.provider));
		assertThatExceptionOfType(NoSuchAlgorithmException.class).isThrownBy(() -> SecureRandom.getInstance("CTR_DRBG",
				DrbgParameters.instantiation(256, Capability.NONE, new byte[49]), this.provider));
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG",
				DrbgParameters.instantiation(256, Capability.NONE, null), this.provider);
		assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(random::reseed);
		assertThatIllegalArgumentException()
			.isThrownBy(() -> random.nextBytes(new byte[1], DrbgParameters.nextBytes(256, true, null)));
		assertThatIllegalArgumentException()
			.isThrownBy(() -> random.nextBytes(new byte[1], DrbgParameters.nextBytes(-1, false, new byte[49])));
	}

	@Test
	void neverSerializesItsState() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
		random.nextInt();
		assertThatExceptionOfType(NotSerializableException.class)
			.isThrownBy(() -> new ObjectOutputStream(new ByteArrayOutputStream()).writeObject(random));
	}

	@Test
	void leavesOtherGeneratorsAndKeysAlone() throws Exception {
		UncontendedProvider.install();
		assertThat(SecureRandom.getInstance("SHA1PRNG").getProvider().getName()).isEqualTo("SUN");
		assertThat(SecureRandom.getInstanceStrong().nextInt()).isNotNull();
		KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
		keys.initialize(2048);
		assertThat(keys.generateKeyPair().getPrivate()).isNotNull();
	}

	@Test
	void aDrawByAnotherThreadIsNoObservation() throws Exception {
		SecureRandom random = SecureRandom.getInstance("StripedCTR_DRBG", this.provider);
		assertThat(StripedCtrDrbgSpi.observes(() -> {
			Thread other = new Thread(() -> random.nextBytes(new byte[16]));
			other.start();
			join(other);
		})).isFalse();
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static int longestRunOfZeros(byte[] bytes) {
		int longest = 0;
		int run = 0;
		for (byte one : bytes) {
			run = (one == 0) ? run + 1 : 0;
			longest = Math.max(longest, run);
		}
		return longest;
	}

}
