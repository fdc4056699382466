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

package dev.uncontended.cache;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CoarseTicker}.
 */
class CoarseTickerTests {

	private static final Duration TICK = Duration.ofMillis(1);

	private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);

	@Test
	void firstReadingReadsClock() {
		CoarseTicker ticker = new CoarseTicker(this.clock::get, TICK, Duration.ofMillis(5));
		this.clock.addAndGet(5);
		assertThat(ticker.getAsLong()).isEqualTo(this.clock.get());
	}

	@Test
	void followsWrappingClock() {
		CoarseTicker ticker = new CoarseTicker(this.clock::get, TICK, Duration.ofSeconds(1));
		ticker.getAsLong();
		for (int i = 0; i < 5; i++) {
			this.clock.addAndGet(5);
			Awaitility.await().until(() -> ticker.getAsLong() == this.clock.get());
		}
		assertThat(this.clock.get()).isNegative();
	}

	@Test
	void neverDecreases() {
		CoarseTicker ticker = new CoarseTicker(this.clock::get, TICK, Duration.ofMillis(2));
		long before = ticker.getAsLong();
		this.clock.addAndGet(-5);
		Awaitility.await().until(() -> !ticker.kept);
		assertThat(ticker.getAsLong()).isEqualTo(before);
	}

	@Test
	void interruptDoesNotMakeKeeperSpin() {
		AtomicReference<Thread> keeper = new AtomicReference<>();
		CoarseTicker ticker = new CoarseTicker(() -> {
			if (isKeeper(Thread.currentThread()) && keeper.compareAndSet(null, Thread.currentThread())) {
				Thread.currentThread().interrupt();
			}
			return this.clock.get();
		}, TICK, Duration.ofMinutes(1));
		ticker.getAsLong();
		Awaitility.await().until(() -> keeper.get() != null && !keeper.get().isInterrupted());
	}

	@Test
	void keeperEndsWithoutReaders() {
		CountDownLatch kept = new CountDownLatch(1);
		CoarseTicker ticker = new CoarseTicker(() -> {
			if (isKeeper(Thread.currentThread())) {
				awaitUninterruptibly(kept);
			}
			return this.clock.get();
		}, TICK, Duration.ofMillis(5));
		assertThat(ticker.kept).isFalse();
		ticker.getAsLong();
		assertThat(ticker.kept).isTrue();
		kept.countDown();
		Awaitility.await().until(() -> !ticker.kept);
	}

	@Test
	void isUpToDateAfterPause() {
		CoarseTicker ticker = new CoarseTicker(this.clock::get, TICK, Duration.ofMillis(2));
		for (int i = 0; i < 20; i++) {
			ticker.getAsLong();
			Awaitility.await().pollInterval(TICK).until(() -> !ticker.kept);
			this.clock.addAndGet(1_000);
			assertThat(ticker.getAsLong()).isEqualTo(this.clock.get());
		}
	}

	@Test
	void keeperRunsWhileRead() {
		Set<Thread> keepers = ConcurrentHashMap.newKeySet();
		AtomicReference<CoarseTicker> ticker = new AtomicReference<>();
		AtomicInteger readings = new AtomicInteger();
		ticker.set(new CoarseTicker(() -> {
			// One reading for each of the first hundred ticks.
			if (isKeeper(Thread.currentThread()) && readings.get() < 100) {
				keepers.add(Thread.currentThread());
				ticker.get().getAsLong();
				readings.incrementAndGet();
			}
			return this.clock.incrementAndGet();
		}, TICK, Duration.ofMillis(2)));
		ticker.get().getAsLong();
		Awaitility.await().until(() -> readings.get() == 100);
		assertThat(keepers).hasSize(1);
	}

	@Test
	void readingStartsAnotherKeeperAfterError() {
		AtomicInteger errors = new AtomicInteger();
		CoarseTicker ticker = new CoarseTicker(() -> {
			if (isKeeper(Thread.currentThread()) && errors.getAndIncrement() == 0) {
				throw new StackOverflowError();
			}
			return this.clock.get();
		}, TICK, Duration.ofMinutes(1));
		ticker.getAsLong();
		Awaitility.await().dontCatchUncaughtExceptions().until(() -> !ticker.kept);
		this.clock.addAndGet(5);
		assertThat(ticker.getAsLong()).isEqualTo(this.clock.get());
		assertThat(ticker.kept).isTrue();
	}

	@Test
	void keeperRetainsNeitherJvmNorClassLoader() {
		CoarseTicker.INSTANCE.getAsLong();
		Thread keeper = Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter(CoarseTickerTests::isKeeper)
			.findFirst()
			.orElseThrow();
		assertThat(keeper.isDaemon()).isTrue();
		assertThat(keeper.getContextClassLoader()).isNull();
	}

	private static boolean isKeeper(Thread thread) {
		return thread.getName().equals("uncontended-coarse-ticker");
	}

	private static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
