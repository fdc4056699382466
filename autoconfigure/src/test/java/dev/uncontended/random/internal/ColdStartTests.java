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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import dev.uncontended.random.prng.Prng;
import io.netty.util.concurrent.FastThreadLocalThread;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for {@link ColdStart} and its use by the pool.
 */
@Timeout(60)
class ColdStartTests {

	private static final Duration LONG = Duration.ofMinutes(10);

	private final CountDownLatch stuck = new CountDownLatch(1);

	private final CountDownLatch refilling = new CountDownLatch(1);

	@AfterEach
	void unstick() {
		this.stuck.countDown();
	}

	@Test
	void refillWaitsForOther() throws Exception {
		ColdStart coldStart = new ColdStart(8, LONG);
		assertThat(coldStart.awaitTurn(1)).isTrue();
		FutureTask<Boolean> other = new FutureTask<>(() -> coldStart.awaitTurn(1));
		awaitWaiting(start(other));
		coldStart.endTurn();
		assertThat(other.get()).isTrue();
	}

	@Test
	void eighthRefillDoesNotWait() {
		ColdStart coldStart = new ColdStart(32, LONG);
		assertThat(LongStream.range(0, 32).filter((refills) -> !takesTurn(coldStart, refills))).containsExactly(0L, 8L,
				16L, 24L);
	}

	@Test
	void laterRefillsDoNotWait() {
		ColdStart coldStart = new ColdStart(8, LONG);
		assertThat(LongStream.of(8, 9, 4711, Long.MAX_VALUE).filter((refills) -> takesTurn(coldStart, refills)))
			.isEmpty();
	}

	@Test
	void firstRefillsWaitForAnyNumberOfStripes() {
		for (int stripes = 1; stripes <= StripedPool.MAX_STRIPES; stripes *= 2) {
			int refills = 32768 / stripes;
			assertThat(ColdStart.of(stripes).awaitTurn(refills - 1)).isTrue();
			assertThat(ColdStart.of(stripes).awaitTurn(refills + 1)).isFalse();
		}
	}

	@Test
	void timeoutDisablesTurns() throws Exception {
		ColdStart coldStart = new ColdStart(8, Duration.ofMillis(1));
		assertThat(coldStart.awaitTurn(1)).isTrue();
		assertThat(CompletableFuture.supplyAsync(() -> coldStart.awaitTurn(1)).get()).isFalse();
		coldStart.endTurn();
		assertThat(coldStart.awaitTurn(1)).isFalse();
	}

	@Test
	void eventLoopsTakeNoTurn() throws Exception {
		ColdStart coldStart = new ColdStart(8, LONG);
		FutureTask<Boolean> reactor = new FutureTask<>(() -> coldStart.awaitTurn(1));
		Scheduler scheduler = Schedulers.newSingle("event-loop");
		scheduler.schedule(reactor);
		assertThat(reactor.get()).isFalse();
		scheduler.dispose();
		FutureTask<Boolean> netty = new FutureTask<>(() -> coldStart.awaitTurn(1));
		new FastThreadLocalThread(netty).start();
		assertThat(netty.get()).isFalse();
		assertThat(coldStart.awaitTurn(1)).isTrue();
	}

	@Test
	void interfaceMayExtendThatOfEventLoops() {
		assertThat(EventLoops.isEventLoop(IndirectEventLoop.class)).isTrue();
	}

	@Test
	void otherThreadsAreNoEventLoops() {
		assertThat(Stream.of(Thread.class, ForkJoinWorkerThread.class).filter(EventLoops::isEventLoop)).isEmpty();
	}

	@Test
	void onlyRefillsOfCtrDrbgTakeTurns() {
		assertThat(RandomAlgorithm.of("CTR_DRBG", null).coldStart(1).awaitTurn(1)).isTrue();
		assertThat(RandomAlgorithm.of("SHA1PRNG", null).coldStart(1).awaitTurn(1)).isFalse();
	}

	@Test
	void poolUsesColdStartOfItsAlgorithm() {
		RefusesTurns algorithm = new RefusesTurns();
		draw(new StripedPool(algorithm, 3, 64, Duration.ZERO), 1);
		assertThat(algorithm.stripes).hasValue(4);
		assertThat(algorithm.turns).hasValue(1);
	}

	@Test
	void interruptedThreadContinuesWithoutTurn() {
		Thread.currentThread().interrupt();
		assertThat(new ColdStart(8, LONG).awaitTurn(1)).isFalse();
		assertThat(Thread.interrupted()).isTrue();
	}

	@Test
	void errorDisablesTurns() {
		AtomicInteger calls = new AtomicInteger();
		ColdStart coldStart = new ColdStart(8, LONG, new Semaphore(1) {

			private static final long serialVersionUID = 1L;

			@Override
			public boolean tryAcquire(long timeout, TimeUnit unit) throws InterruptedException {
				if (calls.incrementAndGet() == 1) {
					throw new StackOverflowError();
				}
				return super.tryAcquire(timeout, unit);
			}

		});
		assertThatThrownBy(() -> coldStart.awaitTurn(1)).isInstanceOf(StackOverflowError.class);
		assertThat(coldStart.awaitTurn(1)).isFalse();
	}

