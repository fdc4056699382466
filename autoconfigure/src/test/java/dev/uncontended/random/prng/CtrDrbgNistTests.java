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

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs NIST's vectors for {@code AES-256 no df} through {@link CtrDrbg}.
 */
class CtrDrbgNistTests {

	@ParameterizedTest
	@CsvSource({ "ctr-drbg-aes256-no-df.csv, 480", "ctr-drbg-aes256-no-df-acvp.csv, 30" })
	void matchesNistVectors(String file, int count) throws IOException {
		List<String> vectors = vectors(file);
		assertThat(vectors).hasSize(count);
		for (String vector : vectors) {
			String[] columns = vector.split(",");
			assertThat(returnedBits(columns)).as(vector).isEqualTo(columns[8]);
		}
	}

	private static String returnedBits(String[] columns) {
		Deque<byte[]> seeds = new ArrayDeque<>(List.of(seed(columns[0], columns[1])));
		CtrDrbg drbg = new CtrDrbg((length) -> seeds.remove());
		reseed(drbg, columns[2], columns[3], seeds);
		byte[] output = new byte[bytes(columns[8]).length];
		reseed(drbg, columns[5], columns[4], seeds);
		drbg.nextBytes(output);
		reseed(drbg, columns[7], columns[6], seeds);
		drbg.nextBytes(output);
		assertThat(seeds).isEmpty();
		return HexFormat.of().formatHex(output);
	}

	private static void reseed(CtrDrbg drbg, String entropy, String input, Deque<byte[]> seeds) {
		if (!entropy.isEmpty()) {
			seeds.add(seed(entropy, input));
			drbg.reseed();
		}
	}

	/**
	 * Without a derivation function, a seed is the entropy XOR the personalization string
	 * or additional input (sections 10.2.1.3.1 and 10.2.1.4.1). With prediction
	 * resistance, reseeding uses the additional input of a request (section 9.3.1).
	 */
	private static byte[] seed(String entropy, String input) {
		byte[] seed = bytes(entropy);
		byte[] other = bytes(input);
		for (int i = 0; i < other.length; i++) {
			seed[i] ^= other[i];
		}
		return seed;
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	private static List<String> vectors(String file) throws IOException {
		try (InputStream vectors = CtrDrbgNistTests.class.getResourceAsStream(file)) {
			assertThat(vectors).isNotNull();
			String text = new String(vectors.readAllBytes(), StandardCharsets.US_ASCII);
			return text.lines().filter((line) -> !line.startsWith("#") && !line.startsWith("EntropyInput")).toList();
		}
	}

}
