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
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.StripeStats;
import dev.uncontended.random.internal.Batch.Claim;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the periods of {@link StripedPool}, at whose end unused bytes are wiped.
 */
class StripedPoolPeriodTests {

	private static final Duration INTERVAL = Duration.ofMillis(100);

	private static final int SHIFT = Striping.shift(16);

	private final AtomicLong generators = new AtomicLong();

	private final AtomicInteger watched = new AtomicInteger();

	private final List<byte[]> filled = new ArrayList<>();

	private Runnable inRefill = () -> {
	};

	@Test
	void endOfPeriodWipesUnclaimedSlots() {
		StripedPool pool = pool(1, 64);
		pool.draw(NumberedSlot::new);
		assertThat(this.filled.get(0)).contains(1);
		pool.endPeriod();
		assertThat(this.filled.get(0)).containsOnly(0);
	}

	@Test
	void endOfPeriodLeavesClaimedSlots() {
		StripedPool pool = pool(1, 64);
		Claim claim = pool.claim(2);
		pool.endPeriod();
		assertThat(StripedPool.isValid(claim.batch())).isTrue();
		assertThat(claim.batch().second(claim.start())).isEqualTo(3);
		assertThat(claim.batch().second(claim.start() + 1)).isEqualTo(4);
		assertThat(claim.batch().second(0)).isZero();
	}

	@Test
	void wipedSlotsAreNeitherDrawnNorCounted() {
		StripedPool pool = pool(1, 64);
		Set<NumberedSlot> drawn = new HashSet<>();
		for (int i = 0; i < 10; i++) {
			drawn.add(pool.draw(NumberedSlot::new));
			pool.endPeriod();
		}
		assertThat(drawn).hasSize(10).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(10);
		assertThat(pool.stats().refills()).isEqualTo(10);
	}

	@Test
	void generatorIsReseededOnceInPeriod() {
		StripedPool pool = pool(1, 64);
		pool.nextBytes(new byte[640]);
		assertThat(pool.stats().reseeds()).isZero();
		pool.endPeriod();
		pool.nextBytes(new byte[640]);
		assertThat(pool.stats().reseeds()).isOne();
		assertThat(this.generators).hasValue(1);
	}

	@Test
	void generatorSeededInAdvanceIsReseededByFirstRefill() {
		StripedPool pool = pool(1, 64);
		pool.seed();
		pool.draw(NumberedSlot::new);
		assertThat(pool.stats().reseeds()).isOne();
	}

	@Test
	void generatorSeededInAdvanceIsNotReseededWithoutLimit() {
		StripedPool pool = pool(1, 64, Duration.ZERO);
		pool.seed();
		pool.nextBytes(new byte[6400]);
		assertThat(pool.stats().reseeds()).isZero();
	}

	@Test
	void refillWipesBatchIfPeriodEndsMeanwhile() {
		StripedPool pool = pool(1, 64);
		this.inRefill = pool::endPeriod;
		Claim claim = pool.claim(1);
		assertThat(claim.batch().second(claim.start())).isEqualTo(4);
		assertThat(claim.batch().second(2)).isZero();
		assertThat(claim.batch().isEmpty()).isTrue();
		assertThat(pool.stats().draws()).isOne();
	}

	@Test
	void idlePoolIsLeftToItself() {
		StripedPool pool = pool(1, 64);
		pool.draw(NumberedSlot::new);
		assertThat(pool.endPeriod()).isTrue();
		assertThat(pool.endPeriod()).isFalse();
		assertThat(this.watched).hasValue(1);
		pool.draw(NumberedSlot::new);
		assertThat(this.watched).hasValue(2);
		assertThat(pool.endPeriod()).isTrue();
	}

	@Test
	void refilledPoolIsWatchedOnce() {
		StripedPool pool = pool(1, 64);
		for (int i = 0; i < 100; i++) {
			pool.draw(NumberedSlot::new);
			pool.draw(NumberedSlot::new);
			assertThat(pool.endPeriod()).isTrue();
		}
		assertThat(this.watched).hasValue(1);
	}

	@Test
	void poolIsNotWatchedWithoutRefill() {
		StripedPool pool = pool(4, 64);
		pool.seed();
		pool.addSeed(new byte[1]);
		pool.suspend();
		pool.draw(NumberedSlot::new);
		assertThat(this.watched).hasValue(0);
	}

