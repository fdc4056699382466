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
import java.util.Arrays;

/**
 * Rejects the output of a stuck entropy source with the repetition count test of NIST SP
 * 800-90B, section 4.4.1. Two equal adjacent blocks of 128 bits fail the test.
 * <p>
 * Each request reads the source twice, and returns the second result. The request fails
 * if a result fails the test, or if the two results are equal. Results of different
 * requests are not compared, because a comparison would keep a seed in memory.
 */
final class HealthTestedSeedSource implements SeedSource {

	private static final int BLOCK = 16;

	private final SeedSource source;

	HealthTestedSeedSource(SeedSource source) {
		this.source = source;
	}

	@Override
	public byte[] generate(int length) {
		int padded = Math.max(2 * BLOCK, length);
		byte[] control = read(padded);
		byte[] entropy = read(padded);
		try {
			check(control, entropy);
			return Arrays.copyOf(entropy, length);
		}
		finally {
			Arrays.fill(control, (byte) 0);
			Arrays.fill(entropy, (byte) 0);
		}
	}

	private byte[] read(int length) {
		byte[] bytes = this.source.generate(length);
		if (bytes.length != length) {
			throw new ProviderException("The entropy source returned " + bytes.length + " bytes instead of " + length);
		}
		return bytes;
	}

	private static void check(byte[] control, byte[] entropy) {
		if (repeatsBlock(control) || repeatsBlock(entropy) || Arrays.equals(control, entropy)) {
			throw new ProviderException("Failed to seed a generator: the entropy source is stuck, "
					+ "it returned the same block twice in a row");
		}
	}

	private static boolean repeatsBlock(byte[] bytes) {
		for (int next = BLOCK; next + BLOCK <= bytes.length; next += BLOCK) {
			if (Arrays.equals(bytes, next - BLOCK, next, bytes, next, next + BLOCK)) {
				return true;
			}
		}
		return false;
	}

}
