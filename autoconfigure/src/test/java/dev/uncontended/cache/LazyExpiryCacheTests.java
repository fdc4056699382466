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

import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import com.sun.management.ThreadMXBean;
import dev.uncontended.cache.LazyExpiryCache.Stats;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link LazyExpiryCache}.
 */
class LazyExpiryCacheTests {

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

	private final List<Integer> removals = new ArrayList<>();

	@Test
	void returnsPutValue() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.put("a", 1)).isNull();
		assertThat(cache.put("a", 2)).isEqualTo(1);
		assertThat(cache.get("a")).isEqualTo(2);
		assertThat(cache.remove("a")).isEqualTo(2);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.stats().size()).isZero();
	}

	@Test
	void expiredEntryIsNotReturned() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		cache.put("a", 1);
		this.time.addAndGet(9);
		assertThat(cache.get("a")).isEqualTo(1);
		this.time.addAndGet(1);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.put("a", 2)).isNull();
		assertThat(this.removals).containsExactly(1);
		assertThat(cache.stats()).isEqualTo(new Stats(1, 2, 0, 1, 0, 0));
	}

	@Test
	void readOfEntryWithoutTimeoutDoesNotReadClock() {
		AtomicLong readings = new AtomicLong();
		LazyExpiryCache<String, Integer> cache = LazyExpiryCache.<String, Integer>builder()
			.ticker(readings::getAndIncrement)
			.build();
		cache.put("a", 1);
		long before = readings.get();
		assertThat(cache.get("a")).isEqualTo(1);
		assertThat(readings).hasValue(before);
	}

	@Test
	void putRemovesExpiredEntryAndEachFourthPutTwo() {
		LazyExpiryCache<String, Integer> cache = cache(100, 10);
		for (int i = 0; i < 7; i++) {
			cache.put("old" + i, i);
		}
		this.time.addAndGet(10);
		cache.put("a", 10);
		assertThat(this.removals).containsExactly(0);
		cache.put("a", 11);
		assertThat(this.removals).containsExactlyInAnyOrder(0, 10, 1, 2);
		assertThat(cache.stats()).isEqualTo(new Stats(5, 9, 0, 3, 0, 1));
	}

	@Test
	void cleanUpRemovesAllExpiredEntries() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		fill(cache, 0, 10_000);
		this.time.addAndGet(5);
		fill(cache, 10_000, 10_100);
		this.time.addAndGet(5);
		assertThat(cache.stats().size()).isEqualTo(10_100);
		cache.cleanUp();
		assertThat(cache.stats().size()).isEqualTo(100);
		assertThat(cache.stats().expirations()).isEqualTo(10_000);
	}

	@Test
	void evictsUnreadEntry() {
		LazyExpiryCache<String, Integer> cache = cache(2, 0);
		cache.put("used", 1);
		cache.put("unused", 2);
		assertThat(cache.get("used")).isEqualTo(1);
		cache.put("new", 3);
		assertThat(this.removals).containsExactly(2);
		assertThat(cache.stats().evictions()).isOne();
		assertThat(cache.get("used")).isEqualTo(1);
		assertThat(cache.get("new")).isEqualTo(3);
	}

	@Test
	void burstDoesNotEvictReadEntries() {
		assertThat(survivorsOfBursts(10_000)).isGreaterThan(2_990);
	}

	@Test
	void burstEvictsFewReadEntriesOfLargeCache() {
		assertThat(survivorsOfBursts(100_000)).isGreaterThan(29_000);
	}

	/**
	 * Returns the number of read entries that survive a burst of the size of the cache.
	 */
	private int survivorsOfBursts(int size) {
		LazyExpiryCache<String, Integer> cache = cache(size, 0);
		fill(cache, 0, size);
		for (int round = 0; round < 10; round++) {
			for (int i = 0; i < size * 3 / 10; i++) {
				cache.get("key" + i);
			}
			fill(cache, size + round * size / 10, size + (round + 1) * size / 10);
		}
		int survivors = 0;
		for (int i = 0; i < size * 3 / 10; i++) {
			survivors += (cache.get("key" + i) != null) ? 1 : 0;
		}
		return survivors;
	}

	@Test
	void sizeReachesMaximumAndNoMore() {
		LazyExpiryCache<String, Integer> cache = cache(20_000, 0);
		fill(cache, 0, 20_000);
		for (int i = 0; i < 20_000; i++) {
			assertThat(cache.get("key" + i)).isEqualTo(i);
		}
		for (int i = 20_000; i < 50_000; i++) {
			cache.put("key" + i, i);
			assertThat(cache.stats().size()).isEqualTo(20_000);
		}
	}

	@Test
	void sizeFollowsChangesOfMaximum() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		fill(cache, 0, 10_000);
		for (int maximum : new int[] { 5_000, 100, 1, 7, 2_000 }) {
			cache.setMaximumSize(maximum);
			assertThat(cache.maximumSize()).isEqualTo(maximum);
			assertThat(cache.stats().size()).isLessThanOrEqualTo(maximum);
			for (int i = 0; i < 3_000; i++) {
				cache.put("key" + i, i);
				assertThat(cache.stats().size()).isLessThanOrEqualTo(maximum);
				assertThat(cache.get("key" + i)).isEqualTo(i);
			}
			assertThat(cache.stats().size()).isEqualTo(maximum);
		}
		cache.setMaximumSize(0);
		fill(cache, 0, 10_000);
		assertThat(cache.stats().size()).isEqualTo(10_000);
	}

	@Test
	void removesExpiredAndUnexpiredEntries() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		fill(cache, 0, 5_000);
		this.time.addAndGet(10);
		fill(cache, 4_000, 6_000);
		long expired = cache.stats().expirations();
		for (int i = 0; i < 6_000; i++) {
			cache.remove("key" + i);
		}
		Stats stats = cache.stats();
		assertThat(stats.size()).isZero();
		assertThat(stats.invalidations()).isEqualTo(2_000);
		assertThat(stats.expirations()).isGreaterThan(expired);
		assertThat(stats.puts()).isEqualTo(stats.expirations() + stats.invalidations() + stats.replacements());
	}

	@Test
	void forEachVisitsEachLiveEntryOnce() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		cache.put("expired", 0);
		this.time.addAndGet(10);
		fill(cache, 0, 1_000);
		Map<String, Integer> visited = new HashMap<>();
		cache.forEach((key, value) -> assertThat(visited.put(key, value)).isNull());
		assertThat(visited).hasSize(1_000).doesNotContainKey("expired");
	}

	@Test
	void forEachCopiesNoEntries() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		fill(cache, 0, 200_000);
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		long before = threads.getCurrentThreadAllocatedBytes();
		cache.forEach((key, value) -> {
		});
		assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(200_000);
	}

	@Test
	void writesProceedDuringForEach() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		cache.put("a", 1);
		cache.forEach((key, value) -> CompletableFuture.runAsync(() -> cache.put("b", 2)).join());
		assertThat(cache.get("b")).isEqualTo(2);
	}

	@Test
	void lookupEndsDespiteConcurrentPuts() {
		LazyExpiryCache<Colliding, Integer> cache = LazyExpiryCache.<Colliding, Integer>builder().build();
		AtomicLong puts = new AtomicLong();
		Runnable put = () -> {
			if (puts.incrementAndGet() > 100) {
				throw new IllegalStateException("The lookup starts again and again");
			}
			CompletableFuture.runAsync(() -> cache.put(new Colliding(null), 2)).join();
		};
		cache.put(new Colliding(null), 1);
		assertThat(cache.get(new Colliding(put))).isNull();
	}

	@Test
	void throwingListenerIsIgnoredAndLoggedOnce() {
		List<LogRecord> records = new ArrayList<>();
		Logger logger = Logger.getLogger(LazyExpiryCache.class.getName());
		Handler handler = new RecordingHandler(records);
		logger.addHandler(handler);
		logger.setUseParentHandlers(false);
		try {
			LazyExpiryCache<String, Integer> cache = LazyExpiryCache.<String, Integer>builder()
				.maximumSize(10)
				.removalListener((value, cause) -> {
					throw new AssertionError("expected");
				})
				.build();
			fill(cache, 0, 100);
			assertThat(cache.stats().size()).isEqualTo(10);
			assertThat(cache.remove("key99")).isEqualTo(99);
			assertThat(records).hasSize(1);
			assertThat(records.get(0).getMessage()).doesNotContain("key");
		}
		finally {
			logger.removeHandler(handler);
			logger.setUseParentHandlers(true);
		}
	}

	@Test
	void listenerReceivesCauses() {
		List<String> removals = new ArrayList<>();
		LazyExpiryCache<String, Integer> cache = LazyExpiryCache.<String, Integer>builder()
			.maximumSize(1)
			.expireAfterWrite(Duration.ofNanos(10))
			.ticker(this.time::get)
			.removalListener((value, cause) -> removals.add(value + " " + cause))
			.build();
		cache.put("a", 1);
		cache.put("a", 2);
		cache.put("b", 3);
		cache.remove("b");
		cache.put("c", 4);
		this.time.addAndGet(10);
		cache.cleanUp();
		assertThat(removals).containsExactly("1 REPLACED", "2 EVICTED", "3 INVALIDATED", "4 EXPIRED");
	}

	@Test
	void negativeLimitsAreRejected() {
		assertThatIllegalArgumentException().isThrownBy(() -> LazyExpiryCache.builder().maximumSize(-1))
			.withMessage("maximumSize must be 0 (no limit) or positive, but was -1");
		assertThatIllegalArgumentException()
			.isThrownBy(() -> LazyExpiryCache.builder().expireAfterWrite(Duration.ofNanos(-1)))
			.withMessage("timeout must be zero (no expiry) or positive, but was PT-0.000000001S");
	}

	@Test
	void exceptionOfKeyLeavesCacheConsistent() {
		LazyExpiryCache<Object, Integer> cache = LazyExpiryCache.<Object, Integer>builder().maximumSize(2).build();
		FailingKey failing = new FailingKey(new AtomicLong(3));
		cache.put("a", 1);
		cache.put("b", 2);
		assertThatIllegalStateException().isThrownBy(() -> cache.put(failing, 3));
		assertThatIllegalStateException().isThrownBy(() -> cache.get(failing));
		assertThatIllegalStateException().isThrownBy(() -> cache.remove(failing));
		assertThat(cache.stats()).isEqualTo(new Stats(2, 2, 0, 0, 0, 0));
		cache.put(failing, 3);
		assertThat(cache.get(failing)).isEqualTo(3);
		assertThat(cache.stats()).isEqualTo(new Stats(2, 3, 1, 0, 0, 0));
	}

	@Test
	void rejectedPutRemovesNothing() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		cache.put("a", 1);
		this.time.addAndGet(10);
		assertThatNullPointerException().isThrownBy(() -> cache.put(null, 2)).withMessage("key must not be null");
		assertThatNullPointerException().isThrownBy(() -> cache.put("b", null)).withMessage("value must not be null");
		assertThat(cache.stats()).isEqualTo(new Stats(1, 1, 0, 0, 0, 0));
	}

	@Test
	void listenerReceivesEntriesThatFailedPutHasRemoved() {
		List<Integer> removals = new ArrayList<>();
		LazyExpiryCache<Object, Integer> cache = LazyExpiryCache.<Object, Integer>builder()
			.expireAfterWrite(Duration.ofNanos(10))
			.ticker(this.time::get)
			.removalListener((value, cause) -> removals.add(value))
			.build();
		cache.put("a", 1);
		this.time.addAndGet(10);
		assertThatIllegalStateException().isThrownBy(() -> cache.put(new FailingKey(new AtomicLong(1)), 2));
		assertThat(removals).containsExactly(1);
		assertThat(cache.stats()).isEqualTo(new Stats(0, 1, 0, 1, 0, 0));
	}

	@Test
	void listenerMayUseCache() {
		List<LazyExpiryCache<String, Integer>> self = new ArrayList<>();
		LazyExpiryCache<String, Integer> cache = LazyExpiryCache.<String, Integer>builder()
			.removalListener((value, cause) -> self.get(0).put("removed", value))
			.build();
		self.add(cache);
		cache.put("a", 1);
		cache.remove("a");
		assertThat(cache.get("removed")).isEqualTo(1);
	}

	@Test
	void removedKeyAndValueAreNotRetained() {
		LazyExpiryCache<Object, Object> cache = LazyExpiryCache.builder()
			.maximumSize(4)
			.expireAfterWrite(Duration.ofNanos(10))
			.ticker(this.time::get)
			.build();
		List<WeakReference<Object>> references = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			Object key = new Object();
			Object value = new Object();
			references.add(new WeakReference<>(key));
			references.add(new WeakReference<>(value));
			cache.put(key, value);
			if (i % 3 == 0) {
				cache.get(key);
			}
			if (i % 5 == 0) {
				cache.remove(key);
			}
			if (i % 7 == 0) {
				this.time.addAndGet(5);
			}
		}
		cache.setMaximumSize(2);
		Awaitility.await().until(() -> {
			System.gc();
			return references.stream().filter((reference) -> reference.get() != null).count() <= 4;
		});
		assertThat(cache.stats().size()).isEqualTo(2);
		this.time.addAndGet(10);
		cache.cleanUp();
		Awaitility.await().until(() -> {
			System.gc();
			return references.stream().allMatch((reference) -> reference.get() == null);
		});
	}

	private static void fill(LazyExpiryCache<String, Integer> cache, int from, int to) {
		for (int i = from; i < to; i++) {
			cache.put("key" + i, i);
		}
	}

	private LazyExpiryCache<String, Integer> cache(long maximumSize, long timeout) {
		return LazyExpiryCache.<String, Integer>builder()
			.maximumSize(maximumSize)
			.expireAfterWrite(Duration.ofNanos(timeout))
			.ticker(this.time::get)
			.removalListener((value, cause) -> this.removals.add(value))
			.build();
	}

	/**
	 * A key that equals no other key and collides with all.
	 *
	 * @param lookup called when the key is compared
	 */
	private record Colliding(@Nullable Runnable lookup) {

		@Override
		public boolean equals(@Nullable Object other) {
			if (this.lookup != null) {
				this.lookup.run();
			}
			return this == other;
		}

		@Override
		public int hashCode() {
			return 1;
		}

	}

	/**
	 * A key whose hash code fails.
	 *
	 * @param failures how often it still fails
	 */
	private record FailingKey(AtomicLong failures) {

		@Override
		public boolean equals(@Nullable Object other) {
			return this == other;
		}

		@Override
		public int hashCode() {
			if (this.failures.getAndDecrement() > 0) {
				throw new IllegalStateException("of the test");
			}
			return 1;
		}

	}

	private static final class RecordingHandler extends Handler {

		private final List<LogRecord> records;

		RecordingHandler(List<LogRecord> records) {
			this.records = records;
		}

		@Override
		public void publish(LogRecord logRecord) {
			this.records.add(logRecord);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	}

}
