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

import java.security.ProviderException;
import java.security.Security;
import java.time.Duration;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.DropIn;
import dev.uncontended.random.internal.RandomAlgorithm;
import dev.uncontended.random.internal.StripedPool;
import dev.uncontended.random.prng.StrangeAesProvider.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AesCtr} and its users when a cipher fails, with an AES provider whose
 * fault is set by the test.
 */
class AesCtrTests {

	private final StrangeAesProvider strange = new StrangeAesProvider();

	@AfterEach
	void remove() {
		Security.removeProvider("Strange");
	}

	@ParameterizedTest
	@ValueSource(strings = { "AES/CTR", "AES/CTR/NoPadding" })
	void findsCipherByEachOfItsNames(String transformation) {
		StrangeAesProvider provider = new StrangeAesProvider(transformation);
		Security.insertProviderAt(provider, 1);
		assertThat(AesCtr.newCipher().getProvider()).isSameAs(provider);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETURNS_LATE", "WRONG_BY_A_BIT", "REFUSES_KEYS", "LACKS_LIBRARY", "FAILED_SELF_TEST" })
	void skipsCipherThatFailsTest(Fault fault) {
		this.strange.fail(fault);
		Security.insertProviderAt(this.strange, 1);
		assertThat(AesCtr.newCipher().getProvider()).isNotSameAs(this.strange);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETURNS_LATE", "WRONG_BY_A_BIT", "REFUSES_KEYS", "LACKS_LIBRARY", "FAILED_SELF_TEST" })
	void reportsWhyCipherIsSkipped(Fault fault) {
		this.strange.fail(fault);
		Security.addProvider(this.strange);
		Security.removeProvider(StrangeAesProvider.JDK.getName());
		try {
			assertThatExceptionOfType(ProviderException.class).isThrownBy(AesCtr::newCipher)
				.withMessageContaining("Strange=")
				.withMessageContaining(fault.reason());
		}
		finally {
			Security.addProvider(StrangeAesProvider.JDK);
		}
	}

	@Test
	void skipsCipherThatDrawsFromGeneratorThatNeedsIt() {
		UncontendedProvider.install();
		try {
			// Seeded generators would not need the cipher.
			DropIn.INSTANCE.pool().suspend();
			DropIn.INSTANCE.pool().resume();
			this.strange.fail(Fault.DRAWS);
			Security.insertProviderAt(this.strange, 2);
			StripedPool pool = new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofHours(1));
			pool.nextBytes(new byte[64]);
			assertThat(pool.stats().refillFailures()).isZero();
			assertThat(AesCtr.newCipher().getProvider()).isNotSameAs(this.strange);
		}
		finally {
			UncontendedProvider.uninstall();
		}
	}

	@Test
	void cipherThatDrawsIsTestedOnce() {
		UncontendedProvider.install();
		try {
			DropIn.INSTANCE.pool().suspend();
			DropIn.INSTANCE.pool().resume();
			this.strange.fail(Fault.DRAWS);
			Security.insertProviderAt(this.strange, 2);
			AesCtr.newCipher();
			assertThat(this.strange.draws()).isOne();
		}
		finally {
			UncontendedProvider.uninstall();
		}
	}

	@Test
	void keepsNoThread() {
		AesCtr.newCipher();
		assertThat(AesCtr.active).isEmpty();
	}

	/** An error can prevent a thread from leaving the set. */
	@Test
	void forgetsDeadThreads() throws Exception {
		Thread dead = new Thread(() -> {
		});
		dead.start();
		dead.join();
		AesCtr.active.add(dead);
		AesCtr.newCipher();
		assertThat(AesCtr.active).isEmpty();
	}

	@Test
	void threadLeftInSetByErrorGetsCipher() {
		AesCtr.active.add(Thread.currentThread());
		assertThat(AesCtr.newCipher()).isNotNull();
		assertThat(AesCtr.active).isEmpty();
	}

	@Test
	void failingLogDoesNotFailDraw() {
		Logger logger = Logger.getLogger(AesCtr.class.getName());
		Handler failing = new Handler() {

			@Override
			public void publish(LogRecord logRecord) {
				throw new IllegalStateException("No log");
			}

			@Override
			public void flush() {
			}

			@Override
			public void close() {
			}

		};
		logger.addHandler(failing);
		AesCtr.logged.clear();
		this.strange.fail(Fault.REFUSES_KEYS);
		Security.insertProviderAt(this.strange, 1);
		try {
			assertThat(AesCtr.newCipher().getProvider()).isNotSameAs(this.strange);
		}
		finally {
			logger.removeHandler(failing);
		}
	}

	@Test
	void drawAfterOutOfMemoryErrorSucceeds() {
		Security.insertProviderAt(this.strange, 1);
		StripedPool pool = new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofHours(1));
		byte[] bytes = new byte[64];
		pool.nextBytes(bytes);
		this.strange.fail(Fault.OUT_OF_MEMORY);
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> pool.nextBytes(bytes));
		this.strange.fail(Fault.NONE);
		pool.nextBytes(bytes);
		assertThat(pool.stats().draws()).isEqualTo(8);
		assertThat(pool.stats().lastFailure()).isNull();
	}

	@Test
	void wipedGeneratorLeavesNoKeyInCipher() {
		Security.insertProviderAt(this.strange, 1);
		CtrDrbg drbg = new CtrDrbg(OperatingSystemSeedSource.INSTANCE);
		assertThat(this.strange.lastKey()).isNotEqualTo(new byte[32]);
		drbg.wipe();
		assertThat(this.strange.lastKey()).isEqualTo(new byte[32]);
	}

	@Test
	void cipherThatReturnsLateFailsInsteadOfReturningZeros() {
		Security.insertProviderAt(this.strange, 1);
		CtrDrbg drbg = new CtrDrbg(OperatingSystemSeedSource.INSTANCE);
		drbg.nextBytes(new byte[8]);
		this.strange.fail(Fault.RETURNS_LATE);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> drbg.nextBytes(new byte[8]))
			.withMessageContaining("returned");
	}

}
