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

import java.security.GeneralSecurityException;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.ProviderException;
import java.security.Security;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

import javax.crypto.Cipher;
import javax.crypto.NoSuchPaddingException;
import javax.crypto.SecretKey;
import javax.crypto.spec.IvParameterSpec;

/**
 * Creates AES-256 ciphers in counter mode, and verifies each cipher with a known-answer
 * test.
 */
final class AesCtr {

	private static final String TRANSFORMATION = "AES/CTR/NoPadding";

	/** The names of the providers for which a failure has been logged. */
	static final Set<String> logged = ConcurrentHashMap.newKeySet();

	/** The threads that run {@link #newCipher()}. */
	static final Set<Thread> active = ConcurrentHashMap.newKeySet();

	private AesCtr() {
	}

	/**
	 * Returns a new cipher of the most preferred provider whose cipher passes the test.
	 * The caller must initialize the cipher, which still has the key of the test.
	 * @throws ProviderException if no provider has a working cipher, or if a cipher that
	 * is being tested draws from the generator that needs it
	 */
	static Cipher newCipher() {
		Thread thread = Thread.currentThread();
		// An error can leave a thread in the set. Not removeIf, because a lambda would be
		// created for the first draw.
		for (Iterator<Thread> threads = active.iterator(); threads.hasNext();) {
			if (!threads.next().isAlive()) {
				threads.remove();
			}
		}
		if (!active.add(thread) && isNested()) {
			throw new ProviderException("it draws random bits from CTR_DRBG, which needs the cipher");
		}
		try {
			return findCipher();
		}
		finally {
			active.remove(thread);
		}
	}

	private static boolean isNested() {
		return StackWalker.getInstance()
			.walk((frames) -> frames
				.filter((frame) -> frame.getClassName().equals(AesCtr.class.getName())
						&& frame.getMethodName().equals("newCipher"))
				.count() > 1);
	}

	private static Cipher findCipher() {
		Map<String, String> refusals = new TreeMap<>();
		for (Provider provider : Security.getProviders()) {
			if (mayOfferCipher(provider)) {
				try {
					Cipher cipher = Cipher.getInstance(TRANSFORMATION, provider);
					KnownAnswer.test(cipher);
					return cipher;
				}
				catch (NoSuchAlgorithmException | NoSuchPaddingException ex) {
					// The provider offers AES, but not in counter mode.
				}
				catch (GeneralSecurityException | RuntimeException | LinkageError | AssertionError ex) {
					refuse(provider, ex, refusals);
				}
			}
		}
		throw new ProviderException("Failed to create the cipher " + TRANSFORMATION + " for CTR_DRBG: "
				+ (refusals.isEmpty() ? "no provider offers it with 256-bit keys" : "none works: " + refusals));
	}

	private static boolean mayOfferCipher(Provider provider) {
		return provider.getService("Cipher", "AES") != null || provider.getService("Cipher", "AES/CTR") != null
				|| provider.getService("Cipher", TRANSFORMATION) != null;
	}

	private static void refuse(Provider provider, Throwable reason, Map<String, String> refusals) {
		String message = reason.getMessage();
		refusals.put(provider.getName(), (message != null) ? message : reason.getClass().getName());
		if (logged.add(provider.getName())) {
			log("CTR_DRBG skips the cipher " + TRANSFORMATION + " of the provider " + provider.getName() + ": "
					+ refusals.get(provider.getName()));
		}
	}

	private static void log(String warning) {
		try {
			// Not a static field, because the first logger searches the class path. This
			// takes longer than loading the cipher.
			System.getLogger(AesCtr.class.getName()).log(System.Logger.Level.WARNING, warning);
		}
		catch (RuntimeException | Error ex) {
			// A failing log must not fail a draw.
		}
	}

	/**
	 * Encrypts the first two blocks of the test vector CTR-AES256.Encrypt (NIST SP
	 * 800-38A, section F.5.5).
	 */
	private static final class KnownAnswer {

		private static final byte[] KEY = HexFormat.of()
			.parseHex("603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4");

		private static final byte[] COUNTER = HexFormat.of().parseHex("f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff");

		private static final byte[] PLAIN = HexFormat.of()
			.parseHex("6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51");

		private static final byte[] ENCRYPTED = HexFormat.of()
			.parseHex("601ec313775789a5b7a7f504bbf3d228f443e3ca4d62b59aca84e990cacaf5c5");

		/** The first part ends inside a block, like some requests to {@link CtrDrbg}. */
		private static final int FIRST_PART = 24;

		static void test(Cipher cipher) throws GeneralSecurityException {
			byte[] answer = new byte[PLAIN.length];
			cipher.init(Cipher.ENCRYPT_MODE, new Key(KEY), new IvParameterSpec(COUNTER));
			int first = cipher.update(PLAIN, 0, FIRST_PART, answer, 0);
			if (first != FIRST_PART) {
				throw new ProviderException("it returned " + first + " bytes instead of " + FIRST_PART);
			}
			int second = cipher.doFinal(PLAIN, FIRST_PART, PLAIN.length - FIRST_PART, answer, FIRST_PART);
			if (second != PLAIN.length - FIRST_PART || !Arrays.equals(answer, ENCRYPTED)) {
				throw new ProviderException("it failed the known-answer test of NIST SP 800-38A, section F.5.5");
			}
		}

	}

	/**
	 * An AES-256 key: the first 32 bytes of an array. Unlike
	 * {@link javax.crypto.spec.SecretKeySpec}, this class does not copy the array, so
	 * that the caller can wipe the key.
	 */
	static final class Key implements SecretKey {

		static final int LENGTH = 32;

		private static final long serialVersionUID = 1L;

		private final transient byte[] bytes;

		Key(byte[] bytes) {
			this.bytes = bytes;
		}

		@Override
		public String getAlgorithm() {
			return "AES";
		}

		@Override
		public String getFormat() {
			return "RAW";
		}

		@Override
		public byte[] getEncoded() {
			return Arrays.copyOf(this.bytes, LENGTH);
		}

	}

}
