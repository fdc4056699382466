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

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs NIST's vectors for {@code AES-256 no df} through {@link CtrDrbg}.
 */
class CtrDrbgNistTests {

	@Test
	void matchesNistVectors() throws IOException {
		List<String> vectors = vectors();
		assertThat(vectors).hasSize(720);
		for (String vector : vectors) {
			String[] columns = vector.split(",");
			assertThat(returnedBits(columns)).as(vector).isEqualTo(columns[8]);
		}
	}

	private static String returnedBits(String[] columns) {
		Deque<byte[]> seeds = new ArrayDeque<>(List.of(bytes(columns[0])));
		CtrDrbg drbg = new CtrDrbg((length) -> seeds.remove(), input(columns[1]));
		if (!columns[2].isEmpty()) {
			seeds.add(bytes(columns[2]));
			drbg.reseed(input(columns[3]));
		}
		byte[] output = new byte[bytes(columns[8]).length];
		generate(drbg, output, input(columns[4]), columns[5], seeds);
		generate(drbg, output, input(columns[6]), columns[7], seeds);
		assertThat(seeds).isEmpty();
		return HexFormat.of().formatHex(output);
	}

	/**
	 * With prediction resistance, reseeding uses the additional input (section 9.3.1).
	 */
	private static void generate(CtrDrbg drbg, byte[] output, byte @Nullable [] additionalInput, String seed,
			Deque<byte[]> seeds) {
		if (seed.isEmpty()) {
			drbg.generate(output, 0, output.length, additionalInput);
		}
		else {
			seeds.add(bytes(seed));
			drbg.reseed(additionalInput);
			drbg.generate(output, 0, output.length, null);
		}
	}

	private static byte @Nullable [] input(String hex) {
		return hex.isEmpty() ? null : bytes(hex);
	}

	private static byte[] bytes(String hex) {
		return HexFormat.of().parseHex(hex);
	}

	private static List<String> vectors() throws IOException {
		try (InputStream file = CtrDrbgNistTests.class.getResourceAsStream("ctr-drbg-aes256-no-df.csv")) {
			assertThat(file).isNotNull();
			String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
			return text.lines().filter((line) -> !line.startsWith("#") && !line.startsWith("EntropyInput")).toList();
		}
	}

}
