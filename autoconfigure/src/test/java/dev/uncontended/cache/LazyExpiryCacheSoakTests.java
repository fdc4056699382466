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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

import dev.uncontended.cache.LazyExpiryCache.Stats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Runs a mixed load on a {@link LazyExpiryCache} with many threads and a moving clock.
 * The system property {@code soak.seconds} sets the duration.
 */
@Tag("slow")
@Tag("product")
class LazyExpiryCacheSoakTests {

	private static final int THREADS = 32;

	private static final int MAXIMUM_SIZE = 10_000;

	private static final int KEYS = 40_000;

	private static final Duration TIMEOUT = Duration.ofNanos(100_000);

	private static final Duration LENGTH = Duration.ofSeconds(Integer.getInteger("soak.seconds", 3));

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 1_000_000);

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final LongAdder puts = new LongAdder();

	private final LongAdder told = new LongAdder();

	/** The cache swallows exceptions of its listener. */
	private final LongAdder toldAgain = new LongAdder();

	private final LazyExpiryCache<Integer, Session> cache = LazyExpiryCache.<Integer, Session>builder()
		.maximumSize(MAXIMUM_SIZE)
		.expireAfterWrite(TIMEOUT)
		.ticker(this.time::get)
		.removalListener((value, cause) -> {
			this.told.increment();
			if (!value.leaves.compareAndSet(false, true)) {
				this.toldAgain.increment();
			}
		})
		.build();

	@Test
	void staysConsistentUnderMixedLoad() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(THREADS + 1);
		List<Future<?>> workers = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			workers.add(executor.submit(this::work));
		}
		Future<Long> excess = executor.submit(this::observe);
		long heapEarly = heapAfter(LENGTH.dividedBy(5));
		long heapLate = heapAfter(LENGTH.minus(LENGTH.dividedBy(5)));
		this.stopped.set(true);
		for (Future<?> worker : workers) {
			worker.get();
		}
		executor.shutdown();
		assertThat(excess.get()).as("entries above the bound").isLessThanOrEqualTo(THREADS);
		assertThat(heapLate).as("heap in use").isLessThan(heapEarly + (8 << 20));
		assertConsistent();
		this.time.addAndGet(TIMEOUT.toNanos());
		this.cache.cleanUp();
		assertThat(this.cache.stats().size()).isZero();
		assertConsistent();
	}

	private void assertConsistent() {
		Stats stats = this.cache.stats();
		long removed = stats.evictions() + stats.expirations() + stats.invalidations() + stats.replacements();
		assertThat(stats.puts()).isEqualTo(this.puts.sum()).isEqualTo(stats.size() + removed);
		assertThat(this.told.sum()).isEqualTo(removed);
		assertThat(this.toldAgain.sum()).isZero();
		assertThat(stats.evictions()).isPositive();
		assertThat(stats.expirations()).isPositive();
		assertThat(stats.invalidations()).isPositive();
		assertThat(stats.replacements()).isPositive();
		List<Integer> keys = new ArrayList<>();
		this.cache.forEach((key, value) -> keys.add(key));
		assertThat(keys).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo((int) stats.size());
	}

	private void work() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		while (!this.stopped.get()) {
			int key = (int) (KEYS * Math.pow(random.nextDouble(), 3));
			int dice = random.nextInt(1_000);
			if (dice < 700) {
				long before = this.time.get();
				Session session = this.cache.get(key);
				if (session != null) {
					assertThat(session.key).isEqualTo(key);
					Long putAt = session.putAt;
					if (putAt != null) {
						assertThat(before - putAt).as("age").isLessThan(TIMEOUT.toNanos());
					}
				}
			}
			else if (dice < 950) {
				Session session = new Session(key);
				this.cache.put(key, session);
				session.putAt = this.time.get();
				this.puts.increment();
			}
			else if (dice < 998) {
				this.cache.remove(key);
			}
			else {
				this.time.addAndGet(random.nextInt(1_000));
			}
			if (random.nextInt(1_000_000) == 0) {
				this.cache.forEach((other, value) -> this.cache.remove(other));
			}
		}
	}

	/**
	 * Returns the largest excess over the maximum size.
	 */
	private long observe() {
		long excess = 0;
		while (!this.stopped.get()) {
			excess = Math.max(excess, this.cache.stats().size() - MAXIMUM_SIZE);
			Thread.onSpinWait();
		}
		return excess;
	}

	private static long heapAfter(Duration pause) throws InterruptedException {
		Thread.sleep(pause.toMillis());
		long smallest = Long.MAX_VALUE;
		// If this thread is descheduled after a collection, it measures garbage.
		for (int i = 0; i < 10; i++) {
			System.gc();
			Runtime runtime = Runtime.getRuntime();
			smallest = Math.min(smallest, runtime.totalMemory() - runtime.freeMemory());
		}
		return smallest;
	}

	private static final class Session {

		private final int key;

		/**
		 * A time after the cache has read the clock, so the entry is at least this old.
		 */
		private volatile @Nullable Long putAt;

		private final AtomicBoolean leaves = new AtomicBoolean();

		Session(int key) {
			this.key = key;
		}

	}

}
