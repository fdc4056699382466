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

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

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
	void drawsNoSlotTwice() {
		StripedPool pool = pool(1, 64);
		Set<Slot> slots = new HashSet<>();
		for (int i = 0; i < 1000; i++) {
			assertThat(slots.add(pool.draw(Slot::new))).isTrue();
		}
		assertThat(slots).noneMatch(Slot::hasZero);
	}

	@Test
	void fillsAnArrayLargerThanABuffer() {
		StripedPool pool = pool(1, 64);
		Slot[] slots = new Slot[1001];
		pool.fill(slots, Slot::new);
		assertThat(Set.of(slots)).hasSize(1001).noneMatch(Slot::hasZero);
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
	void zeroesSlotsAsTheyAreHandedOut() {
		byte[] bytes = new byte[64];
		Arrays.fill(bytes, (byte) 1);
		Batch batch = new Batch(bytes, 4, 1, new Epoch(Epoch.Kind.RUNNING));
		batch.zero(3);
		batch.take(2, 1, new byte[16], 0, 16);
		batch.take(0, 2, new byte[17], 0, 17);
		assertThat(bytes).containsOnly(0);
	}

	@Test
	void wipesAllBytesOfARevokedBatchAndCountsThoseNobodyClaimed() {
		byte[] bytes = new byte[64];
		Arrays.fill(bytes, (byte) 1);
		Batch batch = new Batch(bytes, 4, 1, new Epoch(Epoch.Kind.RUNNING));
		assertThat(batch.claim(4, 1)).isTrue();
		assertThat(batch.revoke()).isEqualTo(3);
		assertThat(bytes).containsOnly(0);
		assertThat(batch.remaining).isZero();
		assertThat(batch.claim(3, 1)).isFalse();
	}

	@Test
	void countsExactlyWhatThirtyTwoThreadsDraw() throws Exception {
		StripedPool pool = pool(2, 64);
		List<Slot> drawn = drawFromThreads(pool, 32, 5000);
		assertThat(new HashSet<>(drawn)).hasSize(32 * 5000).noneMatch(Slot::hasZero);
		PoolStats stats = pool.stats();
		assertThat(stats.draws()).isEqualTo(32 * 5000);
		assertThat(stats.unbuffered()).isZero();
	}

	@Test
	void losesNothingWhileItIsSuspendedAndResumedUnderLoad() throws Exception {
		StripedPool pool = pool(2, 64);
		AtomicLong rounds = new AtomicLong();
		Thread operator = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				pool.suspend();
				pool.resume();
				rounds.incrementAndGet();
			}
		});
		operator.start();
		List<Slot> drawn = drawFromThreads(pool, 8, 5000);
		operator.interrupt();
		operator.join();
		assertThat(rounds).hasPositiveValue();
		assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(Slot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
	}

	@Test
	void handsOutNothingFromBeforeASuspension() {
		StripedPool pool = pool(4, 64);
		pool.draw(Slot::new);
		pool.suspend();
		long before = this.generators.get();
		pool.resume();
		for (int i = 0; i < 100; i++) {
			assertThat(pool.draw(Slot::new).generator()).isGreaterThan(before);
		}
	}

	@Test
	void keepsNothingWhileSuspended() {
		StripedPool pool = pool(1, 64);
		pool.draw(Slot::new);
		pool.suspend();
		Slot first = pool.draw(Slot::new);
		Slot second = pool.draw(Slot::new);
		assertThat(first.generator()).isNotEqualTo(second.generator());
		assertThat(pool.stats().unbuffered()).isEqualTo(2);
		assertThat(pool.stats().draws()).isEqualTo(3);
	}

	@Test
	void refusesDrawsWhenClosed() {
		StripedPool pool = pool(1, 64);
		pool.draw(Slot::new);
		pool.close();
		pool.close();
		assertThatIllegalStateException().isThrownBy(() -> pool.draw(Slot::new)).withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(pool::resume).withMessageContaining("closed");
		assertThat(pool.stats().draws()).isEqualTo(1);
	}

	@Test
	void reseedsAfterTheInterval() {
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {
			@Override
			public void reseed() {
				StripedPoolTests.this.reseeds.incrementAndGet();
			}
		}, 1, 64, Duration.ofNanos(100), this.now::get);
		Slot[] buffer = new Slot[4];
		pool.fill(buffer, Slot::new);
		this.now.set(99);
		pool.fill(buffer, Slot::new);
		assertThat(pool.stats().reseeds()).isZero();
		this.now.set(100);
		pool.fill(buffer, Slot::new);
		assertThat(pool.stats().reseeds()).isOne();
		assertThat(this.reseeds).hasValue(1);
		this.now.set(199);
		pool.fill(buffer, Slot::new);
		assertThat(pool.stats().reseeds()).isOne();
	}

	@Test
	void passesOverAStripeWhoseRefillerIsAway() throws Exception {
		CountDownLatch filling = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		AtomicLong calls = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				if (calls.incrementAndGet() == 1) {
					filling.countDown();
					awaitUninterruptibly(finish);
				}
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, this.now::get);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<Slot> stopped = executor.submit(() -> pool.draw(Slot::new));
			filling.await();
			Set<Slot> drawn = new HashSet<>();
			for (int i = 0; i < 100; i++) {
				drawn.add(pool.draw(Slot::new));
			}
			finish.countDown();
			drawn.add(stopped.get());
			assertThat(drawn).hasSize(101);
			assertThat(pool.stats().draws()).isEqualTo(101);
			assertThat(pool.stats().contended()).isPositive();
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void aClaimOfTheCurrentBatchIsNotValidAfterASuspension() {
		StripedPool pool = pool(1, 64);
		StripedPool.Claim claim = pool.claim(1);
		assertThat(pool.isValid(claim.batch)).isTrue();
		pool.suspend();
		assertThat(pool.isValid(claim.batch)).isFalse();
		pool.resume();
		assertThat(pool.isValid(claim.batch)).isFalse();
	}

	@Test
	void aClaimOfABatchThatWasReplacedIsNotValidAfterASuspension() {
		StripedPool pool = pool(1, 64);
		StripedPool.Claim claim = pool.claim(1);
		for (int i = 0; i < 10; i++) {
			pool.draw(Slot::new);
		}
		assertThat(pool.isValid(claim.batch)).isTrue();
		pool.suspend();
		pool.resume();
		assertThat(pool.isValid(claim.batch)).isFalse();
	}

	@Test
	void aDrawOfASuspendedPoolIsMadeAgainIfItIsResumedMeanwhile() throws Exception {
		CountDownLatch filled = new CountDownLatch(1);
		CountDownLatch resumed = new CountDownLatch(1);
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				filled.countDown();
				awaitUninterruptibly(resumed);
			}
		}, 1, 64, Duration.ZERO, this.now::get);
		pool.suspend();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<Slot> drawn = executor.submit(() -> pool.draw(Slot::new));
			filled.await();
			pool.resume();
			resumed.countDown();
			assertThat(drawn.get().generator()).isGreaterThan(1);
			assertThat(pool.stats().draws()).isOne();
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void aDrawThatIsUnderWayWhenThePoolIsClosedGetsFreshBits() throws Exception {
		for (int round = 0; round < 200; round++) {
			StripedPool closing = pool(1, 64);
			closing.draw(Slot::new);
			Thread closer = new Thread(closing::close);
			closer.start();
			int draws = 1;
			try {
				while (true) {
					assertThat(closing.draw(Slot::new).hasZero()).isFalse();
					draws++;
				}
			}
			catch (IllegalStateException ex) {
				closer.join();
				assertThat(closing.stats().draws()).isEqualTo(draws);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(ints = { 64, 128, 8192 })
	void neverCountsLessThanBefore(int bufferSize) throws Exception {
		StripedPool pool = pool(2, bufferSize);
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(2);
		try {
			executor.submit(() -> {
				while (!done.get()) {
					pool.suspend();
					pool.resume();
				}
			});
			Future<Boolean> monotonic = executor.submit(() -> {
				long before = 0;
				while (!done.get()) {
					long count = pool.stats().draws();
					if (count < before) {
						return false;
					}
					before = count;
				}
				return true;
			});
			List<Slot> drawn = drawFromThreads(pool, 8, 5000);
			done.set(true);
			assertThat(monotonic.get()).isTrue();
			assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(Slot::hasZero);
			assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
		}
		finally {
			done.set(true);
			executor.shutdown();
		}
	}

	@Test
	void aFunctionMayDrawFromThePoolItself() {
		StripedPool pool = pool(1, 64);
		Set<Slot> inner = new HashSet<>();
		Slot[] outer = new Slot[1000];
		pool.fill(outer, (generator, number) -> {
			for (int i = 0; i < 3; i++) {
				inner.add(pool.draw(Slot::new));
			}
			Slot[] more = new Slot[5];
			pool.fill(more, Slot::new);
			inner.addAll(List.of(more));
			return new Slot(generator, number);
		});
		inner.addAll(List.of(outer));
		assertThat(inner).hasSize(9000).noneMatch(Slot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(9000);
	}

	@Test
	void aFunctionThatThrowsSpoilsNothing() {
		StripedPool pool = pool(1, 64);
		Set<Slot> slots = new HashSet<>();
		for (int i = 0; i < 100; i++) {
			assertThatIllegalStateException().isThrownBy(() -> pool.fill(new Slot[3], (generator, number) -> {
				throw new IllegalStateException();
			}));
			slots.add(pool.draw(Slot::new));
		}
		assertThat(slots).hasSize(100).noneMatch(Slot::hasZero);
	}

	@Test
	void addsUpHowLongRefillsTake() {
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1), 1, 64, Duration.ZERO,
				() -> this.now.getAndAdd(10));
		pool.fill(new Slot[8], Slot::new);
		assertThat(pool.stats().refills()).isEqualTo(2);
		assertThat(pool.stats().refillNanos()).isEqualTo(20);
	}

	@Test
	void roundsStripesUpToAPowerOfTwo() {
		assertThat(pool(5, 64).stats().stripes()).hasSize(8);
		assertThat(pool(1, 64).stats().stripes()).hasSize(1);
		assertThat(pool(1024, 64).stats().stripes()).hasSize(1024);
	}

	@ParameterizedTest
	@ValueSource(ints = { -1, 0, 1025 })
	void refusesStripesOutOfRange(int stripes) {
		assertThatIllegalArgumentException().isThrownBy(() -> pool(stripes, 64))
			.withMessage("stripes must be from 1 to 1024, but is " + stripes);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 48, 100, (1 << 20) + 16 })
	void refusesBufferSizesOutOfRange(int bufferSize) {
		assertThatIllegalArgumentException().isThrownBy(() -> pool(1, bufferSize))
			.withMessage("bufferSize must be a multiple of 16 bytes from 64 to 1048576, but is " + bufferSize);
	}

	@Test
	void refusesANegativeReseedInterval() {
		assertThatIllegalArgumentException()
			.isThrownBy(() -> new StripedPool(RandomAlgorithm.of("CTR_DRBG", null), 1, 64, Duration.ofSeconds(-1)))
			.withMessage("reseedInterval must not be negative, but is PT-1S");
	}

	private StripedPool pool(int stripes, int bufferSize) {
		return new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()), stripes, bufferSize,
				Duration.ZERO, this.now::get);
	}

	private static List<Slot> drawFromThreads(StripedPool pool, int threads, int draws) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			List<Future<List<Slot>>> results = new ArrayList<>();
			for (int thread = 0; thread < threads; thread++) {
				results.add(executor.submit(() -> {
					List<Slot> slots = new ArrayList<>();
					for (int i = 0; i < draws; i++) {
						slots.add(pool.draw(Slot::new));
					}
					return slots;
				}));
			}
			List<Slot> all = new ArrayList<>();
			for (Future<List<Slot>> result : results) {
				all.addAll(result.get());
			}
			return all;
		}
		finally {
			executor.shutdown();
		}
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	record Slot(long generator, long number) {

		boolean hasZero() {
			return this.generator == 0 || this.number == 0;
		}

	}

	/** Writes no zero bytes, and never the same block twice in a row. */
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
