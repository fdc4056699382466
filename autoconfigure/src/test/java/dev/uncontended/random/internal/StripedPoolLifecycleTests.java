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
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import dev.uncontended.random.prng.Prng;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for suspended, resumed and closed {@link StripedPool}s.
 */
class StripedPoolLifecycleTests {

	private final AtomicLong generators = new AtomicLong();

	@Test
	void losesNoDrawWhenSuspendedAndResumedUnderLoad() throws Exception {
		StripedPool pool = pool(2, 64);
		verifyDraws(pool, () -> {
			pool.suspend();
			pool.resume();
		});
	}

	@Test
	void seedCreatesEachGeneratorOnce() {
		StripedPool pool = pool(4, 64);
		pool.seed();
		pool.seed();
		assertThat(this.generators).hasValue(4);
		pool.suspend();
		pool.resume();
		pool.seed();
		assertThat(this.generators).hasValue(8);
		pool.draw(NumberedSlot::new);
		assertThat(this.generators).hasValue(8);
	}

	@Test
	void seedDoesNothingUnlessRunning() {
		StripedPool pool = pool(4, 64);
		pool.suspend();
		pool.seed();
		pool.close();
		pool.seed();
		assertThat(this.generators).hasValue(0);
	}

	@Test
	void losesNoDrawWhileSeeded() throws Exception {
		StripedPool pool = pool(2, 64);
		verifyDraws(pool, () -> {
			pool.suspend();
			pool.resume();
			pool.seed();
		});
	}

