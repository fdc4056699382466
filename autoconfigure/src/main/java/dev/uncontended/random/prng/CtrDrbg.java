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
import java.security.ProviderException;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;

/**
 * CTR_DRBG of NIST SP 800-90A Rev. 1, section 10.2.1, with AES-256 and without a
 * derivation function, personalization string or additional input. Not thread-safe. If a
 * method throws an exception or error, the generator must not be used again.
 * <p>
 * The state consists of {@code Key} (32 bytes) and the counter {@code V} (16 bytes).
 * Between calls, the state exists only in a cipher in counter mode, initialized with
 * {@code Key} and {@code V + 1}. The cipher computes two functions of the standard:
 * <ul>
 * <li>Generate: the cipher encrypts zeros. The result is the output.</li>
 * <li>CTR_DRBG_Update: the cipher encrypts the 48 bytes of provided data. The first 32
 * bytes of the result are the new {@code Key}, the last 16 bytes the new {@code V}.</li>
 * </ul>
 * <p>
 * Each request ends with an update, so that the state never reveals earlier output
 * (backtracking resistance).
 *
 * @see <a href="https://doi.org/10.6028/NIST.SP.800-90Ar1">NIST SP 800-90A Rev. 1</a>
 */
public final class CtrDrbg implements Prng {

	private static final int KEY_LENGTH = AesCtr.Key.LENGTH;

	private static final int BLOCK_LENGTH = 16;

	/** The length of the state and of a seed in bytes. */
	private static final int SEED_LENGTH = KEY_LENGTH + BLOCK_LENGTH;

	/**
	 * The maximum length of a request in bytes (table 3 of the standard: 2^19 bits).
	 */
	private static final int MAX_REQUEST_LENGTH = 1 << 16;

	/**
	 * The maximum number of requests between two seeds. Table 3 allows 2^48 requests.
	 */
	private static final int MAX_REQUESTS = 1 << 20;

	private static final byte[] ZEROS = new byte[MAX_REQUEST_LENGTH];

	private final SeedSource seedSource;

	private final Cipher cipher;

	private final byte[] update = new byte[BLOCK_LENGTH + SEED_LENGTH];

	private int requests;

	private boolean wiped;

	/**
	 * Instantiates the generator (section 10.2.1.3.1).
	 * @param seedSource returns 48 bytes of full entropy for each seed
	 * @throws ProviderException if the seed source fails, or if no provider has a working
	 * AES-256 cipher
	 */
	public CtrDrbg(SeedSource seedSource) {
		this.seedSource = seedSource;
		this.cipher = AesCtr.newCipher();
		rekey();
		reseed();
	}

	@Override
	public void nextBytes(byte[] bytes) {
		for (int offset = 0; offset < bytes.length; offset += MAX_REQUEST_LENGTH) {
			generate(bytes, offset, Math.min(MAX_REQUEST_LENGTH, bytes.length - offset));
		}
	}

	/**
	 * Processes one request (section 10.2.1.5.1).
	 */
	private void generate(byte[] bytes, int offset, int length) {
		if (++this.requests > MAX_REQUESTS) {
			reseed();
			this.requests = 1;
		}
		crypt(length, bytes, offset);
		// The standard discards the unused bytes of the last output block, so the update
		// starts at the next block.
		updateFrom(-length & (BLOCK_LENGTH - 1));
	}

	/**
	 * Reseeds the generator (section 10.2.1.4.1).
	 */
	@Override
	public void reseed() {
		byte[] seed = this.seedSource.generate(SEED_LENGTH);
		try {
			update(seed);
			this.requests = 0;
		}
		finally {
			Arrays.fill(seed, (byte) 0);
		}
	}

	@Override
	public void addSeed(byte[] seed) {
		byte[] block = new byte[SEED_LENGTH];
		for (int offset = 0; offset < seed.length; offset += SEED_LENGTH) {
			int length = Math.min(SEED_LENGTH, seed.length - offset);
			System.arraycopy(seed, offset, block, 0, length);
			Arrays.fill(block, length, SEED_LENGTH, (byte) 0);
			update(block);
		}
		Arrays.fill(block, (byte) 0);
	}

	@Override
	public void wipe() {
		this.wiped = true;
		rekey();
	}

	/**
	 * Implements CTR_DRBG_Update (section 10.2.1.2).
	 */
	private void update(byte[] providedData) {
		System.arraycopy(providedData, 0, this.update, 0, SEED_LENGTH);
		updateFrom(0);
	}

	/**
	 * Encrypts {@code offset + 48} bytes of {@link #update}. The last 48 encrypted bytes
	 * become the new state.
	 */
	private void updateFrom(int offset) {
		if (this.wiped) {
			throw new IllegalStateException("This CTR_DRBG has been wiped and cannot be used again");
		}
		try {
			requireAll(this.cipher.doFinal(this.update, 0, offset + SEED_LENGTH, this.update, 0), offset + SEED_LENGTH);
			System.arraycopy(this.update, offset, this.update, 0, SEED_LENGTH);
			rekey();
		}
		catch (GeneralSecurityException ex) {
			throw new ProviderException("AES/CTR/NoPadding failed", ex);
		}
	}

	/**
	 * Initializes the cipher with the state in the first 48 bytes of {@link #update}, and
	 * wipes the array.
	 */
	private void rekey() {
		try {
			increment(this.update, KEY_LENGTH + BLOCK_LENGTH - 1);
			this.cipher.init(Cipher.ENCRYPT_MODE, new AesCtr.Key(this.update),
					new IvParameterSpec(this.update, KEY_LENGTH, BLOCK_LENGTH));
		}
		catch (GeneralSecurityException ex) {
			throw new ProviderException("Failed to initialize CTR_DRBG: this JVM refuses AES with 256-bit keys", ex);
		}
		finally {
			Arrays.fill(this.update, (byte) 0);
		}
	}

	private void crypt(int length, byte[] bytes, int offset) {
		try {
			requireAll(this.cipher.update(ZEROS, 0, length, bytes, offset), length);
		}
		catch (GeneralSecurityException ex) {
			throw new ProviderException("AES/CTR/NoPadding failed", ex);
		}
	}

	private static void requireAll(int returned, int requested) {
		if (returned != requested) {
			throw new ProviderException("AES/CTR/NoPadding returned " + returned + " bytes instead of " + requested);
		}
	}

	private static void increment(byte[] bytes, int last) {
		for (int i = last; i > last - BLOCK_LENGTH && ++bytes[i] == 0; i--) {
			// Carry to the next byte.
		}
	}

}
