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

import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Base64;

import dev.uncontended.AbstractReaderTests;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Verifies that whatever is in the store is either a valid value or ignored.
 */
public class TicketValueReaderTests extends AbstractReaderTests {

	private static final TicketSeal seal = new TicketSeal(new TicketSecret("the secret of the test, 32 bytes"), "test",
			new SecureRandom());

	@Override
	public void check(byte[] input) {
		assertBoundedMemory(input, () -> {
			TicketState state = TicketState.decode(input);
			if (state != null) {
				assertThat(state.encode()).isEqualTo(input);
				assertThat(seal.openState(seal.seal(state))).isEqualTo(state);
				assertThat(TicketState.fresh(new SecureRandom()).merge(state, new SecureRandom()).includes(state))
					.isTrue();
			}
			for (String value : new String[] { new String(input, StandardCharsets.ISO_8859_1),
					Base64.getEncoder().encodeToString(input) }) {
				assertThat(seal.openState(value)).isNull();
				assertThat(seal.openReport(value)).isNull();
			}
		});
	}

}