	@Test
	void poolWithoutLimitIsNotWatched() {
		StripedPool pool = pool(1, 64, Duration.ZERO);
		pool.nextBytes(new byte[6400]);
		assertThat(this.watched).hasValue(0);
	}

	@Test
	void drawSucceedsIfWiperFailsToStart() {
		AtomicBoolean failing = new AtomicBoolean(true);
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1), 1, 64, INTERVAL, () -> 0, StripedPool.MAX_WAIT,
				ColdStart.none(), (watched) -> {
					this.watched.incrementAndGet();
					if (failing.get()) {
						throw new OutOfMemoryError("No thread");
					}
				});
		pool.nextBytes(new byte[128]);
		assertThat(this.watched).hasValue(2);
		failing.set(false);
		pool.nextBytes(new byte[128]);
		assertThat(this.watched).hasValue(3);
		assertThat(pool.stats().refillFailures()).isZero();
	}

	@Test
	void threadsShareOneStripeWhileFewIdsAreDrawn() throws Exception {
		StripedPool pool = pool(16, 8192);
		NumberedSlot.drawFromThreads(pool, 8, 10);
		for (int i = 0; i < 5; i++) {
			pool.endPeriod();
			for (int thread = 0; thread < 8; thread++) {
				NumberedSlot.drawFromThreads(pool, 1, 10);
			}
		}
		assertThat(pool.stats().reseeds()).isEqualTo(5);
		assertThat(pool.stats().draws()).isEqualTo(480);
	}

	@Test
	void threadsUseTheirOwnStripesWhileManyIdsAreDrawn() throws Exception {
		StripedPool pool = pool(16, 8192);
		for (int thread = 0; thread < 50; thread++) {
			NumberedSlot.drawFromThreads(pool, 1, 2000);
		}
		assertThat(pool.stats().stripes()).extracting(StripeStats::refills)
			.filteredOn((refills) -> refills > 0)
			.hasSizeGreaterThan(8);
	}

	@Test
	void manyLostRacesGiveThreadsOtherStripes() throws Exception {
		assertThat(stripesBeforeAndAfterLostRaces((1 << 15) + 1)).doesNotHaveDuplicates();
	}

	@Test
	void fewLostRacesLeaveThreadsTheirStripes() throws Exception {
		List<Integer> stripes = stripesBeforeAndAfterLostRaces(1 << 15);
		assertThat(stripes.get(1)).isEqualTo(stripes.get(0));
	}

	/**
	 * Draws in a refill of the shared stripe find it in use, as if another thread had
	 * lost races, and then draw from stripe 1. A thread whose own stripe is 1 would find
	 * bytes there first.
	 */
	private List<Integer> stripesBeforeAndAfterLostRaces(int count) throws Exception {
		StripedPool pool = pool(16, 8192);
		this.inRefill = () -> draw(pool, count);
		FutureTask<List<Integer>> stripes;
		do {
			stripes = new FutureTask<>(() -> {
				int before = Striping.probe(SHIFT, Striping.multiplier(0));
				if (before == 1 || before == Striping.probe(SHIFT, Striping.multiplier(1))) {
					return List.of();
				}
				draw(pool, 1);
				int first = stripeOfManyDraws(pool);
				pool.endPeriod();
				return List.of(first, stripeOfManyDraws(pool));
			});
			new Thread(stripes).start();
		}
		while (stripes.get().isEmpty());
		return stripes.get();
	}

	private static int stripeOfManyDraws(StripedPool pool) {
		List<StripeStats> before = pool.stats().stripes();
		draw(pool, 10_000);
		List<StripeStats> after = pool.stats().stripes();
		return IntStream.range(0, 16)
			.boxed()
			.max(Comparator.comparingLong((stripe) -> after.get(stripe).draws() - before.get(stripe).draws()))
			.orElseThrow();
	}

	@Test
	void refillIsAsLargeAsUseInLastPeriod() {
		StripedPool pool = pool(1, 8192);
		draw(pool, 100);
		pool.endPeriod();
		draw(pool, 20);
		pool.endPeriod();
		draw(pool, 20);
		pool.endPeriod();
		draw(pool, 1);
		assertThat(this.filled).extracting((bytes) -> bytes.length / 16).containsExactly(512, 100, 20, 20);
	}

	@Test
	void refillHasAtLeastSixteenSlots() {
		StripedPool pool = pool(1, 8192);
		draw(pool, 1);
		pool.endPeriod();
		draw(pool, 1);
		assertThat(this.filled.get(1)).hasSize(16 * 16);
	}

	@Test
	void refillsDoubleUpToBufferSize() {
		StripedPool pool = pool(1, 8192);
		draw(pool, 1);
		pool.endPeriod();
		draw(pool, 2000);
		assertThat(this.filled).extracting((bytes) -> bytes.length / 16)
			.containsExactly(512, 16, 16, 32, 64, 128, 256, 512, 512, 512);
	}

	@Test
	void countsStayExactWhilePeriodsEnd() throws Exception {
		for (Duration interval : List.of(INTERVAL, Duration.ofNanos(1))) {
			StripedPool pool = pool(2, 64, interval);
			AtomicBoolean done = new AtomicBoolean();
			FutureTask<Boolean> monotonic = new FutureTask<>(() -> {
				long before = 0;
				boolean holds = true;
				while (!done.get()) {
					pool.endPeriod();
					PoolStats stats = pool.stats();
					holds &= stats.draws() >= before;
					before = stats.draws();
				}
				return holds;
			});
			Thread wiper = new Thread(monotonic);
			wiper.start();
			List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, 8, 5000);
			done.set(true);
			assertThat(monotonic.get()).isTrue();
			assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(NumberedSlot::hasZero);
			assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
		}
	}

	@Test
	void suspendAndCloseDuringWipesLoseNoDraw() throws Exception {
		StripedPool pool = pool(2, 64);
		AtomicBoolean done = new AtomicBoolean();
		FutureTask<Void> wiper = new FutureTask<>(() -> {
			while (!done.get()) {
				pool.endPeriod();
			}
			return null;
		});
		FutureTask<Void> operator = new FutureTask<>(() -> {
			while (!done.get()) {
				pool.suspend();
				pool.resume();
			}
			return null;
		});
		new Thread(wiper).start();
		new Thread(operator).start();
		List<NumberedSlot> drawn = NumberedSlot.drawFromThreads(pool, 8, 5000);
		pool.close();
		done.set(true);
		wiper.get();
		assertThat(new HashSet<>(drawn)).hasSize(8 * 5000).noneMatch(NumberedSlot::hasZero);
		assertThat(pool.stats().draws()).isEqualTo(8 * 5000);
	}

	/**
	 * The end of the period finds either the old batch, or a refill that has not
	 * published its batch yet.
	 */
	@Test
	void noBatchOfEndedPeriodRemains() throws Exception {
		CountDownLatch refilling = new CountDownLatch(1);
		CountDownLatch ended = new CountDownLatch(1);
		StripedPool pool = pool(1, 64);
		this.inRefill = () -> {
			refilling.countDown();
			NumberingPrng.awaitUninterruptibly(ended);
		};
		FutureTask<NumberedSlot> draw = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		new Thread(draw).start();
		refilling.await();
		pool.endPeriod();
		ended.countDown();
		assertThat(draw.get()).isEqualTo(new NumberedSlot(1, 4));
		assertThat(this.filled.get(0)).containsOnly(0);
	}

	private static void draw(StripedPool pool, int count) {
		for (int i = 0; i < count; i++) {
			pool.draw(NumberedSlot::new);
		}
	}

	private StripedPool pool(int stripes, int bufferSize) {
		return pool(stripes, bufferSize, INTERVAL);
	}

	private StripedPool pool(int stripes, int bufferSize, Duration interval) {
		AtomicBoolean first = new AtomicBoolean(true);
		return new StripedPool(() -> new NumberingPrng(this.generators.incrementAndGet()) {

			@Override
			public void nextBytes(byte[] bytes) {
				super.nextBytes(bytes);
				synchronized (StripedPoolPeriodTests.this.filled) {
					StripedPoolPeriodTests.this.filled.add(bytes);
				}
				if (first.getAndSet(false)) {
					StripedPoolPeriodTests.this.inRefill.run();
				}
			}

		}, stripes, bufferSize, interval, () -> 0, StripedPool.MAX_WAIT, ColdStart.none(),
				(pool) -> this.watched.incrementAndGet());
	}

}
