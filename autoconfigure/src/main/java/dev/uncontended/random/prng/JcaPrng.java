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
 * {@link #nextBytes} throws an exception if a 16-byte block of its output consists of
 * zeros, or if blocks repeat with a short period.
 */
public final class JcaPrng implements Prng {

	private static final int SEED_LENGTH = 48;

	private static final int BLOCK = 16;

	private final SeedSource seedSource;

	private final SecureRandom random;

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
		this.random.nextBytes(bytes);
		LongBuffer longs = ByteBuffer.wrap(bytes).asLongBuffer();
		// Brent's algorithm: the index of the block to compare with, 0 or a power of two.
		int earlier = 0;
		for (int block = 0; block < bytes.length / BLOCK; block++) {
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
	}

}
