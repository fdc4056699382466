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

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.time.Duration;
import java.util.List;
import java.util.Map;

import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.ShortBufferException;

import dev.uncontended.random.UncontendedProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link AesCtr} and its users when a cipher fails, with an AES provider whose
 * fault is set by the test.
 */
class AesCtrTests {

	private final StrangeProvider strange = new StrangeProvider();

	@AfterEach
	void remove() {
		Security.removeProvider("Strange");
	}

	@Test
	void usesCipherOfAnyProviderThatPassesTest() {
		Security.insertProviderAt(this.strange, 1);
		assertThat(AesCtr.newCipher().getProvider()).isSameAs(this.strange);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETURNS_LATE", "WRONG_BY_A_BIT", "REFUSES_KEYS", "LACKS_LIBRARY", "FAILED_SELF_TEST" })
	void skipsCipherThatFailsTest(Fault fault) {
		this.strange.fault = fault;
		Security.insertProviderAt(this.strange, 1);
		assertThat(AesCtr.newCipher().getProvider()).isNotSameAs(this.strange);
	}

	@ParameterizedTest
	@EnumSource(names = { "RETURNS_LATE", "WRONG_BY_A_BIT", "REFUSES_KEYS", "LACKS_LIBRARY", "FAILED_SELF_TEST" })
	void reportsWhyCipherIsSkipped(Fault fault) {
		this.strange.fault = fault;
		Security.addProvider(this.strange);
		Security.removeProvider(StrangeAes.JDK.getName());
		try {
			assertThatExceptionOfType(ProviderException.class).isThrownBy(AesCtr::newCipher)
				.withMessageContaining("Strange=")
				.withMessageContaining(fault.reason);
		}
		finally {
			Security.addProvider(StrangeAes.JDK);
		}
	}

	@Test
	void skipsCipherThatDrawsFromGeneratorThatNeedsIt() {
		UncontendedProvider.install();
		try {
			// Seeded generators would not need the cipher.
			CtrDrbgSpi.pool().renew();
			this.strange.fault = Fault.DRAWS;
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
	void drawAfterOutOfMemoryErrorSucceeds() {
		Security.insertProviderAt(this.strange, 1);
		StripedPool pool = new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofHours(1));
		byte[] bytes = new byte[64];
		pool.nextBytes(bytes);
		this.strange.fault = Fault.OUT_OF_MEMORY;
		assertThatExceptionOfType(OutOfMemoryError.class).isThrownBy(() -> pool.nextBytes(bytes));
		this.strange.fault = Fault.NONE;
		pool.nextBytes(bytes);
		assertThat(pool.stats().draws()).isEqualTo(8);
		assertThat(pool.stats().lastFailure()).isNull();
	}

	@Test
	void wipedGeneratorLeavesNoKeyInCipher() {
		Security.insertProviderAt(this.strange, 1);
		CtrDrbg drbg = new CtrDrbg(OperatingSystemSeedSource.INSTANCE, null);
		assertThat(this.strange.lastKey).isNotEqualTo(new byte[32]);
		drbg.wipe();
		assertThat(this.strange.lastKey).isEqualTo(new byte[32]);
	}

	@Test
	void cipherThatReturnsLateFailsInsteadOfReturningZeros() {
		Security.insertProviderAt(this.strange, 1);
		CtrDrbg drbg = new CtrDrbg(OperatingSystemSeedSource.INSTANCE, null);
		drbg.nextBytes(new byte[8]);
		this.strange.fault = Fault.RETURNS_LATE;
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> drbg.nextBytes(new byte[8]))
			.withMessageContaining("returned");
	}

	private enum Fault {

		NONE(""), RETURNS_LATE("returned 16 bytes instead of 24"), WRONG_BY_A_BIT("known-answer test"),
		REFUSES_KEYS("Not this key"), LACKS_LIBRARY("No library"), FAILED_SELF_TEST("No self-test"), DRAWS(""),
		OUT_OF_MEMORY("");

		private final String reason;

		Fault(String reason) {
			this.reason = reason;
		}

	}

	private static final class StrangeProvider extends Provider {

		private static final long serialVersionUID = 1L;

		private volatile Fault fault = Fault.NONE;

		private volatile byte[] lastKey = {};

		StrangeProvider() {
			super("Strange", "1", "AES that fails on request");
			putService(new Service(this, "Cipher", "AES/CTR/NoPadding", "Aes", List.of(), Map.of()) {

				@Override
				public Object newInstance(Object parameter) {
					return new StrangeAes(StrangeProvider.this);
				}

			});
		}

	}

	/** The JDK's AES, with faults. */
	private static final class StrangeAes extends CipherSpi {

		private static final Provider JDK = Security.getProvider("SunJCE");

		private final StrangeProvider provider;

		private final Cipher aes;

		StrangeAes(StrangeProvider provider) {
			this.provider = provider;
			try {
				this.aes = Cipher.getInstance("AES/CTR/NoPadding", JDK);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected void engineInit(int mode, Key key, AlgorithmParameterSpec parameters, SecureRandom random)
				throws InvalidKeyException, InvalidAlgorithmParameterException {
			if (this.provider.fault == Fault.REFUSES_KEYS) {
				throw new InvalidKeyException("Not this key");
			}
			if (this.provider.fault == Fault.LACKS_LIBRARY) {
				throw new UnsatisfiedLinkError("No library");
			}
			if (this.provider.fault == Fault.FAILED_SELF_TEST) {
				throw new AssertionError("No self-test");
			}
			if (this.provider.fault == Fault.DRAWS) {
				new SecureRandom().nextBytes(new byte[16]);
			}
			if (this.provider.fault == Fault.OUT_OF_MEMORY) {
				throw new OutOfMemoryError("On purpose");
			}
			this.provider.lastKey = key.getEncoded();
			this.aes.init(mode, key, parameters, random);
		}

		@Override
		protected int engineUpdate(byte[] input, int offset, int length, byte[] output, int outputOffset)
				throws ShortBufferException {
			int returned = (this.provider.fault == Fault.RETURNS_LATE) ? Math.max(0, length - 1) / 16 * 16 : length;
			return this.aes.update(input, offset, returned, output, outputOffset);
		}

		@Override
		protected int engineDoFinal(byte[] input, int offset, int length, byte[] output, int outputOffset)
				throws ShortBufferException {
			try {
				int returned = this.aes.doFinal(input, offset, length, output, outputOffset);
				if (this.provider.fault == Fault.WRONG_BY_A_BIT) {
					output[outputOffset] ^= 1;
				}
				return returned;
			}
			catch (ShortBufferException ex) {
				throw ex;
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		protected byte[] engineUpdate(byte[] input, int offset, int length) {
			throw new UnsupportedOperationException();
		}

		@Override
		protected byte[] engineDoFinal(byte[] input, int offset, int length) {
			throw new UnsupportedOperationException();
		}

		@Override
		protected void engineInit(int mode, Key key, SecureRandom random) {
			throw new UnsupportedOperationException();
		}

		@Override
		protected void engineInit(int mode, Key key, AlgorithmParameters parameters, SecureRandom random) {
			throw new UnsupportedOperationException();
		}

		@Override
		protected void engineSetMode(String mode) {
		}

		@Override
		protected void engineSetPadding(String padding) {
		}

		@Override
		protected int engineGetBlockSize() {
			return 16;
		}

		@Override
		protected int engineGetOutputSize(int length) {
			return length;
		}

		@Override
		protected byte @Nullable [] engineGetIV() {
			return null;
		}

		@Override
		protected @Nullable AlgorithmParameters engineGetParameters() {
			return null;
		}

	}

}
