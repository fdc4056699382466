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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.atomic.AtomicLong;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for changes of the timeout of a {@link LazyExpiryCache} at run time.
 */
class LazyExpiryCacheTimeoutTests {

	private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 5);

	/**
	 * Actions for the next readings of the clock.
	 */
	private final Queue<Runnable> readings = new ArrayDeque<>();

	/**
	 * Actions for the next removals.
	 */
	private final Queue<Runnable> removals = new ArrayDeque<>();

	private final LazyExpiryCache<String, Integer> cache = LazyExpiryCache.<String, Integer>builder()
		.maximumSize(100)
		.expireAfterWrite(Duration.ofNanos(10))
		.ticker(this::read)
		.removalListener((value, cause) -> run(this.removals.poll()))
		.build();

	@Test
	void shorterTimeoutAppliesToExistingEntries() {
		this.cache.put("a", 1);
		this.time.addAndGet(5);
		this.cache.put("b", 2);
		this.cache.setExpireAfterWrite(Duration.ofNanos(5));
		assertThat(this.cache.expireAfterWrite()).isEqualTo(Duration.ofNanos(5));
		assertThat(this.cache.stats().size()).isEqualTo(1);
		assertThat(this.cache.get("a")).isNull();
		assertThat(this.cache.get("b")).isEqualTo(2);
	}

	@Test
	void longerTimeoutDoesNotReviveEntries() {
		this.cache.put("a", 1);
		this.time.addAndGet(10);
		this.cache.setExpireAfterWrite(Duration.ZERO);
		assertThat(this.cache.expireAfterWrite()).isEqualTo(Duration.ZERO);
		assertThat(this.cache.get("a")).isNull();
		this.cache.put("b", 2);
		this.time.addAndGet(1_000);
		assertThat(this.cache.get("b")).isEqualTo(2);
	}

	@Test
	void longerTimeoutAppliesToLiveEntries() {
		this.cache.put("a", 1);
		this.time.addAndGet(9);
		this.cache.setExpireAfterWrite(Duration.ofNanos(100));
		this.time.addAndGet(90);
		assertThat(this.cache.get("a")).isEqualTo(1);
		this.time.addAndGet(1);
		assertThat(this.cache.get("a")).isNull();
	}

	/**
	 * A put has read the clock and is delayed until one of the readings of the clock
	 * during lengthening.
	 */
	@ParameterizedTest
	@ValueSource(ints = { 0, 1 })
	void entryPutDuringLengtheningDoesNotExpireAndRevive(int reading) {
		List<Integer> found = new ArrayList<>();
		for (int i = 0; i < reading; i++) {
			this.readings.add(() -> {
			});
		}
		this.readings.add(() -> found.add(putAsOf(this.time.get() - 20)));
		this.cache.setExpireAfterWrite(Duration.ofNanos(100));
		this.readings.clear();
		found.add(valueOrZero("a"));
		assertThat(found).isNotEqualTo(List.of(0, 1));
	}

	/**
	 * A put is delayed until the lengthening has removed expired entries.
	 */
	@Test
	void entryPutAtEndOfLengtheningDoesNotExpireAndRevive() {
		List<Integer> found = new ArrayList<>();
		this.removals.add(() -> found.add(putAsOf(this.time.get() - 20)));
		this.cache.put("expired", 0);
		this.time.addAndGet(20);
		this.cache.setExpireAfterWrite(Duration.ofNanos(100));
		found.add(valueOrZero("a"));
		assertThat(found).hasSize(2).isNotEqualTo(List.of(0, 1));
	}

	@Test
	void delayedPutExpiresWithPreviousPut() {
		this.cache.put("b", 2);
		putAsOf(this.time.get() - 5);
		this.time.addAndGet(9);
		assertThat(held()).containsExactlyInAnyOrder("a", "b");
		this.time.addAndGet(1);
		this.cache.cleanUp();
		assertThat(this.cache.stats().size()).isZero();
	}

	@Test
	void timeoutsOfAnyLengthAreAccepted() {
		this.cache.setExpireAfterWrite(Duration.ofDays(365L * 1_000));
		this.cache.put("a", 1);
		this.time.addAndGet(Long.MAX_VALUE);
		assertThat(this.cache.get("a")).isEqualTo(1);
	}

	private int valueOrZero(String key) {
		Integer value = this.cache.get(key);
		return (value != null) ? value : 0;
	}

	private List<String> held() {
		List<String> keys = new ArrayList<>();
		this.cache.forEach((key, value) -> keys.add(key));
		return keys;
	}

	private int putAsOf(long earlier) {
		long now = this.time.getAndSet(earlier);
		this.cache.put("a", 1);
		this.time.set(now);
		return valueOrZero("a");
	}

	private long read() {
		run(this.readings.poll());
		return this.time.get();
	}

	private static void run(@Nullable Runnable action) {
		if (action != null) {
			action.run();
		}
	}

}
