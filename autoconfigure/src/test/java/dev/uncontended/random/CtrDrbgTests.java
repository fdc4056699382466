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

package dev.uncontended.random;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

import javax.crypto.Cipher;
import javax.crypto.spec.SecretKeySpec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link CtrDrbg}, with vectors of NIST's CAVP ({@code CTR_DRBG.rsp},
 * {@code AES-256 no df}).
 */
class CtrDrbgTests {

	@Test
	void matchesNistVector1() {
		assertThat(secondOutput(
				"e4bc23c5089a19d86f4119cb3fa08c0a4991e0a1def17e101e4c14d9c323460a" + "7c2fb58e0b086c6c57b55f56cae25bad",
				"fd85a836bba85019881e8c6bad23c9061adc75477659acaea8e4a01dfe07a183" + "2dad1c136f59d70f8653a5dc118663d6",
				null, null, null))
			.isEqualTo("b2cb8905c05e5950ca31895096be29ea3d5a3b82b269495554eb80fe07de43e1"
					+ "93b9e7c3ece73b80e062b1c1f68202fbb1c52a040ea2478864295282234aaada");
	}

	@Test
	void matchesNistVector2() {
		assertThat(secondOutput(
				"edfdb55e77d418a63e4414dfd42225ed257cf74e99325fba26e8f3a4524a71bc" + "80a731af23256908cb4675a9c253ea6f",
				"a9372fea93d607fbbc75a97b7f65f2d4ae8c06bd184981572e888a35c5794d2b" + "b380a4ae04bba27f2efcc9e7914b96dc",
				null, null, null))
			.isEqualTo("11b1a0f0bb935ec0c54e089e0cd20832d1f00e7069f30e9ea2e35b7f15ecf057"
					+ "7d0e90035bf0f91ffd9e8a1fa8a507503739afbec19393e02c9b7c230cdea36f");
	}

	@Test
	void matchesNistVector3() {
		assertThat(secondOutput(
				"99903165903fea49c2db26ed675e44cc14cb2c1f28b836b203240b02771e8311" + "46ffc4335373bb344688c5c950670291",
				"b4ee99fa9e0eddaf4a3612013cd636c4af69177b43eebb3c58a305b9979b68b5" + "cc820504f6c029aad78a5d29c66e84a0",
				"2d8c5c28b05696e74774eb69a10f01c5fabc62691ddf7848a8004bb5eeb4d2c5" + "febe1aa01f4d557b23d7e9a0e4e90655",
				"0dc9cde42ac6e856f01a55f219c614de90c659260948db5053d414bab0ec2e13" + "e995120c3eb5aafc25dc4bdcef8ace24",
				"711be6c035013189f362211889248ca8a3268e63a7eb26836d915810a680ac4a"
						+ "33cd1180811a31a0f44f08db3dd64f91"))
			.isEqualTo("11c7a0326ea737baa7a993d510fafee5374e7bbe17ef0e3e29f50fa68aac2124"
					+ "b017d449768491cac06d136d691a4e80785739f9aaedf311bba752a3268cc531");
	}

	@Test
	void matchesAPlainTranscriptionOfTheStandard() throws Exception {
		byte[] entropy = sequence(48, 1);
		CtrDrbg drbg = new CtrDrbg((length) -> entropy.clone(), sequence(20, 3));
		PlainCtrDrbg plain = new PlainCtrDrbg(entropy, sequence(20, 3));
		for (int length : new int[] { 0, 1, 15, 16, 17, 31, 100, 4096, 65_535, 65_536 }) {
			for (byte[] additionalInput : new byte[][] { null, sequence(48, 7), sequence(5, 9) }) {
				byte[] output = new byte[length];
				drbg.generate(output, 0, length, additionalInput);
				assertThat(output).isEqualTo(plain.generate(length, additionalInput));
			}
			drbg.reseed(sequence(11, 2));
			plain.reseed(entropy, sequence(11, 2));
		}
	}

