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

package dev.uncontended.tls.redis;

import java.security.SecureRandom;
import java.time.Duration;

import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketSecret;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedKey} and its record.
 */
class SharedKeyTests {

	private static final String ID = "0".repeat(32);

	private static final End END = new End(1, 2, "a".repeat(32));

	private final TicketKey key = TicketKey.generate(new SecureRandom());

	@ParameterizedTest
	@CsvSource({ "9001, true", "9000, false", "10000, true", "10999, true", "11000, false" })
	void isCurrentFromOneLifetimeBeforeActivationToExpiry(long now, boolean current) {
		assertThat(new SharedKey(ID, "", End.NONE, 10_000, 11_000, this.key).isCurrent(now)).isEqualTo(current);
	}

	@Test
	void announcementIsReadWithEveryGenerationAndFormat() {
		Announcement announcement = new Announcement(1, 2, Duration.ofSeconds(90), true, END);
		String sealed = records(0, 3).sealAnnouncement(announcement, END);
		assertThat(records(0, 3).openAnnouncement(sealed)).isEqualTo(announcement);
		assertThat(records(7, 3).openAnnouncement(sealed)).isEqualTo(announcement);
		assertThat(records(0, 4).openAnnouncement(sealed))
			.isEqualTo(new Announcement(1, 2, Duration.ofSeconds(90), true, null));
		assertThat(records(0, 3).openEnd(sealed)).isNull();
	}

	private static SealedRecords records(int generation, int format) {
		return new SealedRecords(new TicketSecret("a secret of the test, 32 bytes..", generation), format, "test",
				new SecureRandom());
	}

	@Test
	void recordBelongsToItsField() {
		SealedRecords records = new SealedRecords(new TicketSecret("a secret of the test, 32 bytes.."),
				RedisTicketKeySource.FORMAT, "test", new SecureRandom());
		String record = records.sealKey(ID, End.NONE, 1, 2, this.key);
		assertThat(records.openKey(ID, record)).isNotNull();
		assertThat(records.openKey("1".repeat(32), record)).isNull();
	}

}
