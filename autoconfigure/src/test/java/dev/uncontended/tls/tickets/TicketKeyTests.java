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
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link TicketKey}.
 */
class TicketKeyTests {

	@Test
	void hasThreePartsInOrder() {
		byte[] parts = new byte[48];
		for (int i = 0; i < parts.length; i++) {
			parts[i] = (byte) i;
		}
		TicketKey key = new TicketKey(parts);
		assertThat(key.name()).hasSize(16).startsWith(0, 1).endsWith(15);
		assertThat(key.hmacKey()).hasSize(16).startsWith(16).endsWith(31);
		assertThat(key.aesKey()).hasSize(16).startsWith(32).endsWith(47);
	}

	@Test
	void copiesArguments() {
		byte[] parts = new byte[48];
		TicketKey key = new TicketKey(parts);
		parts[0] = 1;
		key.name()[1] = 1;
		assertThat(key.name()).containsOnly(0);
	}

	@Test
	void destroyedKeyThrows() {
		TicketKey key = TicketKey.generate(new SecureRandom());
		key.destroy();
		assertThat(key.isDestroyed()).isTrue();
		assertThatIllegalStateException().isThrownBy(key::name);
		assertThatIllegalStateException().isThrownBy(key::hmacKey);
		assertThatIllegalStateException().isThrownBy(key::aesKey);
	}

	@Test
	void generatedKeyLeavesNoCopy() {
		AtomicReference<byte[]> buffer = new AtomicReference<>();
		TicketKey key = TicketKey.generate(new SecureRandom() {

			private static final long serialVersionUID = 1L;

			@Override
			public void nextBytes(byte[] bytes) {
				Arrays.fill(bytes, (byte) 1);
				buffer.set(bytes);
			}

		});
		assertThat(key.hmacKey()).containsOnly(1);
		assertThat(buffer.get()).containsOnly(0);
	}

	@Test
	void toStringContainsNoKey() {
		assertThat(TicketKey.generate(new SecureRandom())).hasToString("TicketKey[***]");
	}

}
