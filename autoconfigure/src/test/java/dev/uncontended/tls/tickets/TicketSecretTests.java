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
