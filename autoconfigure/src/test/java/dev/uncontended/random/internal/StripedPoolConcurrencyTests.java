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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Phaser;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.random.PoolStats;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for concurrent draws from {@link StripedPool}.
 */
class StripedPoolConcurrencyTests {

	private final AtomicLong generators = new AtomicLong();

	@Test
	void countsDrawsOfThirtyTwoThreadsExactly() throws Exception {
		StripedPool pool = pool(2, 64);
		List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, 32, 5000);
		assertThat(new HashSet<>(drawn)).hasSize(32 * 5000).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(32 * 5000);
	}

	@Test
	void skipsStripeWithLeasedRefiller() throws Exception {
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
		}, 1, 64, Duration.ZERO, () -> 0);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<NumberedSlot> stopped = executor.submit(() -> pool.draw(NumberedSlot::new));
			filling.await();
			Set<NumberedSlot> drawn = new HashSet<>();
			for (int i = 0; i < 100; i++) {
				drawn.add(pool.draw(NumberedSlot::new));
			}
			finish.countDown();
			drawn.add(stopped.get());
			assertThat(drawn).hasSize(101);
			assertThat(this.generators).hasValue(2);
			assertThat(pool.stats().draws()).isEqualTo(101);
			assertThat(pool.stats().contended()).isPositive();
		}
		finally {
			executor.shutdown();
		}
	}

	@Test
	void lostRaceCreatesNoGenerator() throws Exception {
		for (int i = 0; i < 20; i++) {
			StripedPool pool = pool(1, StripedPool.MAX_BUFFER_SIZE);
			pool.draw(NumberedSlot::new);
			NumberedSlot.drawFromThreads(pool, 4, 16_000);
			assertThat(pool.stats().refills()).isOne();
		}
		assertThat(this.generators).hasValue(20);
	}

	/**
	 * In each round, two threads draw once. A thread that loses the race for its first
	 * claim therefore wins the second one. There are more slots than draws, so no refill
	 * counts as contended.
	 */
	@Test
	@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
	void firstLostRaceOfDrawCounts() throws Exception {
		long contended = 0;
		for (int i = 0; i < 100 && contended == 0; i++) {
			StripedPool pool = pool(1, StripedPool.MAX_BUFFER_SIZE);
			pool.draw(NumberedSlot::new);
			Phaser rounds = new Phaser(2);
			Runnable draws = () -> {
				for (int round = 0; round < 30_000; round++) {
					rounds.arrive();
					while (rounds.getPhase() == round) {
						Thread.onSpinWait();
					}
					pool.draw(NumberedSlot::new);
				}
			};
			Thread other = start(draws);
			draws.run();
			other.join();
			assertThat(pool.stats().refills()).isOne();
			contended = pool.stats().contended();
		}
		assertThat(contended).isPositive();
	}

	@Test
	void replacesRefillerLeasedForLong() throws Exception {
		CountDownLatch filling = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		AtomicLong clock = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				if (filling.getCount() > 0) {
					filling.countDown();
					awaitUninterruptibly(finish);
				}
				super.nextBytes(bytes);
			}
		}, 2, 64, Duration.ZERO, clock::get);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<NumberedSlot> stopped = executor.submit(() -> pool.draw(NumberedSlot::new));
			filling.await();
			clock.addAndGet(1_000_000);
			Set<NumberedSlot> drawn = new HashSet<>();
			for (int i = 0; i < 16; i++) {
				drawn.addAll(NumberedSlot.drawFromThreads(pool, 1, 10));
			}
			assertThat(pool.stats().contended()).isZero();
			finish.countDown();
			drawn.add(stopped.get());
			assertThat(drawn).hasSize(161);
			assertThat(pool.stats().draws()).isEqualTo(161);
		}
		finally {
			executor.shutdown();
		}
	}

	@ParameterizedTest
	@CsvSource({ "1800000, 1", "1800001, 0" })
	void replacesRefillerLeasedForTwiceLastRefill(long away, long contended) throws Exception {
		CountDownLatch filling = new CountDownLatch(1);
		CountDownLatch finish = new CountDownLatch(1);
		AtomicLong clock = new AtomicLong();
		AtomicLong refills = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				if (refills.incrementAndGet() == 2) {
					filling.countDown();
					awaitUninterruptibly(finish);
				}
				clock.addAndGet(900_000);
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, clock::get);
		pool.nextBytes(new byte[64]);
		ExecutorService executor = Executors.newSingleThreadExecutor();
		try {
			Future<NumberedSlot> stopped = executor.submit(() -> pool.draw(NumberedSlot::new));
			filling.await();
			clock.addAndGet(away);
			NumberedSlot drawn = pool.draw(NumberedSlot::new);
			assertThat(pool.stats().contended()).isEqualTo(contended);
			finish.countDown();
			assertThat(stopped.get()).isNotEqualTo(drawn);
			assertThat(pool.stats().draws()).isEqualTo(6);
		}
		finally {
			finish.countDown();
			executor.shutdown();
		}
	}

	@Test
	void waitsForSlowRefillInsteadOfStartingAnother() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		StripedPool pool = poolWithSlowSecondRefill(finish, Duration.ofHours(1));
		FutureTask<NumberedSlot> refilling = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		awaitState(start(refilling), Thread.State.WAITING);
		FutureTask<NumberedSlot> waiting = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		Thread waiter = start(waiting);
		awaitState(waiter, Thread.State.TIMED_WAITING);
		finish.countDown();
		refilling.get();
		// Ends the pause, which takes 15 minutes.
		waiter.interrupt();
		assertThat(waiting.get()).isEqualTo(new NumberedSlot(1, 7));
		assertThat(this.generators).hasValue(1);
	}

	@Test
	void waitForSlowRefillIsBounded() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		StripedPool pool = poolWithSlowSecondRefill(finish, Duration.ofHours(1));
		FutureTask<NumberedSlot> refilling = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		awaitState(start(refilling), Thread.State.WAITING);
		Thread.currentThread().interrupt();
		assertThat(pool.draw(NumberedSlot::new).generator()).isEqualTo(2);
		assertThat(Thread.interrupted()).isTrue();
		finish.countDown();
		refilling.get();
		assertThat(pool.stats().draws()).isEqualTo(6);
	}

	@Test
	void waitIsShortAfterProcessWasSuspended() throws Exception {
		CountDownLatch finish = new CountDownLatch(1);
		StripedPool pool = poolWithSlowSecondRefill(finish, StripedPool.MAX_WAIT);
		FutureTask<NumberedSlot> refilling = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		awaitState(start(refilling), Thread.State.WAITING);
		FutureTask<NumberedSlot> waiting = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		start(waiting);
		assertThat(waiting.get(30, TimeUnit.SECONDS).generator()).isEqualTo(2);
		finish.countDown();
		assertThat(refilling.get().generator()).isEqualTo(1);
	}

	/**
	 * Every refill takes an hour by the pool's clock.
	 */
	private StripedPool poolWithSlowSecondRefill(CountDownLatch finish, Duration maxWait) {
		AtomicLong clock = new AtomicLong();
		AtomicLong refills = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				clock.addAndGet(Duration.ofHours(1).toNanos());
				if (refills.incrementAndGet() == 2) {
					awaitUninterruptibly(finish);
				}
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, clock::get, maxWait, ColdStart.none(), (watched) -> {
		});
		pool.nextBytes(new byte[64]);
		return pool;
	}

	private static Thread start(Runnable task) {
		Thread thread = new Thread(task);
		thread.start();
		return thread;
	}

	private static void awaitState(Thread thread, Thread.State state) {
		Awaitility.await().until(() -> thread.getState() == state);
	}

	@ParameterizedTest
	@CsvSource({ "16, 8192", "16, 64", "1, 64" })
	void usesEveryConcurrentRefill(int stripes, int bufferSize) throws Exception {
		int threads = 300;
		CountDownLatch refilling = new CountDownLatch(threads);
		AtomicLong refills = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				refills.incrementAndGet();
				refilling.countDown();
				awaitUninterruptibly(refilling);
				super.nextBytes(bytes);
			}
		}, stripes, bufferSize, Duration.ZERO, () -> 0);
		List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, threads, 1);
		assertThat(new HashSet<>(drawn)).hasSize(threads).noneMatch(NumberedSlot::hasZero);
		assertThat(refills).hasValue(threads);
		PoolStats stats = pool.stats();
		assertThat(stats.draws()).isEqualTo(threads);
		assertThat(stats.refills() + stats.unbuffered()).isEqualTo(threads);
	}

	@ParameterizedTest
	@ValueSource(ints = { 64, 128, 8192 })
	void countsNeverDecrease(int bufferSize) throws Exception {
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
			List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, 8, 5000);
			done.set(true);
			assertThat(monotonic.get()).isTrue();
			assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(NumberedSlot::hasZero);
			assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
		}
		finally {
			done.set(true);
			executor.shutdown();
		}
	}

	@Test
	void everyGeneratorIsWipedIfSuspendedAndResumedUnderLoad() throws Exception {
		AtomicLong wiped = new AtomicLong();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {
			@Override
			public void wipe() {
				wiped.incrementAndGet();
			}
		}, 1, 64, Duration.ZERO, System::nanoTime);
		AtomicBoolean drawn = new AtomicBoolean();
		FutureTask<Void> operator = new FutureTask<>(() -> {
			while (!drawn.get()) {
				pool.suspend();
				pool.resume();
			}
			pool.close();
			return null;
		});
		new Thread(operator).start();
		try {
			NumberedSlot.drawFromThreads(pool, 8, 50_000);
		}
		finally {
			drawn.set(true);
		}
		operator.get();
		assertThat(wiped).hasValue(this.generators.get());
	}

	private StripedPool pool(int stripes, int bufferSize) {
		return new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()), stripes, bufferSize,
				Duration.ZERO, () -> 0);
	}

}
