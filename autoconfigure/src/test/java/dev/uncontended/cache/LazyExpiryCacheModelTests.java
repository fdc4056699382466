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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.cache.History.Operation;
import dev.uncontended.cache.History.Step;
import dev.uncontended.cache.LazyExpiryCache.Stats;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Compares {@link LazyExpiryCache} over random histories with a map of what was put. The
 * cache may choose which entries it evicts, and when it removes expired entries.
 */
class LazyExpiryCacheModelTests {

	private static final int HISTORIES = 3_000;

	private static final int LENGTH = 400;

	@Test
	void keepsContract() {
		for (long seed = 0; seed < HISTORIES; seed++) {
			History history = History.random(seed, LENGTH);
			if (violation(history) != null) {
				History shrunk = history.shrink((candidate) -> violation(candidate) != null);
				fail("History %d, which starts at %d, shrinks to %s: %s", seed, shrunk.start(), shrunk.steps(),
						violation(shrunk));
			}
		}
	}

	@Test
	void historiesReachEveryKindOfRemoval() {
		for (long seed = 0; seed < 10; seed++) {
			Run run = new Run(History.random(seed, LENGTH));
			run.violation();
			Stats stats = run.cache.stats();
			assertThat(List.of(stats.evictions(), stats.expirations(), stats.invalidations(), stats.replacements()))
				.doesNotContain(0L);
		}
	}

	@Test
	void shrinksToRelevantSteps() {
		History history = History.random(42, LENGTH);
		history.steps().add(100, new Step(Operation.PUT, 100));
		history.steps().add(300, new Step(Operation.GET, 100));
		History shrunk = history.shrink((candidate) -> {
			int put = candidate.steps().indexOf(new Step(Operation.PUT, 100));
			return put >= 0 && put < candidate.steps().indexOf(new Step(Operation.GET, 100));
		});
		assertThat(shrunk.steps()).containsExactly(new Step(Operation.PUT, 100), new Step(Operation.GET, 100));
	}

	private static @Nullable String violation(History history) {
		return new Run(history).violation();
	}

	private static final class Run {

		private final History history;

		private final AtomicLong time;

		private final List<Integer> removals = new ArrayList<>();

		private final LazyExpiryCache<Integer, Integer> cache;

		private final Map<Integer, Put> puts = new HashMap<>();

		private long maximumSize = 5;

		private long timeout = 40;

		private long evictions;

		Run(History history) {
			this.history = history;
			this.time = new AtomicLong(history.start());
			this.cache = LazyExpiryCache.<Integer, Integer>builder()
				.maximumSize(this.maximumSize)
				.expireAfterWrite(Duration.ofNanos(this.timeout))
				.ticker(this.time::get)
				.removalListener((value, cause) -> this.removals.add(value))
				.build();
		}

		@Nullable String violation() {
			int value = 0;
			for (Step step : this.history.steps()) {
				try {
					run(step, value++);
				}
				catch (AssertionError ex) {
					return "after " + step + ", " + ex.getMessage();
				}
			}
			return null;
		}

		private void run(Step step, int value) {
			int argument = step.argument();
			Integer known = live().get(argument);
			Put before = this.puts.get(argument);
			switch (step.operation()) {
				case GET -> assertThat(this.cache.get(argument)).isEqualTo(known);
				case PUT -> {
					assertThat(this.cache.put(argument, value)).isEqualTo(known);
					replace(before);
					this.puts.put(argument, new Put(value, this.time.get(), this.timeout));
				}
				case REMOVE -> {
					assertThat(this.cache.remove(argument)).isEqualTo(known);
					replace(before);
				}
				case CLEAN_UP -> cleanUp();
				case ADVANCE -> this.time.addAndGet(argument);
				case SET_MAXIMUM_SIZE -> {
					this.cache.setMaximumSize(argument);
					this.maximumSize = argument;
				}
				case SET_TIMEOUT -> {
					this.cache.setExpireAfterWrite(Duration.ofNanos(argument));
					this.timeout = argument;
					this.puts.replaceAll(
							(key, put) -> put.isLive(this.time.get()) ? new Put(put.value, put.time, argument) : put);
					cleanUp();
				}
			}
			verify();
		}

		private void cleanUp() {
			this.cache.cleanUp();
			assertThat(this.removals).containsAll(
					this.puts.values().stream().filter((put) -> !put.isLive(this.time.get())).map(Put::value).toList());
		}

		/**
		 * The listener was called once for a value that was replaced or removed.
		 */
		private void replace(@Nullable Put before) {
			if (before != null) {
				assertThat(this.removals.remove((Object) before.value)).as("reports " + before).isTrue();
				this.puts.values().remove(before);
			}
		}

		/**
		 * Every other value that the listener was called for had expired or was evicted.
		 */
		private void verify() {
			for (Integer value : this.removals) {
				Put put = this.puts.values().stream().filter((candidate) -> candidate.value == value).findAny().get();
				this.puts.values().remove(put);
				if (put.isLive(this.time.get())) {
					this.evictions++;
				}
			}
			this.removals.clear();
			Stats stats = this.cache.stats();
			assertThat(stats.evictions()).isEqualTo(this.evictions);
			assertThat(stats.size()).isEqualTo(this.puts.size());
			assertThat(stats.size()).isLessThanOrEqualTo((this.maximumSize != 0) ? this.maximumSize : Long.MAX_VALUE);
			assertThat(stats.puts()).isEqualTo(stats.size() + stats.evictions() + stats.expirations()
					+ stats.invalidations() + stats.replacements());
			Map<Integer, Integer> found = new HashMap<>();
			this.cache.forEach(found::put);
			assertThat(found).isEqualTo(live());
		}

		private Map<Integer, Integer> live() {
			Map<Integer, Integer> live = new HashMap<>();
			this.puts.forEach((key, put) -> {
				if (put.isLive(this.time.get())) {
					live.put(key, put.value);
				}
			});
			return live;
		}

	}

	private record Put(int value, long time, long timeout) {

		boolean isLive(long now) {
			return this.timeout == 0 || now - this.time < this.timeout;
		}

	}

}
