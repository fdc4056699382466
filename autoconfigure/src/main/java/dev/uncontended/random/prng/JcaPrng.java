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

import java.nio.ByteBuffer;
import java.nio.LongBuffer;
import java.security.ProviderException;
import java.security.SecureRandom;
import java.util.Arrays;

/**
 * Adapts a JCA generator to {@link Prng}.
 * <p>
 * The constructor adds a seed from the operating system. SUN's DRBG and SHA1PRNG take
 * their own seed from a generator inside the process. Without the added seed, processes
 * restored from one snapshot would therefore create identical generators.
 * <p>
 * {@link #nextBytes} requests one block more than it returns, the guard. It throws an
 * exception if a 16-byte block consists of zeros, if blocks repeat with a short period,
 * or if the guard equals the previous call's. The guard is never returned, so no returned
 * block stays in memory.
 */
public final class JcaPrng implements Prng {

	private static final int SEED_LENGTH = 48;

	private static final int BLOCK = 16;

	private final SeedSource seedSource;

	private final SecureRandom random;

	private final byte[] lastGuard = new byte[BLOCK];

	public JcaPrng(SecureRandom random, SeedSource seedSource) {
		this.random = random;
		this.seedSource = seedSource;
		// This draw is necessary: in an unused SHA1PRNG or DRBG, an added seed would
		// replace the generator's own seed.
		random.nextBytes(new byte[SEED_LENGTH]);
		reseed();
	}

	@Override
	public void nextBytes(byte[] bytes) {
		byte[] guarded = new byte[bytes.length + BLOCK];
		try {
			this.random.nextBytes(guarded);
			check(guarded);
			System.arraycopy(guarded, 0, bytes, 0, bytes.length);
			System.arraycopy(guarded, bytes.length, this.lastGuard, 0, BLOCK);
		}
		finally {
			Arrays.fill(guarded, (byte) 0);
		}
	}

	private void check(byte[] guarded) {
		LongBuffer longs = ByteBuffer.wrap(guarded).asLongBuffer();
		// Brent's algorithm: the index of the block to compare with, 0 or a power of two.
		int earlier = 0;
		for (int block = 0; block < guarded.length / BLOCK; block++) {
			long first = longs.get(2 * block);
			long second = longs.get(2 * block + 1);
			if ((first | second) == 0) {
				throw new ProviderException("The generator returned a block of zeros");
			}
			if (block > 0 && first == longs.get(2 * earlier) && second == longs.get(2 * earlier + 1)) {
				throw new ProviderException("The generator is stuck: it repeated a block");
			}
			if ((block & (block - 1)) == 0) {
				earlier = block;
			}
		}
		if (Arrays.equals(guarded, guarded.length - BLOCK, guarded.length, this.lastGuard, 0, BLOCK)) {
			throw new ProviderException("The generator is stuck: it repeated its last output");
		}
	}

	@Override
	public void reseed() {
		byte[] seed = this.seedSource.generate(SEED_LENGTH);
		try {
			addSeed(seed);
		}
		finally {
			Arrays.fill(seed, (byte) 0);
		}
	}

	@Override
	public void addSeed(byte[] seed) {
		this.random.setSeed(seed);
	}

	@Override
	public void wipe() {
		// The JCA cannot wipe a generator.
		Arrays.fill(this.lastGuard, (byte) 0);
	}

}
