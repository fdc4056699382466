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

package dev.uncontended.tls;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SipHash}.
 */
class SipHashTests {

	private final SipHash hash = new SipHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

	/**
	 * The test vectors of the authors' reference implementation, which prints the bytes
	 * of each hash; the one of 15 bytes is also in the paper's appendix A.
	 */
	@ParameterizedTest
	@CsvSource({ "0, 726fdb47dd0e0e31", "1, 74f839c593dc67fd", "7, ab0200f58b01d137", "8, 93f5f5799a932462",
			"15, a129ca6149be45e5", "16, 3f2acc7f57c29bdb" })
	void returnsTheReferenceValues(int length, String expected) {
		byte[] input = new byte[length];
		for (int i = 0; i < length; i++) {
			input[i] = (byte) i;
		}
		assertThat(Long.toHexString(this.hash.hash(input))).isEqualTo(expected);
	}

	@Test
	void dependsOnTheKey() {
		byte[] input = new byte[32];
		assertThat(SipHash.withRandomKey().hash(input)).isNotEqualTo(SipHash.withRandomKey().hash(input));
	}

}
