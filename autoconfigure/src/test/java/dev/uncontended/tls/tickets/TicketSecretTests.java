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
package dev.uncontended.tls.tickets;

import java.util.HexFormat;

import javax.crypto.spec.SecretKeySpec;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link TicketSecret}.
 */
class TicketSecretTests {

	private static final String SECRET = "0123456789abcdef0123456789abcdef";

	/**
	 * Test cases 1 to 3 of RFC 5869, appendix A. A missing salt equals a hash length of
	 * zeros.
	 */
	@ParameterizedTest
	@CsvSource(
			textBlock = """
					0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b, 000102030405060708090a0b0c, f0f1f2f3f4f5f6f7f8f9, 42, 3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865
					000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f202122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f404142434445464748494a4b4c4d4e4f, 606162636465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9fa0a1a2a3a4a5a6a7a8a9aaabacadaeaf, b0b1b2b3b4b5b6b7b8b9babbbcbdbebfc0c1c2c3c4c5c6c7c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff, 82, b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c65e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87
					0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b, 0000000000000000000000000000000000000000000000000000000000000000, '', 42, 8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8
					""")
	void derivesLikeRfc5869(String input, String salt, String info, int length, String output) {
		HexFormat hex = HexFormat.of();
		SecretKeySpec key = TicketSecret.extract(hex.parseHex(salt), hex.parseHex(input));
		assertThat(hex.formatHex(TicketSecret.expand(key, hex.parseHex(info), length))).isEqualTo(output);
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|',
			textBlock = """
					correct horse battery staple                    | secret must be at least 32 bytes, but was 28
					${TICKET_SECRET}                                | secret must not contain '${', which an unresolved placeholder leaves
					0123456789abcdef${REST}0123456789abcdef         | secret must not contain '${', which an unresolved placeholder leaves
					aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa | secret must be random, but repeats a single character
					""",
			quoteCharacter = '"')
	void rejectsWhatIsNotRandom(String secret, String message) {
		assertThatIllegalArgumentException().isThrownBy(() -> new TicketSecret(secret)).withMessage(message);
	}

	@Test
	void countsBytesInsteadOfCharacters() {
		assertThat(new TicketSecret("äö".repeat(8))).isNotNull();
	}

	@Test
	void toStringContainsNoSecret() {
		assertThat(new TicketSecret(SECRET)).hasToString("TicketSecret[***]");
	}

}
