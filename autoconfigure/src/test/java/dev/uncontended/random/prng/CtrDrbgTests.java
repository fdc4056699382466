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

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CtrDrbg}.
 */
class CtrDrbgTests {

	@Test
	void wipesSeeds() {
		List<byte[]> seeds = new ArrayList<>();
		SeedSource source = (length) -> {
			byte[] seed = new byte[length];
			Arrays.fill(seed, (byte) 1);
			seeds.add(seed);
			return seed;
		};
		new CtrDrbg(source).reseed();
		assertThat(seeds).hasSize(2).allSatisfy((seed) -> assertThat(seed).containsOnly(0));
	}

	@Test
	void matchesTranscriptionOfStandard() throws Exception {
		byte[] entropy = sequence(48, 1);
		CtrDrbg drbg = new CtrDrbg((length) -> entropy.clone());
		PlainCtrDrbg plain = new PlainCtrDrbg(entropy);
		for (int length : new int[] { 1, 15, 16, 17, 31, 100, 4096, 65_535, 65_536 }) {
			byte[] output = new byte[length];
			for (int i = 0; i < 3; i++) {
				drbg.nextBytes(output);
				assertThat(output).isEqualTo(plain.generate(length));
			}
			drbg.reseed();
			plain.update(entropy);
		}
	}

	@Test
	void splitsRequestsAboveLimit() throws Exception {
		byte[] entropy = sequence(48, 1);
		CtrDrbg drbg = new CtrDrbg((length) -> entropy.clone());
		PlainCtrDrbg plain = new PlainCtrDrbg(entropy);
		byte[] output = new byte[2 * 65_536 + 1];
		drbg.nextBytes(output);
		assertThat(Arrays.copyOfRange(output, 0, 65_536)).isEqualTo(plain.generate(65_536));
		assertThat(Arrays.copyOfRange(output, 65_536, 131_072)).isEqualTo(plain.generate(65_536));
		assertThat(Arrays.copyOfRange(output, 131_072, 131_073)).isEqualTo(plain.generate(1));
	}

	@Test
	void reseedsAfterMillionRequests() {
		AtomicInteger seeds = new AtomicInteger();
		CtrDrbg drbg = new CtrDrbg((length) -> {
			seeds.incrementAndGet();
			return sequence(length, 1);
		});
		byte[] output = new byte[1];
		for (int i = 0; i < 1 << 20; i++) {
			drbg.nextBytes(output);
		}
		assertThat(seeds).hasValue(1);
		drbg.nextBytes(output);
		assertThat(seeds).hasValue(2);
	}

	@Test
	void addedSeedChangesOutput() {
		CtrDrbg first = new CtrDrbg((length) -> sequence(length, 1));
		CtrDrbg second = new CtrDrbg((length) -> sequence(length, 1));
		second.addSeed(new byte[] { 1 });
		byte[] firstOutput = new byte[16];
		byte[] secondOutput = new byte[16];
		first.nextBytes(firstOutput);
		second.nextBytes(secondOutput);
		assertThat(firstOutput).isNotEqualTo(secondOutput);
	}

	@Test
	void addedSeedOfAnyLengthUpdatesState() throws Exception {
		byte[] entropy = sequence(48, 1);
		for (int length : new int[] { 1, 47, 48, 49, 100 }) {
			CtrDrbg drbg = new CtrDrbg((seedLength) -> entropy.clone());
			PlainCtrDrbg plain = new PlainCtrDrbg(entropy);
			byte[] seed = sequence(length, 5);
			drbg.addSeed(seed);
			for (int offset = 0; offset < length; offset += 48) {
				plain.update(Arrays.copyOf(Arrays.copyOfRange(seed, offset, Math.min(offset + 48, length)), 48));
			}
			byte[] output = new byte[100];
			drbg.nextBytes(output);
			assertThat(output).isEqualTo(plain.generate(100));
		}
	}

	/**
	 * The entropy is chosen such that all bits of {@code V} are set.
	 */
	@Test
	void counterWrapsAroundWithoutChangingKey() throws Exception {
		byte[] entropy = new PlainCtrDrbg().blocks(3);
		for (int i = 0; i < 16; i++) {
			entropy[32 + i] ^= (byte) 0xFF;
		}
		CtrDrbg drbg = new CtrDrbg((length) -> entropy.clone());
		byte[] output = new byte[100];
		drbg.nextBytes(output);
		assertThat(output).isEqualTo(new PlainCtrDrbg(entropy).generate(100));
	}

	@Test
	void wipedGeneratorThrows() {
		CtrDrbg drbg = new CtrDrbg((length) -> sequence(length, 1));
		drbg.wipe();
		assertThatIllegalStateException().isThrownBy(() -> drbg.nextBytes(new byte[16]));
		assertThatIllegalStateException().isThrownBy(drbg::reseed);
	}

	private static byte[] sequence(int length, int step) {
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) ((i + 1) * step);
		}
		return bytes;
	}

	/**
	 * Transcribes the standard's pseudocode, one block at a time.
	 */
	private static final class PlainCtrDrbg {

		private byte[] key = new byte[32];

		private byte[] v = new byte[16];

		PlainCtrDrbg() {
		}

		PlainCtrDrbg(byte[] entropy) throws GeneralSecurityException {
			update(entropy);
		}

		byte[] generate(int length) throws GeneralSecurityException {
			byte[] output = Arrays.copyOf(blocks((length + 15) / 16), length);
			update(new byte[48]);
			return output;
		}

		private void update(byte[] provided) throws GeneralSecurityException {
			byte[] state = blocks(3);
			for (int i = 0; i < provided.length; i++) {
				state[i] ^= provided[i];
			}
			this.key = Arrays.copyOfRange(state, 0, 32);
			this.v = Arrays.copyOfRange(state, 32, 48);
		}

		private byte[] blocks(int count) throws GeneralSecurityException {
			Cipher cipher = Cipher.getInstance("AES/ECB/NoPadding");
			cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(this.key, "AES"));
			byte[] output = new byte[16 * count];
			for (int i = 0; i < count; i++) {
				BigInteger next = new BigInteger(1, this.v).add(BigInteger.ONE);
				byte[] bytes = next.toByteArray();
				this.v = new byte[16];
				for (int j = 1; j <= Math.min(16, bytes.length); j++) {
					this.v[16 - j] = bytes[bytes.length - j];
				}
				cipher.doFinal(this.v, 0, 16, output, 16 * i);
			}
			return output;
		}

	}

}