	@Test
	void drawThatRetriesWaitsForOneTurn() throws Exception {
		AtomicInteger turns = new AtomicInteger();
		AtomicLong clock = new AtomicLong();
		AtomicInteger refills = new AtomicInteger();
		// Each refill takes an hour by the pool's clock, so that draws retry.
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {
			@Override
			public void nextBytes(byte[] bytes) {
				clock.addAndGet(Duration.ofHours(1).toNanos());
				if (refills.incrementAndGet() == 2) {
					ColdStartTests.this.refilling.countDown();
					awaitUninterruptibly(ColdStartTests.this.stuck);
				}
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, clock::get, Duration.ofMillis(4), new ColdStart(8, LONG) {
			@Override
			boolean awaitTurn(long refills) {
				turns.incrementAndGet();
				return false;
			}
		}, (watched) -> {
		});
		draw(pool, 4);
		start(new FutureTask<>(() -> pool.draw(NumberedSlot::new)));
		this.refilling.await();
		int before = turns.get();
		draw(pool, 1);
		assertThat(turns).hasValue(before + 1);
	}

	@Test
	void poolRefillsInTurns() throws Exception {
		StripedPool pool = pool(LONG);
		draw(pool, 4);
		FutureTask<NumberedSlot> first = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		start(first);
		this.refilling.await();
		FutureTask<NumberedSlot> second = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		awaitWaiting(start(second));
		this.stuck.countDown();
		assertThat(first.get()).isNotEqualTo(second.get());
		assertThat(pool.stats().unbuffered()).isZero();
	}

	@Test
	void poolDrawsWhileRefillHangs() throws Exception {
		StripedPool pool = pool(Duration.ofMillis(1));
		draw(pool, 4);
		FutureTask<NumberedSlot> stuck = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		start(stuck);
		this.refilling.await();
		draw(pool, 100);
		assertThat(stuck).isNotDone();
	}

	@Test
	void failedRefillEndsTurn() throws Exception {
		AtomicInteger refills = new AtomicInteger();
		StripedPool pool = new StripedPool(() -> new NumberingPrng(1) {
			@Override
			public void nextBytes(byte[] bytes) {
				if (refills.incrementAndGet() == 2) {
					throw new StackOverflowError();
				}
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, System::nanoTime, StripedPool.MAX_WAIT, new ColdStart(8, LONG), (watched) -> {
		});
		draw(pool, 4);
		assertThatThrownBy(() -> pool.draw(NumberedSlot::new)).isInstanceOf(StackOverflowError.class);
		FutureTask<NumberedSlot> next = new FutureTask<>(() -> pool.draw(NumberedSlot::new));
		start(next);
		assertThat(next.get()).isNotNull();
	}

	private static boolean takesTurn(ColdStart coldStart, long refills) {
		boolean takes = coldStart.awaitTurn(refills);
		if (takes) {
			coldStart.endTurn();
		}
		return takes;
	}

	/*
	 * The test determines when the second refill of the first generator ends.
	 */
	private StripedPool pool(Duration maxWait) {
		AtomicInteger generators = new AtomicInteger();
		AtomicInteger refills = new AtomicInteger();
		return new StripedPool(() -> new NumberingPrng(generators.incrementAndGet()) {
			@Override
			public void nextBytes(byte[] bytes) {
				if (refills.incrementAndGet() == 2) {
					ColdStartTests.this.refilling.countDown();
					awaitUninterruptibly(ColdStartTests.this.stuck);
				}
				super.nextBytes(bytes);
			}
		}, 1, 64, Duration.ZERO, System::nanoTime, StripedPool.MAX_WAIT, new ColdStart(8, maxWait), (watched) -> {
		});
	}

	private static void draw(StripedPool pool, int count) {
		for (int i = 0; i < count; i++) {
			pool.draw(NumberedSlot::new);
		}
	}

	private static Thread start(Runnable task) {
		Thread thread = new Thread(task);
		thread.start();
		return thread;
	}

	private static void awaitWaiting(Thread thread) {
		Awaitility.await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
	}

	private static class IndirectEventLoop extends Thread implements EventLoop {

	}

	private interface EventLoop extends NonBlocking {

	}

	/** An algorithm whose refills ask for a turn, and take none. */
	private static final class RefusesTurns implements RandomAlgorithm {

		private final AtomicInteger stripes = new AtomicInteger();

		private final AtomicInteger turns = new AtomicInteger();

		@Override
		public String name() {
			return "Numbers";
		}

		@Override
		public String provider() {
			return "Test";
		}

		@Override
		public Prng get() {
			return new NumberingPrng(1);
		}

		@Override
		public ColdStart coldStart(int stripes) {
			this.stripes.set(stripes);
			return new ColdStart(8, LONG) {
				@Override
				boolean awaitTurn(long refills) {
					RefusesTurns.this.turns.incrementAndGet();
					return false;
				}
			};
		}

	}

}
