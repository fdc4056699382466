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
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the checks of {@link JcaPrng}.
 */
class JcaPrngTests {

	private static final int BLOCKS = 33;

	private static final int BLOCK = 16;

	@Test
	void wipesSeeds() throws Exception {
		List<byte[]> seeds = new ArrayList<>();
		SeedSource source = (length) -> {
			byte[] seed = new byte[length];
			Arrays.fill(seed, (byte) 1);
			seeds.add(seed);
			return seed;
		};
		new JcaPrng(SecureRandom.getInstance("SHA1PRNG"), source).reseed();
		assertThat(seeds).hasSize(2).allSatisfy((seed) -> assertThat(seed).containsOnly(0));
	}

	@Test
	void acceptsDifferentBlocks() {
		byte[] bytes = draw((output) -> {
		});
		assertThat(bytes).isNotEqualTo(new byte[(BLOCKS - 1) * BLOCK]);
	}

	@Test
	void rejectsBlockOfZerosAtAnyPosition() {
		for (int block = 0; block < BLOCKS; block++) {
			int from = block * BLOCK;
			assertThatExceptionOfType(ProviderException.class).as("block " + block)
				.isThrownBy(() -> draw((output) -> Arrays.fill(output, from, from + BLOCK, (byte) 0)))
				.withMessage("The generator returned a block of zeros");
		}
	}

	@ParameterizedTest
	@CsvSource({ "0, 1", "0, 2", "0, 3", "0, 7", "0, 10", "1, 2", "3, 5", "5, 6", "9, 1", "9, 2" })
	void rejectsOutputThatRepeatsAfterThird(int prefix, int period) {
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> draw((output) -> {
			for (int i = (prefix + period) * BLOCK; i < output.length; i++) {
				output[i] = output[i - period * BLOCK];
			}
		})).withMessage("The generator is stuck: it repeated a block");
	}

	@Test
	void rejectsOutputThatRepeatsPreviousCall() {
		byte[] output = new byte[BLOCKS * BLOCK];
		new Random(1).nextBytes(output);
		SecureRandom stuck = new SecureRandom() {

			private static final long serialVersionUID = 1L;

			@Override
			public void nextBytes(byte[] bytes) {
				System.arraycopy(output, 0, bytes, 0, bytes.length);
			}

		};
		JcaPrng prng = new JcaPrng(stuck, OperatingSystemSeedSource.INSTANCE);
		byte[] bytes = new byte[(BLOCKS - 1) * BLOCK];
		prng.nextBytes(bytes);
		assertThat(bytes).isEqualTo(Arrays.copyOf(output, bytes.length));
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> prng.nextBytes(bytes))
			.withMessage("The generator is stuck: it repeated its last output");
	}

	/**
	 * A seed that is set on a SHA1PRNG before its first output replaces its own seed, so
	 * generators with equal seeds would return equal bytes.
	 */
	@Test
	void seedSupplementsSeedOfGenerator() throws Exception {
		byte[] first = new byte[BLOCK];
		byte[] second = new byte[BLOCK];
		new JcaPrng(SecureRandom.getInstance("SHA1PRNG"), byte[]::new).nextBytes(first);
		new JcaPrng(SecureRandom.getInstance("SHA1PRNG"), byte[]::new).nextBytes(second);
		assertThat(first).isNotEqualTo(second);
	}

	@Test
	void seedsAreAddedToGenerator() {
		List<String> added = new ArrayList<>();
		SecureRandom random = new SecureRandom() {

			private static final long serialVersionUID = 1L;

			@Override
			public void setSeed(byte[] seed) {
				added.add(HexFormat.of().formatHex(seed));
			}

		};
		byte[] seed = new byte[48];
		seed[0] = 1;
		JcaPrng prng = new JcaPrng(random, (length) -> Arrays.copyOf(seed, length));
		assertThat(added).containsExactly("01" + "00".repeat(47));
		seed[0] = 2;
		prng.reseed();
		assertThat(added).hasSize(2).last().isEqualTo("02" + "00".repeat(47));
		prng.addSeed(new byte[] { 3 });
		assertThat(added).hasSize(3).last().isEqualTo("03");
	}

	@Test
	void seedIsWiped() {
		byte[] seed = new byte[48];
		Arrays.fill(seed, (byte) 1);
		new JcaPrng(new SecureRandom(), (length) -> seed);
		assertThat(seed).containsOnly(0);
	}

	private static byte[] draw(Consumer<byte[]> fault) {
		SecureRandom faulty = new SecureRandom() {

			private static final long serialVersionUID = 1L;

			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				if (bytes.length == BLOCKS * BLOCK) {
					fault.accept(bytes);
				}
			}

		};
		byte[] bytes = new byte[(BLOCKS - 1) * BLOCK];
		new JcaPrng(faulty, OperatingSystemSeedSource.INSTANCE).nextBytes(bytes);
		return bytes;
	}

}