	@Test
	void splitsRequestsAboveTheLimitOfTheStandard() throws Exception {
		byte[] entropy = sequence(48, 1);
		CtrDrbg drbg = new CtrDrbg((length) -> entropy.clone(), null);
		PlainCtrDrbg plain = new PlainCtrDrbg(entropy, new byte[0]);
		byte[] output = new byte[2 * 65_536 + 1];
		drbg.nextBytes(output);
		assertThat(Arrays.copyOfRange(output, 0, 65_536)).isEqualTo(plain.generate(65_536, null));
		assertThat(Arrays.copyOfRange(output, 65_536, 131_072)).isEqualTo(plain.generate(65_536, null));
		assertThat(Arrays.copyOfRange(output, 131_072, 131_073)).isEqualTo(plain.generate(1, null));
	}

	@Test
	void reseedsAfterAMillionRequests() {
		AtomicInteger seeds = new AtomicInteger();
		CtrDrbg drbg = new CtrDrbg((length) -> {
			seeds.incrementAndGet();
			return sequence(length, 1);
		}, null);
		byte[] output = new byte[1];
		for (int i = 0; i < 1 << 20; i++) {
			drbg.nextBytes(output);
		}
		assertThat(seeds).hasValue(1);
		drbg.nextBytes(output);
		assertThat(seeds).hasValue(2);
	}

	@Test
	void anAddedSeedChangesTheOutput() {
		CtrDrbg first = new CtrDrbg((length) -> sequence(length, 1), null);
		CtrDrbg second = new CtrDrbg((length) -> sequence(length, 1), null);
		second.addSeed(new byte[] { 1 });
		byte[] firstOutput = new byte[16];
		byte[] secondOutput = new byte[16];
		first.nextBytes(firstOutput);
		second.nextBytes(secondOutput);
		assertThat(firstOutput).isNotEqualTo(secondOutput);
	}

	@Test
	void isOfNoUseOnceWiped() {
		CtrDrbg drbg = new CtrDrbg((length) -> sequence(length, 1), null);
		drbg.wipe();
		assertThatIllegalStateException().isThrownBy(() -> drbg.nextBytes(new byte[16]));
		assertThatIllegalStateException().isThrownBy(drbg::reseed);
	}

	@Test
	void refusesInputThatIsTooLong() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new CtrDrbg((length) -> sequence(length, 1), new byte[49]))
			.withMessageContaining("48");
		CtrDrbg drbg = new CtrDrbg((length) -> sequence(length, 1), null);
		assertThatIllegalArgumentException().isThrownBy(() -> drbg.generate(new byte[16], 0, 16, new byte[49]));
		assertThatIllegalArgumentException().isThrownBy(() -> drbg.reseed(new byte[49]));
	}

	private static byte[] sequence(int length, int step) {
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) ((i + 1) * step);
		}
		return bytes;
	}

	private static String secondOutput(String entropy, String entropyReseed, @Nullable String additionalReseed,
			@Nullable String additional1, @Nullable String additional2) {
		Deque<byte[]> seeds = new ArrayDeque<>(List.of(parse(entropy), parse(entropyReseed)));
		CtrDrbg drbg = new CtrDrbg((length) -> seeds.remove(), null);
		drbg.reseed(parse(additionalReseed));
		byte[] output = new byte[64];
		drbg.generate(output, 0, output.length, parse(additional1));
		drbg.generate(output, 0, output.length, parse(additional2));
		return HexFormat.of().formatHex(output);
	}

	private static byte @Nullable [] parse(@Nullable String hex) {
		return (hex != null) ? HexFormat.of().parseHex(hex) : null;
	}

	/**
	 * The standard's pseudocode, line by line, a block at a time.
	 */
	private static final class PlainCtrDrbg {

		private byte[] key = new byte[32];

		private byte[] v = new byte[16];

		PlainCtrDrbg(byte[] entropy, byte[] personalization) throws GeneralSecurityException {
			reseed(entropy, personalization);
		}

		void reseed(byte[] entropy, byte[] additionalInput) throws GeneralSecurityException {
			byte[] seedMaterial = entropy.clone();
			for (int i = 0; i < additionalInput.length; i++) {
				seedMaterial[i] ^= additionalInput[i];
			}
			update(seedMaterial);
		}

		byte[] generate(int length, byte @Nullable [] additionalInput) throws GeneralSecurityException {
			byte[] provided = new byte[48];
			if (additionalInput != null) {
				System.arraycopy(additionalInput, 0, provided, 0, additionalInput.length);
				update(provided);
			}
			byte[] output = Arrays.copyOf(blocks((length + 15) / 16), length);
			update(provided);
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
