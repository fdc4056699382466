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

package dev.uncontended.random;

import java.security.DrbgParameters;
import java.security.DrbgParameters.Capability;
import java.util.concurrent.atomic.AtomicInteger;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for how often {@link CtrDrbgSpi} asks for a seed.
 */
class CtrDrbgSpiTests {

	private final AtomicInteger seeds = new AtomicInteger();

	@Test
	void isSeededOnceWithoutPredictionResistance() {
		CtrDrbgSpi spi = counting(null);
		spi.engineNextBytes(new byte[100]);
		spi.engineNextBytes(new byte[100]);
		assertThat(this.seeds).hasValue(1);
	}

	@Test
	void isSeededAgainForEachRequestWithPredictionResistance() {
		CtrDrbgSpi spi = counting(DrbgParameters.instantiation(256, Capability.PR_AND_RESEED, null));
		spi.engineNextBytes(new byte[100]);
		spi.engineNextBytes(new byte[100]);
		assertThat(this.seeds).hasValue(3);
	}

	@Test
	void isSeededAgainForTheRequestThatAsksForPredictionResistance() {
		CtrDrbgSpi spi = counting(DrbgParameters.instantiation(256, Capability.PR_AND_RESEED, null));
		spi.engineNextBytes(new byte[100], DrbgParameters.nextBytes(-1, true, new byte[48]));
		spi.engineNextBytes(new byte[100], DrbgParameters.nextBytes(-1, false, new byte[48]));
		assertThat(this.seeds).hasValue(2);
	}

	@Test
	void isSeededAgainWhenItIsAskedTo() {
		CtrDrbgSpi spi = counting(null);
		spi.engineNextBytes(new byte[100]);
		spi.engineReseed(null);
		assertThat(this.seeds).hasValue(2);
	}

	private CtrDrbgSpi counting(@Nullable Object parameters) {
		SeedSource operatingSystem = SeedSource.operatingSystem();
		return new CtrDrbgSpi(parameters) {

			private static final long serialVersionUID = 1L;

			@Override
			SeedSource seedSource() {
				return (length) -> {
					CtrDrbgSpiTests.this.seeds.incrementAndGet();
					return operatingSystem.generate(length);
				};
			}

		};
	}

}
