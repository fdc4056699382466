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

import java.security.SecureRandom;
import java.util.Base64;

import dev.uncontended.tls.tickets.TicketSeal.Report;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TicketSeal}. Another program has calculated the sealed values.
 */
class TicketSealTests {

	private static final String SECRET = "the secret of the test, 32 bytes";

	private static final String STATE = "AAECAwQFBgcICQoLJijZuX6RTlkr4Y7akwA3naIingH2Sy62bI69/NmZdvJruNizkpr5ZJqz"
			+ "SfJo09XojCdcqvD5LxZ0qMPh7fvRN9/Yu6CnaSrD36V/FmF1wvKsoMvn8EE=";

	private static final String REPORT = "AQEjRWeJq83vAAAAAAAAACoAAAAABAAAADwRIjNEVWZ3iLI6GFNV1tdtHG/wTyykeKk=";

	private static final Report CONTENT = new Report(0x0123456789abcdefL, 42, false, 4, 60, 0x1122334455667788L);

	private final TicketSecret secret = new TicketSecret(SECRET);

	private final TicketSeal seal = new TicketSeal(this.secret, "test", new SecureRandom());

	@Test
	void namesAreFixed() {
		assertThat(this.seal.stateName()).isEqualTo("test:4:9a2e0ce760a1554687a5f272816dbc1f");
		assertThat(this.seal.reportsName()).isEqualTo("test:nodes:9a2e0ce760a1554687a5f272816dbc1f");
		assertThat(TicketSeal.field(0xabcdefL)).isEqualTo("0000000000abcdef");
	}

	@Test
	void sealedStateIsFixed() {
		TicketState state = TicketStateTests.example();
		assertThat(this.seal.openState(STATE)).isEqualTo(state);
		assertThat(this.seal.openState(this.seal.seal(state))).isEqualTo(state);
	}

	@Test
	void statesWithManyEndsCanBeReadAndNoLongerOneIsWritten() {
		TicketState state = TicketStateTests.withEnds(98_000);
		assertThat(this.seal.openState(this.seal.seal(state))).isEqualTo(state);
		assertThatIllegalStateException().isThrownBy(() -> this.seal.seal(TicketStateTests.withEnds(99_000)))
			.withMessageContaining("key-prefix");
	}

	@Test
	void nonceIsRandom() {
		TicketState state = TicketStateTests.example();
		assertThat(this.seal.seal(state).substring(0, 16)).isNotEqualTo(this.seal.seal(state).substring(0, 16));
	}

	@Test
	void sealedReportIsFixed() {
		assertThat(this.seal.seal(CONTENT)).isEqualTo(REPORT);
		assertThat(this.seal.openReport(REPORT)).isEqualTo(CONTENT);
	}

	@Test
	void everyChangedBitIsNoticed() {
		for (String value : new String[] { STATE, REPORT }) {
			byte[] bytes = Base64.getDecoder().decode(value);
			for (int i = 0; i < 8 * bytes.length; i++) {
				bytes[i / 8] ^= (byte) (1 << i % 8);
				String changed = Base64.getEncoder().encodeToString(bytes);
				assertThat(this.seal.openState(changed)).isNull();
				assertThat(this.seal.openReport(changed)).isNull();
				bytes[i / 8] ^= (byte) (1 << i % 8);
			}
		}
	}

	@Test
	void valuesOfOtherNameOrSecretAreInvalid() {
		for (TicketSeal other : new TicketSeal[] { new TicketSeal(this.secret, "other", new SecureRandom()),
				new TicketSeal(new TicketSecret(SECRET + "!"), "test", new SecureRandom()) }) {
			assertThat(other.openState(STATE)).isNull();
			assertThat(other.openReport(REPORT)).isNull();
		}
	}

	@Test
	void malformedValuesAreInvalid() {
		for (String value : new String[] { "", "=", "AAAA", "not base64", "A".repeat(2 << 20) }) {
			assertThat(this.seal.openState(value)).isNull();
			assertThat(this.seal.openReport(value)).isNull();
		}
		assertThat(this.seal.openState(null)).isNull();
	}

}
