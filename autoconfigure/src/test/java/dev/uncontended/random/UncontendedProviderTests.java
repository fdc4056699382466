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

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.security.DrbgParameters;
import java.security.DrbgParameters.Capability;
import java.security.KeyPairGenerator;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;

import dev.uncontended.random.internal.DropIn;
import dev.uncontended.random.prng.StrangeAesProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link UncontendedProvider}. {@link UncontendedProviderInstallTests} test
 * {@code UUID.randomUUID()} in separate JVMs.
 */
class UncontendedProviderTests {

	private final Provider provider = new UncontendedProvider();

	@AfterEach
	void uninstall() {
		for (int i = 0; i < 3; i++) {
			UncontendedProvider.uninstall();
		}
		Security.removeProvider("Uncontended");
	}

	@Test
	void installedProviderIsFirst() {
		UncontendedProvider.install();
		UncontendedProvider.install();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
		assertThat(Security.getProviders()[0].getName()).isEqualTo("Uncontended");
		assertThat(Security.getProviders()).filteredOn((provider) -> provider.getName().equals("Uncontended"))
			.hasSize(1);
		assertThat(new SecureRandom().getAlgorithm()).isEqualTo("CTR_DRBG");
	}

	@Test
	void installCreatesCiphersWithoutLockOfSecurity() {
		StrangeAesProvider aes = new StrangeAesProvider();
		Security.insertProviderAt(aes, 1);
		try {
			UncontendedProvider.install(2, 64, Duration.ofHours(1));
			UncontendedProvider.install(4, 64, Duration.ofHours(1));
			new SecureRandom().nextLong();
			assertThat(UncontendedProvider.stats().refills()).isOne();
			assertThat(aes.isUsedUnderLock()).isFalse();
		}
		finally {
			Security.removeProvider(aes.getName());
		}
	}

	@Test
	void installMovesProviderToFront() {
		Security.addProvider(this.provider);
		assertThat(UncontendedProvider.isInstalled()).isFalse();
		UncontendedProvider.install();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
	}

	@Test
	void lastUninstallRemovesProvider() {
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
	void lastUninstallRemovesProviderOfUser() {
		Security.addProvider(this.provider);
		UncontendedProvider.install();
		assertThat(Security.getProviders()[0]).isSameAs(this.provider);
		UncontendedProvider.uninstall();
		assertThat(Security.getProvider("Uncontended")).isNull();
	}

	@Test
	void installationOutlivesEarlierOneWhoseProviderWasRemoved() {
		UncontendedProvider.install();
		Security.removeProvider("Uncontended");
		UncontendedProvider.install();
		UncontendedProvider.uninstall();
		assertThat(UncontendedProvider.isInstalled()).isTrue();
	}

	@Test
	void settingsOfInstallationApplyToPool() {
		UncontendedProvider.install(5, 4096, Duration.ofMinutes(10));
		SecureRandom random = new SecureRandom();
		random.nextLong();
		assertThat(UncontendedProvider.stats().stripes()).hasSize(8);
		assertThat(UncontendedProvider.stats().bufferSize()).isEqualTo(4096);
		UncontendedProvider.install();
		assertThat(UncontendedProvider.stats().stripes()).hasSize(8);
		UncontendedProvider.install(2, 64, Duration.ZERO);
		assertThat(random.nextLong()).isNotEqualTo(random.nextLong());
		assertThat(UncontendedProvider.stats().stripes()).hasSize(2);
		assertThat(UncontendedProvider.stats().draws()).isEqualTo(4);
	}

	@Test
	void invalidSettingsChangeNothing() {
		UncontendedProvider.install(4, 64, Duration.ZERO);
		assertThatIllegalArgumentException().isThrownBy(() -> UncontendedProvider.install(0, 64, Duration.ZERO))
			.withMessageStartingWith("stripes must be");
		assertThat(UncontendedProvider.stats().stripes()).hasSize(4);
		UncontendedProvider.uninstall();
		assertThat(UncontendedProvider.isInstalled()).isFalse();
	}

	@Test
	void uninstalledProviderDelegatesToJdk() {
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

	/**
	 * A seed that is added to an unused SHA1PRNG replaces its own.
	 */
	@Test
	void seedDoesNotReplaceSeedOfSuccessor() throws Exception {
		UncontendedProvider.install();
		SecureRandom kept = new SecureRandom();
		DropIn.INSTANCE.stop(SecureRandom.getInstance("SHA1PRNG"));
		kept.setSeed(42);
		SecureRandom predictable = SecureRandom.getInstance("SHA1PRNG");
		predictable.setSeed(42);
		assertThat(kept.nextLong()).isNotEqualTo(predictable.nextLong());
	}

	@Test
	@Timeout(60)
	void isThreadSafeWithoutLock() throws Exception {
		assertThat(this.provider.getService("SecureRandom", "CTR_DRBG").getAttribute("ThreadSafe")).isEqualTo("true");
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
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
	void fillsRequestsOfAnySize() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
		for (int length : new int[] { 0, 1, 15, 16, 17, 8191, 8192, 8193, 65_536, 65_537, 200_001 }) {
			byte[] bytes = new byte[length];
			random.nextBytes(bytes);
			assertThat(longestRunOfZeros(bytes)).isLessThan(8);
		}
	}

	@Test
	void seedIsAddedToState() throws Exception {
		Set<Long> drawn = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
			random.setSeed(42);
			random.setSeed(new byte[1000]);
			drawn.add(random.nextLong());
		}
		assertThat(drawn).hasSize(10);
	}

	@Test
	void generatesSeeds() throws Exception {
		assertThat(SecureRandom.getInstance("CTR_DRBG", this.provider).generateSeed(100)).hasSize(100);
	}

	@Test
	void offersOneAlgorithm() {
		assertThat(this.provider.getServices()).extracting(Provider.Service::getAlgorithm).containsExactly("CTR_DRBG");
	}

	@Test
	void mapHoldsOnlyStrings() {
		assertThat(this.provider).allSatisfy((key, value) -> {
			assertThat(key).isInstanceOf(String.class);
			assertThat(value).isInstanceOf(String.class);
		});
		this.provider.list(new PrintStream(OutputStream.nullOutputStream()));
	}

	@Test
	void rejectsNullSeedBeforeAndAfterDraw() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
		assertThatNullPointerException().isThrownBy(() -> random.setSeed((byte[]) null));
		random.nextBytes(new byte[16]);
		assertThatNullPointerException().isThrownBy(() -> random.setSeed((byte[]) null));
	}

