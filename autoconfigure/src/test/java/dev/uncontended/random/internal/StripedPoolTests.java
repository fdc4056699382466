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

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link StripedPool}.
 */
class StripedPoolTests {

	private final AtomicLong generators = new AtomicLong();

	private final AtomicLong now = new AtomicLong();

	private final AtomicLong reseeds = new AtomicLong();

	@Test
	void drawsEachSlotOnce() {
		StripedPool pool = pool(1, 64);
		Set<NumberedSlot> slots = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			assertThat(slots.add(pool.draw(NumberedSlot::new))).isTrue();
		}
		assertThat(slots).noneMatch(NumberedSlot::hasZero);
	}

	@Test
	void fillsArrayLargerThanBuffer() {
		StripedPool pool = pool(1, 64);
		NumberedSlot[] slots = new NumberedSlot[1001];
		pool.fill(slots, NumberedSlot::new);
		assertThat(Set.of(slots)).hasSize(1001).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(1001);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 1, 15, 16, 17, 63, 64, 65, 1000, 100_000 })
	void fillsBytesOfAnyLength(int length) {
		StripedPool pool = new StripedPool(OnesPrng::new, 1, 64, Duration.ZERO, this.now::get);
		byte[] bytes = new byte[length];
		pool.nextBytes(bytes);
		assertThat(bytes).satisfies((filled) -> {
			for (byte one : filled) {
				assertThat(one).isNotZero();
			}
		});
		assertThat(pool.stats().draws()).isEqualTo((length + 15) / 16);
	}

	@Test
	void largestArrayIsFilledToItsEnd() {
		assertThat(StripedPool.slots(Integer.MAX_VALUE)).isEqualTo(1 << 27);
	}

	@Test
	void functionMayDrawFromPool() {
		StripedPool pool = pool(1, 64);
		Set<NumberedSlot> inner = new HashSet<>();
		NumberedSlot[] outer = new NumberedSlot[1000];
		pool.fill(outer, (generator, number) -> {
			for (int i = 0; i < 3; i++) {
				inner.add(pool.draw(NumberedSlot::new));
			}
			NumberedSlot[] more = new NumberedSlot[5];
			pool.fill(more, NumberedSlot::new);
			inner.addAll(List.of(more));
			return new NumberedSlot(generator, number);
		});
		inner.addAll(List.of(outer));
		assertThat(inner).hasSize(9000).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(9000);
	}

	@Test
	void throwingFunctionDoesNotAffectLaterDraws() {
		StripedPool pool = pool(1, 64);
		Set<NumberedSlot> slots = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			assertThatIllegalStateException().isThrownBy(() -> pool.fill(new NumberedSlot[3], (generator, number) -> {
				throw new IllegalStateException();
			}));
			slots.add(pool.draw(NumberedSlot::new));
		}
		assertThat(slots).hasSize(100).noneMatch(NumberedSlot::hasZero);
	}

	@Test
	void drawnSlotIsZeroed() {
		StripedPool pool = pool(1, 64);
		Batch.Claim claim = pool.claim(1);
		int next = claim.start() - 1;
		assertThat(claim.batch().second(next)).isNotZero();
		pool.draw(NumberedSlot::new);
		assertThat(claim.batch().first(next)).isZero();
		assertThat(claim.batch().second(next)).isZero();
	}

	@Test
	void slotsAfterThrowingFunctionAreZeroed() {
		StripedPool pool = pool(1, 64);
		Batch batch = pool.claim(1).batch();
		assertThatIllegalStateException().isThrownBy(() -> pool.fill(new NumberedSlot[3], (generator, number) -> {
			throw new IllegalStateException();
		}));
		assertThat(batch.second(0) + batch.second(1) + batch.second(2)).isZero();
	}

	@Test
	void restOfUnpublishedBatchIsZeroed() {
		AtomicReference<StripedPool> pool = new AtomicReference<>();
		AtomicBoolean nested = new AtomicBoolean();
		pool.set(new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {

			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				if (nested.compareAndSet(false, true)) {
					pool.get().draw(NumberedSlot::new);
				}
			}

		}, 1, 64, Duration.ZERO, () -> 0));
		Batch.Claim unpublished = pool.get().claim(1);
		assertThat(pool.get().stats().unbuffered()).isOne();
		for (int slot = 0; slot < unpublished.start(); slot++) {
			assertThat(unpublished.batch().second(slot)).isZero();
		}
		assertThat(unpublished.batch().second(unpublished.start())).isNotZero();
	}

	@Test
	void slotDrawnAfterRevocationIsZeroed() {
		AtomicReference<StripedPool> pool = new AtomicReference<>();
		List<byte[]> filled = new ArrayList<>();
		pool.set(new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {

			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				filled.add(bytes);
				if (filled.size() == 1) {
					pool.get().suspend();
				}
			}

		}, 1, 64, Duration.ZERO, () -> 0));
		assertThat(pool.get().draw(NumberedSlot::new)).isNotNull();
		assertThat(filled).hasSize(2).last(InstanceOfAssertFactories.BYTE_ARRAY).containsOnly(0);
	}

	@Test
	void reseedsAfterInterval() {
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {
			@Override
			public void reseed() {
				StripedPoolTests.this.reseeds.incrementAndGet();
			}
		}, 1, 64, Duration.ofNanos(100), this.now::get);
		NumberedSlot[] buffer = new NumberedSlot[4];
		pool.fill(buffer, NumberedSlot::new);
		this.now.set(99);
		pool.fill(buffer, NumberedSlot::new);
		assertThat(pool.stats().reseeds()).isZero();
		this.now.set(100);
		pool.fill(buffer, NumberedSlot::new);
		assertThat(pool.stats().reseeds()).isOne();
		assertThat(this.reseeds).hasValue(1);
		this.now.set(199);
		pool.fill(buffer, NumberedSlot::new);
		assertThat(pool.stats().reseeds()).isOne();
	}

	@Test
	void seedIsAddedToGeneratorOfNextDraw() {
		Set<byte[]> seeds = new HashSet<>();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void addSeed(byte[] seed) {
				seeds.add(seed);
			}
		}, 4, 64, Duration.ZERO, this.now::get);
		byte[] seed = { 1 };
		pool.addSeed(seed);
		assertThat(seeds).containsExactly(seed);
		assertThat(pool.draw(NumberedSlot::new)).isEqualTo(new NumberedSlot(1, 4));
	}

	@Test
	void sumsTimesOfRefills() {
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1), 1, 64, Duration.ZERO,
				() -> this.now.getAndAdd(10));
		pool.fill(new NumberedSlot[8], NumberedSlot::new);
		assertThat(pool.stats().refills()).isEqualTo(2);
		assertThat(pool.stats().refillNanos()).isEqualTo(20);
	}

	@Test
	void roundsStripesUpToPowerOfTwo() {
		assertThat(pool(5, 64).stats().stripes()).hasSize(8);
		assertThat(pool(1, 64).stats().stripes()).hasSize(1);
		assertThat(pool(1024, 64).stats().stripes()).hasSize(1024);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1025 })
	void rejectsStripesOutOfRange(int stripes) {
		assertThatIllegalArgumentException().isThrownBy(() -> pool(stripes, 64))
			.withMessage("stripes must be from 1 to 1024, but was " + stripes);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 48, 100, (1 << 20) + 16 })
	void rejectsBufferSizesOutOfRange(int bufferSize) {
		assertThatIllegalArgumentException().isThrownBy(() -> pool(1, bufferSize))
			.withMessage("bufferSize must be a multiple of 16 bytes from 64 to 1048576, but was " + bufferSize);
	}

	@Test
	void rejectsNegativeReseedInterval() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofSeconds(-1)))
			.withMessage("reseedInterval must not be negative, but was PT-1S");
	}

	private StripedPool pool(int stripes, int bufferSize) {
		return new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()), stripes, bufferSize,
				Duration.ZERO, () -> 0);
	}

	/** Writes no zero bytes and no equal adjacent blocks. */
	private static final class OnesPrng extends NumberingPrng {

		private int block;

		OnesPrng() {
			super(1);
		}

		@Override
		public void nextBytes(byte[] bytes) {
			for (int i = 0; i < bytes.length; i++) {
				if (i % 16 == 0) {
					this.block = this.block % 127 + 1;
				}
				bytes[i] = (byte) this.block;
			}
		}

	}

}