	/**
	 * Verifies the draws of eight threads while another thread repeats the operation.
	 */
	private static void verifyDraws(StripedPool pool, Runnable operation) throws Exception {
		CountDownLatch rounds = new CountDownLatch(3);
		Thread operator = new Thread(() -> {
			while (!Thread.currentThread().isInterrupted()) {
				operation.run();
				rounds.countDown();
			}
		});
		operator.start();
		rounds.await();
		List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, 8, 5000);
		operator.interrupt();
		operator.join();
		assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
	}

	@Test
	void failedSeedIsRepeatedByDraw() {
		AtomicInteger attempts = new AtomicInteger();
		StripedPool pool = new StripedPool(() -> {
			if (attempts.incrementAndGet() == 1) {
				throw new ProviderException("no entropy");
			}
			return new NumberingPrng(1);
		}, 1, 64, Duration.ZERO, System::nanoTime);
		pool.seed();
		assertThat(pool.draw(NumberedSlot::new)).isNotNull();
		assertThat(attempts).hasValue(2);
	}

	@Test
	void drawAfterSuspendReturnsFreshBits() {
		StripedPool pool = pool(4, 64);
		pool.draw(NumberedSlot::new);
		pool.suspend();
		long before = this.generators.get();
		pool.resume();
		for (int i = 0; i < 100; i++) {
			assertThat(pool.draw(NumberedSlot::new).generator()).isGreaterThan(before);
		}
		assertThat(pool.stats().unbuffered()).isZero();
		assertThat(pool.stats().draws()).isEqualTo(101);
	}

	@Test
	void resumedPoolDrawsFromBuffers() {
		StripedPool pool = pool(1, 64);
		pool.suspend();
		pool.suspend();
		pool.resume();
		pool.resume();
		pool.draw(NumberedSlot::new);
		assertThat(pool.stats().unbuffered()).isZero();
		assertThat(pool.stats().draws()).isOne();
	}

	@Test
	void refillThatFailsAfterSuspendIsNotReported() throws Exception {
		CountDownLatch refilling = new CountDownLatch(1);
		CountDownLatch suspended = new CountDownLatch(1);
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {

			@Override
			public void nextBytes(byte[] bytes) {
				refilling.countDown();
				awaitUninterruptibly(suspended);
				throw new ProviderException("Broken on purpose");
			}

		}, 1, 64, Duration.ZERO, () -> 0);
		FutureTask<NumberedSlot> draw = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		new Thread(draw).start();
		refilling.await();
		pool.suspend();
		suspended.countDown();
		assertThatExceptionOfType(ExecutionException.class).isThrownBy(draw::get);
		assertThat(pool.stats().lastFailure()).isNull();
		assertThat(pool.stats().refillFailures()).isEqualTo(1);
	}

	@Test
	void suspendWipesEveryGenerator() throws Exception {
		Set<Prng> unwiped = ConcurrentHashMap.newKeySet();
		StripedPool pool = new StripedPool(() -> {
			Prng prng = new NumberingPrng(this.generators.incrementAndGet()) {
				@Override
				public void wipe() {
					unwiped.remove(this);
				}
			};
			unwiped.add(prng);
			return prng;
		}, 4, 64, Duration.ZERO, () -> 0);
		NumberedSlot.drawFromThreads(pool, 8, 100);
		assertThat(unwiped).isNotEmpty();
		pool.suspend();
		assertThat(unwiped).isEmpty();
		pool.draw(NumberedSlot::new);
		assertThat(unwiped).isEmpty();
	}

	/**
	 * The revocation removes all refillers while one is leased. The thread gives the
	 * refiller back to the empty stripe afterwards.
	 */
	@Test
	void suspendedPoolKeepsNoGeneratorThatIsGivenBackLater() throws Exception {
		CountDownLatch refilling = new CountDownLatch(1);
		CountDownLatch suspended = new CountDownLatch(1);
		AtomicInteger wiped = new AtomicInteger();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {

			@Override
			public void nextBytes(byte[] bytes) {
				if (refilling.getCount() > 0) {
					refilling.countDown();
					awaitUninterruptibly(suspended);
				}
				super.nextBytes(bytes);
			}

			@Override
			public void wipe() {
				wiped.incrementAndGet();
			}

		}, 1, 64, Duration.ZERO, () -> 0);
		FutureTask<NumberedSlot> draw = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		new Thread(draw).start();
		refilling.await();
		pool.suspend();
		suspended.countDown();
		assertThat(draw.get().generator()).isEqualTo(2);
		assertThat(wiped).hasValue(2);
	}

	@Test
	void suspendWipesOtherGeneratorsIfOneFails() throws Exception {
		Set<Prng> unwiped = ConcurrentHashMap.newKeySet();
		AtomicBoolean failing = new AtomicBoolean();
		StripedPool pool = new StripedPool(() -> {
			Prng prng = new NumberingPrng(this.generators.incrementAndGet()) {
				@Override
				public void wipe() {
					unwiped.remove(this);
					if (failing.getAndSet(false)) {
						throw new OutOfMemoryError("On purpose");
					}
				}
			};
			unwiped.add(prng);
			return prng;
		}, 4, 64, Duration.ZERO, () -> 0);
		NumberedSlot.drawFromThreads(pool, 8, 100);
		failing.set(true);
		assertThatExceptionOfType(ProviderException.class).isThrownBy(pool::suspend)
			.withCauseInstanceOf(OutOfMemoryError.class);
		assertThat(unwiped).isEmpty();
		pool.suspend();
		assertThat(pool.stats().draws()).isEqualTo(800);
	}

	@Test
	void suspendedPoolRetainsNothing() {
		StripedPool pool = pool(1, 64);
		pool.draw(NumberedSlot::new);
		pool.suspend();
		NumberedSlot first = pool.draw(NumberedSlot::new);
		NumberedSlot second = pool.draw(NumberedSlot::new);
		assertThat(first.generator()).isNotEqualTo(second.generator());
		assertThat(pool.stats().unbuffered()).isEqualTo(2);
		assertThat(pool.stats().draws()).isEqualTo(3);
	}

	@Test
	void closedPoolRejectsDraws() {
		StripedPool pool = pool(1, 64);
		pool.draw(NumberedSlot::new);
		pool.close();
		pool.close();
		assertThatIllegalStateException().isThrownBy(() -> pool.draw(NumberedSlot::new))
			.withMessageContaining("closed");
		assertThatIllegalStateException().isThrownBy(pool::resume).withMessageContaining("closed");
		assertThat(pool.stats().draws()).isEqualTo(1);
	}

	@Test
	void claimOfCurrentBatchIsInvalidAfterSuspend() {
		StripedPool pool = pool(1, 64);
		Batch.Claim claim = pool.claim(1);
		assertThat(StripedPool.isValid(claim.batch())).isTrue();
		pool.suspend();
		assertThat(StripedPool.isValid(claim.batch())).isFalse();
		pool.resume();
		assertThat(StripedPool.isValid(claim.batch())).isFalse();
	}

	@Test
	void claimOfReplacedBatchIsInvalidAfterSuspend() {
		StripedPool pool = pool(1, 64);
		Batch.Claim claim = pool.claim(1);
		for (int i = 0; i < 10; i++) {
			pool.draw(NumberedSlot::new);
		}
		assertThat(StripedPool.isValid(claim.batch())).isTrue();
		pool.suspend();
		pool.resume();
		assertThat(StripedPool.isValid(claim.batch())).isFalse();
	}

	@Test
	void drawIsRepeatedIfPoolIsResumedMeanwhile() throws Exception {
		CountDownLatch filled = new CountDownLatch(1);
		CountDownLatch resumed = new CountDownLatch(1);
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				filled.countDown();
				awaitUninterruptibly(resumed);
			}
		}, 1, 64, Duration.ZERO, () -> 0);
		pool.suspend();
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<NumberedSlot> drawn = executor.submit(() -> pool.draw(NumberedSlot::new));
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
	void drawIsRepeatedAnyNumberOfTimes() {
		AtomicInteger left = new AtomicInteger(100_000);
		AtomicReference<StripedPool> pool = new AtomicReference<>();
		pool.set(new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				if (left.getAndDecrement() > 0) {
					pool.get().suspend();
					pool.get().resume();
				}
			}
		}, 1, 64, Duration.ZERO, () -> 0));
		assertThat(pool.get().draw(NumberedSlot::new).hasZero()).isFalse();
		assertThat(left).hasNegativeValue();
	}

	@Test
	void drawUnderWayAtCloseReturnsFreshBits() throws Exception {
		for (int round = 0; round < 200; round++) {
			StripedPool closing = pool(1, 64);
			closing.draw(NumberedSlot::new);
			Thread closer = new Thread(closing::close);
			closer.start();
			int draws = 1;
			try {
				while (true) {
					assertThat(closing.draw(NumberedSlot::new).hasZero()).isFalse();
					draws++;
				}
			}
			catch (IllegalStateException ex) {
				closer.join();
				assertThat(closing.stats().draws()).isEqualTo(draws);
			}
		}
	}

	private StripedPool pool(int stripes, int bufferSize) {
		return new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()), stripes, bufferSize,
				Duration.ZERO, () -> 0);
	}

}
