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
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.ChildJvm;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Tests that a {@link LazyExpiryCache} works after an {@link Error} interrupted an
 * operation. It may have lost entries.
 */
@Timeout(value = 120, threadMode = ThreadMode.SEPARATE_THREAD)
class LazyExpiryCacheErrorTests {

	private static final int MAXIMUM_SIZE = 50;

	private static final int SMALL_STACK = 256 * 1024;

	private static final int SMALL_HEAP = 16;

	private static final int ENOUGH_ERRORS = 300;

	private static final int MAX_ROUNDS = 60;

	private static final int CACHES = 100;

	/**
	 * The number of deepest stack frames that use the cache.
	 */
	private static final int DEPTHS = 400;

	@Test
	void worksAfterStackOverflowAtAnyDepth() throws Exception {
		for (int i = 0; i < CACHES; i++) {
			Subject subject = new Subject(i % 2 == 0);
			runWithSmallStack(() -> overflow(subject));
			subject.assertWorks();
		}
	}

	@Test
	@Tag("integration")
	@Tag("product")
	void worksAfterOutOfMemoryError() throws Exception {
		assertThat(ChildJvm.run(List.of("-Xmx" + SMALL_HEAP + "m", "-XX:+UseSerialGC"), (entry) -> true,
				LazyExpiryCacheErrorTests.class))
			.contains("works after many errors");
	}

	/**
	 * Runs in a separate JVM with a small heap.
	 */
	public static void main(String[] args) {
		long errors = 0;
		for (int i = 0; i < MAX_ROUNDS && errors <= ENOUGH_ERRORS; i++) {
			Subject subject = new Subject(i % 2 == 0);
			errors += exhaustMemory(subject);
			subject.assertWorks();
		}
		assertThat(errors).isGreaterThan(ENOUGH_ERRORS);
		System.out.println("works after many errors");
	}

	/**
	 * Leaves more memory in each turn, until an operation succeeds.
	 */
	private static long exhaustMemory(Subject subject) {
		long errors = 0;
		Object[] hoard = new Object[1 << 17];
		int hoarded = 0;
		try {
			for (int size = 1 << 20; size >= 16; size /= 2) {
				hoarded = hoard(hoard, hoarded, size);
			}
			for (int i = 0; i < 2_000; i++) {
				try {
					subject.operate();
				}
				catch (OutOfMemoryError ex) {
					errors++;
				}
				if (i % 20 == 0 && hoarded > 0) {
					hoard[--hoarded] = null;
				}
			}
		}
		finally {
			hoard = null;
		}
		return errors;
	}

	private static int hoard(@Nullable Object[] hoard, int hoarded, int size) {
		int count = hoarded;
		try {
			while (count < hoard.length) {
				hoard[count] = new byte[size];
				count++;
			}
		}
		catch (OutOfMemoryError ex) {
			// Expected
		}
		return count;
	}

	private static int overflow(Subject subject) {
		int left;
		try {
			left = overflow(subject);
		}
		catch (StackOverflowError ex) {
			left = DEPTHS;
		}
		if (left > 0) {
			try {
				subject.operate();
			}
			catch (StackOverflowError ex) {
				// Expected
			}
		}
		return left - 1;
	}

	private static void runWithSmallStack(Runnable action) throws InterruptedException {
		Thread thread = new Thread(null, action, "small stack", SMALL_STACK);
		thread.setDaemon(true);
		thread.start();
		thread.join(TimeUnit.SECONDS.toMillis(60));
		assertThat(thread.isAlive()).as("still waits").isFalse();
	}

	/**
	 * A cache and an operation.
	 */
	private static final class Subject {

		private final AtomicLong time = new AtomicLong();

		private final LazyExpiryCache<Integer, Integer> cache;

		private int operations;

		Subject(boolean listens) {
			this.cache = LazyExpiryCache.<Integer, Integer>builder()
				.maximumSize(MAXIMUM_SIZE)
				.expireAfterWrite(Duration.ofNanos(100))
				.ticker(this.time::get)
				.removalListener((value, cause) -> this.time.addAndGet(listens ? value & 1 : 0))
				.build();
		}

		void operate() {
			int n = ++this.operations;
			switch (n % 8) {
				case 0 -> this.cache.remove(n - 9);
				case 1 -> this.cache.put(n - 8, n);
				case 2 -> this.cache.get(n - 3);
				case 3 -> this.time.addAndGet(n & 7);
				default -> this.cache.put(n, n);
			}
		}

		void assertWorks() {
			this.cache.forEach((key, value) -> assertThat(value).isIn(key, key + 8));
			for (int i = 0; i < 200; i++) {
				this.cache.put(-i, i);
				assertThat(this.cache.get(-i)).isEqualTo(i);
			}
			assertThat(this.cache.stats().size()).isEqualTo(MAXIMUM_SIZE);
			this.cache.setMaximumSize(1);
			assertThat(this.cache.stats().size()).isOne();
			this.time.addAndGet(100);
			this.cache.forEach((key, value) -> fail("expired"));
			this.cache.cleanUp();
			assertThat(this.cache.stats().size()).isZero();
		}

	}

}