	@Test
	void rejectsParameters() {
		assertThatExceptionOfType(NoSuchAlgorithmException.class)
			.isThrownBy(() -> SecureRandom.getInstance("CTR_DRBG",
					DrbgParameters.instantiation(256, Capability.NONE, null), this.provider))
			.withStackTraceContaining("SecureRandom CTR_DRBG does not support parameters");
	}

	@Test
	void generatorIsSerializable() throws Exception {
		UncontendedProvider.install();
		SecureRandom random = new SecureRandom();
		random.nextLong();
		SecureRandom read = copy(random);
		long draws = UncontendedProvider.stats().draws();
		assertThat(read.nextLong()).isNotEqualTo(random.nextLong());
		assertThat(UncontendedProvider.stats().draws()).isEqualTo(draws + 4);
		assertThat(read.getAlgorithm()).isEqualTo("CTR_DRBG");
		assertThat(read.getProvider()).isInstanceOf(UncontendedProvider.class);
	}

	@Test
	void deserializedGeneratorWorksWithoutInstalledProvider() throws Exception {
		SecureRandom read = copy(SecureRandom.getInstance("CTR_DRBG", this.provider));
		assertThat(read.getProvider()).isInstanceOf(UncontendedProvider.class);
		assertThat(read.nextLong()).isNotEqualTo(read.nextLong());
	}

	private static SecureRandom copy(SecureRandom random) throws Exception {
		ByteArrayOutputStream bytes = new ByteArrayOutputStream();
		new ObjectOutputStream(bytes).writeObject(random);
		return (SecureRandom) new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
	}

	@Test
	void doesNotAffectOtherGenerators() throws Exception {
		UncontendedProvider.install();
		assertThat(SecureRandom.getInstance("SHA1PRNG").getProvider().getName()).isEqualTo("SUN");
		assertThat(SecureRandom.getInstanceStrong().getProvider().getName()).isEqualTo("SUN");
		KeyPairGenerator keys = KeyPairGenerator.getInstance("RSA");
		keys.initialize(2048);
		assertThat(keys.generateKeyPair().getPrivate()).isNotNull();
	}

	@Test
	void drawOfOtherThreadIsNotObserved() throws Exception {
		SecureRandom random = SecureRandom.getInstance("CTR_DRBG", this.provider);
		assertThat(DropIn.INSTANCE.observes(() -> {
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
