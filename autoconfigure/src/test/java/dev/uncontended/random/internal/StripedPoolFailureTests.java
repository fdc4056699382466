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
import java.security.Security;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import dev.uncontended.random.RefillFailure;
import dev.uncontended.random.internal.FaultyProvider.Fault;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.THROWABLE;

/**
 * Tests for {@link StripedPool} with a failing generator.
 */
class StripedPoolFailureTests {

	private static final int SLOTS = 32;

	private final FaultyProvider provider = new FaultyProvider();

	private StripedPool pool;

	@BeforeEach
	void setUp() {
		Security.addProvider(this.provider);
		this.pool = new StripedPool(RandomAlgorithm.of("Faulty", FaultyProvider.NAME), 2, SLOTS * 16,
				Duration.ofHours(1));
	}

	@AfterEach
	void tearDown() {
		Security.removeProvider(FaultyProvider.NAME);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "NONE", "REPEATS_ITSELF", "SLOW" })
	void failedRefillIsNotHandedOut(Fault fault) {
		useUp();
		this.provider.fail(fault);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
		this.provider.fail(Fault.NONE);
		for (int i = 0; i < 3 * SLOTS; i++) {
			assertNoZeros(draw());
		}
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = { "NONE", "REPEATS_ITSELF", "SLOW" })
	void failedRefillIsNotCounted(Fault fault) {
		useUp();
		this.provider.fail(fault);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
		assertThat(this.pool.stats().draws()).isEqualTo(SLOTS);
		assertThat(this.pool.stats().refillFailures()).isEqualTo(1);
	}

	@Test
	void rejectsOutputThatRepeatsLastRefill() {
		useUp();
		this.provider.fail(Fault.REPEATS_ITSELF);
		useUp();
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
	}

	@Test
	void generatorIsReplacedIfItRejectsSeed() {
		AtomicInteger generators = new AtomicInteger();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(generators.incrementAndGet()) {

			@Override
			public void addSeed(byte[] seed) {
				throw new ProviderException("Broken on purpose");
			}

		}, 1, SLOTS * 16, Duration.ofHours(1), System::nanoTime);
		assertThat(pool.draw(NumberedSlot::new).generator()).isEqualTo(1);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> pool.addSeed(new byte[] { 1 }));
		for (int i = 0; i < SLOTS; i++) {
			pool.draw(NumberedSlot::new);
		}
		assertThat(pool.draw(NumberedSlot::new).generator()).isEqualTo(2);
	}

	@Test
	void failureOfRefillIsNotReplacedByFailureOfWipe() {
		StripedPool pool = poolWithFailingWipe();
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> pool.draw(NumberedSlot::new))
			.withMessage("No bytes")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement(THROWABLE).hasMessage("No wipe"));
		assertThat(pool.stats().lastFailure()).extracting(RefillFailure::type)
			.isEqualTo(ProviderException.class.getName());
	}

	@Test
	void failureOfSeedIsNotReplacedByFailureOfWipe() {
		StripedPool pool = poolWithFailingWipe();
		assertThatExceptionOfType(ProviderException.class).isThrownBy(() -> pool.addSeed(new byte[] { 1 }))
			.withMessage("No seed")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement(THROWABLE).hasMessage("No wipe"));
	}

	@Test
	void failureOfWipeMayBeTheSameThrowable() {
		StackOverflowError error = new StackOverflowError();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {

			@Override
			public void nextBytes(byte[] bytes) {
				throw error;
			}

			@Override
			public void wipe() {
				throw error;
			}

		}, 1, SLOTS * 16, Duration.ofHours(1), System::nanoTime);
		assertThatThrownBy(() -> pool.draw(NumberedSlot::new)).isSameAs(error);
	}

	@Test
	void bytesOfFailedRefillAreZeroed() {
		AtomicReference<byte[]> filled = new AtomicReference<>();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {

			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				filled.set(bytes);
				throw new OutOfMemoryError("On purpose");
			}

		}, 1, SLOTS * 16, Duration.ofHours(1), System::nanoTime);
		assertThatThrownBy(() -> pool.draw(NumberedSlot::new)).isInstanceOf(OutOfMemoryError.class);
		assertThat(filled.get()).containsOnly(0);
	}

	private static StripedPool poolWithFailingWipe() {
		return new StripedPool(() -> new NumberingPrng(1) {

			@Override
			public void nextBytes(byte[] bytes) {
				throw new ProviderException("No bytes");
			}

			@Override
			public void addSeed(byte[] seed) {
				throw new ProviderException("No seed");
			}

			@Override
			public void wipe() {
				throw new IllegalStateException("No wipe");
			}

		}, 1, SLOTS * 16, Duration.ofHours(1), System::nanoTime);
	}

	@Test
	void reportsFailedRefill() {
		useUp();
		this.provider.fail(Fault.THROWS_HALFWAY);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw).withMessage("Broken on purpose");
		RefillFailure failure = this.pool.stats().lastFailure();
		assertThat(failure).isNotNull();
		assertThat(failure.type()).isEqualTo(ProviderException.class.getName());
		this.provider.fail(Fault.NONE);
		draw();
		assertThat(this.pool.stats().lastFailure()).isNull();
	}

	@Test
	void suspendClearsLastFailure() {
		useUp();
		this.provider.fail(Fault.THROWS_HALFWAY);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
		this.pool.suspend();
		assertThat(this.pool.stats().lastFailure()).isNull();
		assertThat(this.pool.stats().refillFailures()).isEqualTo(1);
	}

	@ParameterizedTest
	@EnumSource(mode = EnumSource.Mode.EXCLUDE,
			names = { "NONE", "REPEATS_ITSELF", "REPEATS_SEVEN_BLOCKS", "LEAVES_A_HOLE", "SLOW" })
	void propagatesFailureWhileSuspended(Fault fault) {
		this.pool.suspend();
		this.provider.fail(fault);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(this::draw);
		this.provider.fail(Fault.NONE);
		assertNoZeros(draw());
	}

	private void useUp() {
		for (int i = 0; i < SLOTS; i++) {
			draw();
		}
	}

	private byte[] draw() {
		byte[] bytes = new byte[16];
		this.pool.nextBytes(bytes);
		return bytes;
	}

	private static void assertNoZeros(byte[] bytes) {
		assertThat(bytes).doesNotContain(0);
	}

}
