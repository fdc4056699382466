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

package dev.uncontended.random.internal;

import java.security.ProviderException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.random.prng.Prng;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link DropIn}.
 */
class DropInTests {

	private final AtomicBoolean failing = new AtomicBoolean();

	private final AtomicLong generators = new AtomicLong();

	private final DropIn dropIn = new DropIn(new FailingWipe());

	@Test
	void failedSecondStartLeavesPoolRunning() {
		this.dropIn.start();
		draw();
		this.failing.set(true);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this.dropIn::start);
		this.failing.set(false);
		draw();
		assertThat(this.dropIn.pool().stats().draws()).isEqualTo(2);
		assertThat(this.dropIn.pool().stats().unbuffered()).isZero();
	}

	@Test
	void failedStartWithOtherSettingsLeavesPoolRunning() {
		this.dropIn.start();
		draw();
		this.failing.set(true);
		assertThatExceptionOfType(ProviderException.class)
			.isThrownBy(() -> this.dropIn.start(2, 64, Duration.ofSeconds(1)));
		this.failing.set(false);
		draw();
		assertThat(this.dropIn.pool().stats().unbuffered()).isZero();
	}

	@Test
	void startedPoolTakesTheSuccessorsPlace() {
		this.dropIn.start();
		draw();
		this.dropIn.stop(new SecureRandom());
		draw();
		assertThat(this.dropIn.pool().stats().draws()).isOne();
		this.dropIn.start();
		draw();
		assertThat(this.dropIn.pool().stats().draws()).isEqualTo(2);
	}

	private void draw() {
		this.dropIn.nextBytes(new byte[16]);
	}

	/** Generators that may fail to be wiped. */
	private final class FailingWipe implements RandomAlgorithm {

		@Override
		public String name() {
			return "FailingWipe";
		}

		@Override
		public String provider() {
			return "Test";
		}

		@Override
		public Prng get() {
			return new NumberingPrng(DropInTests.this.generators.incrementAndGet()) {

				@Override
				public void wipe() {
					if (DropInTests.this.failing.get()) {
						throw new ProviderException("No wipe");
					}
				}

			};
		}

		@Override
		public ColdStart coldStart(int stripes) {
			return ColdStart.none();
		}

	}

}
