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

import java.security.ProviderException;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HealthTestedSeedSource}.
 */
class HealthTestedSeedSourceTests {

	@Test
	void acceptsDifferentBlocks() {
		AtomicInteger next = new AtomicInteger();
		SeedSource source = new HealthTestedSeedSource((length) -> numbers(length, next));
		assertThat(source.generate(48)).hasSize(48).doesNotContain(0);
		assertThat(source.generate(1)).hasSize(1);
	}

	@Test
	void rejectsRepeatedBlock() {
		assertThatIsRefused((length) -> new byte[length]);
	}

	@Test
	void rejectsRepeatedBlockAtEnd() {
		AtomicInteger next = new AtomicInteger();
		assertThatIsRefused((length) -> {
			byte[] bytes = numbers(length, next);
			System.arraycopy(bytes, length - 32, bytes, length - 16, 16);
			return bytes;
		});
	}

	@Test
	void rejectsRepeatedResult() {
		assertThatIsRefused((length) -> numbers(length, new AtomicInteger()));
	}

	@Test
	void rejectsShortResult() {
		AtomicInteger next = new AtomicInteger();
		assertThatIsRefused((length) -> numbers(length - 1, next));
	}

	@Test
	void propagatesExceptionOfSource() {
		SeedSource source = new HealthTestedSeedSource((length) -> {
			throw new ProviderException("no entropy");
		});
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> source.generate(48))
			.withMessage("no entropy");
	}

	@Test
	void acceptsOperatingSystem() {
		assertThat(OperatingSystemSeedSource.INSTANCE.generate(48)).hasSize(48)
			.isNotEqualTo(OperatingSystemSeedSource.INSTANCE.generate(48));
	}

	private static void assertThatIsRefused(SeedSource source) {
		assertThatExceptionOfType(ProviderException.class)
			.isThrownBy(() -> new HealthTestedSeedSource(source).generate(48))
			.withMessageContaining("entropy source");
		assertThatExceptionOfType(ProviderException.class)
			.isThrownBy(() -> new CtrDrbg(new HealthTestedSeedSource(source), null));
	}

	private static byte[] numbers(int length, AtomicInteger next) {
		byte[] bytes = new byte[length];
		for (int i = 0; i < length; i++) {
			bytes[i] = (byte) (1 + next.getAndIncrement() % 127);
		}
		return bytes;
	}

}
