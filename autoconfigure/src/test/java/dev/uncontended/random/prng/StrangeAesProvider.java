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

import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.InvalidAlgorithmParameterException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.security.spec.AlgorithmParameterSpec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Cipher;
import javax.crypto.CipherSpi;
import javax.crypto.ShortBufferException;

import org.jspecify.annotations.Nullable;

/**
 * A JCA provider of the JDK's AES, with faults as set by a test.
 */
public final class StrangeAesProvider extends Provider {

	static final Provider JDK = Security.getProvider("SunJCE");

	private static final long serialVersionUID = 1L;

	private volatile Fault fault = Fault.NONE;

	private volatile byte[] lastKey = {};

	private final AtomicInteger draws = new AtomicInteger();

	private volatile boolean usedUnderLock;

	/** Creates a provider without a fault. */
	public StrangeAesProvider() {
		this("AES/CTR/NoPadding");
	}

	StrangeAesProvider(String transformation) {
		super("Strange", "1", "AES that fails on request");
		putService(new Service(this, "Cipher", transformation, "Aes", List.of(), Map.of()) {

			@Override
			public Object newInstance(Object parameter) {
				StrangeAesProvider.this.usedUnderLock |= Thread.holdsLock(Security.class);
				return new StrangeAes(StrangeAesProvider.this);
			}

		});
	}

	/**
	 * Sets the fault of all ciphers of this provider.
	 * @param fault the fault
	 */
	public void fail(Fault fault) {
		this.fault = fault;
	}

	/**
	 * Returns whether a cipher was created under the lock of {@link Security}.
	 * @return whether a cipher was created under the lock
	 */
	public boolean isUsedUnderLock() {
		return this.usedUnderLock;
	}

	int draws() {
		return this.draws.get();
	}

	byte[] lastKey() {
		return this.lastKey;
	}

	/** The faults of a cipher. */
	public enum Fault {

		/** No fault. */
		NONE(""),

		/** Returns bytes later than requested. */
		RETURNS_LATE("returned 16 bytes instead of 24"),

		/** Returns a wrong bit. */
		WRONG_BY_A_BIT("known-answer test"),

		/** Refuses each key. */
		REFUSES_KEYS("Not this key"),

		/** Throws an error of linking. */
		LACKS_LIBRARY("No library"),

		/** Throws an error of assertion. */
		FAILED_SELF_TEST("No self-test"),

		/** Draws random bytes. */
		DRAWS(""),

		/** Throws an error of memory. */
		OUT_OF_MEMORY("");

		private final String reason;

		Fault(String reason) {
			this.reason = reason;
		}

		String reason() {
			return this.reason;
		}

	}

	/** The JDK's AES, with faults. */
	private static final class StrangeAes extends CipherSpi {

		private final StrangeAesProvider provider;

		private final Cipher aes;

		StrangeAes(StrangeAesProvider provider) {
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
				this.provider.draws.incrementAndGet();
				new SecureRandom().nextBytes(new byte[16]);
			}
			if (this.provider.fault == Fault.OUT_OF_MEMORY) {
				throw new OutOfMemoryError("On purpose");
			}
			this.provider.usedUnderLock |= Thread.holdsLock(Security.class);
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
