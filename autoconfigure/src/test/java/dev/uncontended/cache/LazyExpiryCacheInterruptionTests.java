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
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the first operation of a {@link LazyExpiryCache} after an error has
 * interrupted a put. Unless a test says otherwise, the error occurs when a bin of the
 * hash table becomes a tree, after the entry was inserted.
 */
class LazyExpiryCacheInterruptionTests {

	private static final int OTHERS = 200;

	private static final int COLLIDING = -1;

	private final AtomicLong time = new AtomicLong();

	private final LazyExpiryCache<Key, Integer> cache = new LazyExpiryCache<>(10_000, Duration.ofNanos(10),
			this.time::get, (value) -> {
			});

	private boolean failing;

	static Stream<Consumer<LazyExpiryCacheInterruptionTests>> operations() {
		return Stream.of((test) -> test.cache.put(test.new Key(-2), 0), (test) -> test.cache.remove(test.new Key(0)),
				(test) -> {
					test.time.addAndGet(5);
					test.cache.cleanUp();
				}, (test) -> test.cache.setMaximumSize(150), (test) -> test.cache.stats());
	}

	@ParameterizedTest
	@MethodSource("operations")
	void interruptedPutIsFinishedFirst(Consumer<LazyExpiryCacheInterruptionTests> operation) {
		interruptPut();
		operation.accept(this);
		AtomicLong found = new AtomicLong();
		this.cache.forEach((key, value) -> found.incrementAndGet());
		CacheStats stats = this.cache.stats();
		assertThat(stats.size()).isEqualTo(found.get());
		assertThat(stats.puts()).isEqualTo(
				found.get() + stats.evictions() + stats.expirations() + stats.invalidations() + stats.replacements());
	}

	@Test
	void statisticsIncludeInterruptedPut() {
		interruptPut();
		AtomicLong found = new AtomicLong();
		this.cache.forEach((key, value) -> found.incrementAndGet());
		assertThat(this.cache.stats().puts()).isEqualTo(found.get());
	}

	/**
	 * The put hashes the key twice: to find the previous entry, and to insert the new
	 * one.
	 */
	@Test
	void putInterruptedBeforeInsertionHasNoEffect() {
		AtomicLong hashed = new AtomicLong();
		Object key = new Object() {

			@Override
			public boolean equals(Object other) {
				return this == other;
			}

			@Override
			public int hashCode() {
				if (hashed.incrementAndGet() == 2) {
					throw new StackOverflowError();
				}
				return 1;
			}

		};
		LazyExpiryCache<Object, Integer> cache = new LazyExpiryCache<>(0, Duration.ZERO, System::nanoTime, (value) -> {
		});
		assertThatExceptionOfType(StackOverflowError.class).isThrownBy(() -> cache.put(key, 1));
		assertThat(cache.stats().size()).isZero();
		assertThat(cache.stats().puts()).isZero();
		cache.put(key, 2);
		assertThat(cache.stats().size()).isOne();
	}

	private void interruptPut() {
		for (int i = 0; i < OTHERS; i++) {
			this.cache.put(new Key(i), i);
		}
		this.time.addAndGet(5);
		this.failing = true;
		assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> {
			for (int i = 0; i < OTHERS; i++) {
				this.cache.put(new Key(COLLIDING), i);
			}
		}).withMessage("interrupted");
		this.failing = false;
	}

	private final class Key implements Comparable<Key> {

		private final int number;

		Key(int number) {
			this.number = number;
		}

		@Override
		public boolean equals(Object other) {
			return this == other || (this.number != COLLIDING && other instanceof Key key && key.number == this.number);
		}

		@Override
		public int hashCode() {
			return this.number;
		}

		@Override
		public int compareTo(Key other) {
			if (LazyExpiryCacheInterruptionTests.this.failing) {
				throw new AssertionError("interrupted");
			}
			return Integer.compare(System.identityHashCode(this), System.identityHashCode(other));
		}

	}

}
