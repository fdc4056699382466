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
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

import dev.uncontended.cache.History.Operation;
import dev.uncontended.cache.History.Step;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

/**
 * Compares {@link LazyExpiryCache} with {@link ReferenceCache} over random histories.
 */
class LazyExpiryCacheModelTests {

	private static final int HISTORIES = 3_000;

	private static final int LENGTH = 400;

	@Test
	void behavesLikeReference() {
		for (long seed = 0; seed < HISTORIES; seed++) {
			History history = History.random(seed, LENGTH);
			if (difference(history) != null) {
				History shrunk = history.shrink((candidate) -> difference(candidate) != null);
				fail("History %d, which starts at %d, shrinks to %s: %s", seed, shrunk.start(), shrunk.steps(),
						difference(shrunk));
			}
		}
	}

	@Test
	void historiesReachEveryKindOfRemoval() {
		for (long seed = 0; seed < 10; seed++) {
			Run run = new Run(History.random(seed, LENGTH));
			run.difference();
			CacheStats stats = run.reference.stats();
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

	private static @Nullable String difference(History history) {
		return new Run(history).difference();
	}

	private static final class Run {

		private final List<Integer> removals = new ArrayList<>();

		private final AtomicLong time;

		private final History history;

		private final LazyExpiryCache<Integer, Integer> cache;

		private final ReferenceCache reference = new ReferenceCache();

		Run(History history) {
			this.history = history;
			this.time = new AtomicLong(history.start());
			this.cache = new LazyExpiryCache<>(5, Duration.ofNanos(40), this.time::get, this.removals::add);
			this.reference.setMaximumSize(5, history.start());
			this.reference.setTimeout(40, history.start());
		}

		@Nullable String difference() {
			int value = 0;
			int removed = 0;
			for (Step step : this.history.steps()) {
				Object[] results = run(step, value++);
				String difference = compare(step, "result", results[0], results[1]);
				long now = this.time.get();
				List<String> live = new ArrayList<>();
				this.cache.forEach((key, held) -> live.add(key + "=" + held));
				Collections.sort(live);
				difference = first(difference, compare(step, "entries", live, this.reference.live(now)));
				difference = first(difference,
						compare(step, "removals", this.removals, this.reference.removalsSince(removed)));
				removed = this.reference.removals.size();
				this.removals.clear();
				difference = first(difference, compare(step, "stats", this.cache.stats(), this.reference.stats()));
				if (difference != null) {
					return difference;
				}
			}
			return null;
		}

		private @Nullable Object[] run(Step step, int value) {
			int argument = step.argument();
			long now = this.time.get();
			switch (step.operation()) {
				case GET -> {
					return new @Nullable Object[] { this.cache.get(argument), this.reference.get(argument, now) };
				}
				case PUT -> {
					return new @Nullable Object[] { this.cache.put(argument, value),
							this.reference.put(argument, value, now) };
				}
				case REMOVE -> {
					return new @Nullable Object[] { this.cache.remove(argument), this.reference.remove(argument, now) };
				}
				case CLEAN_UP -> {
					this.cache.cleanUp();
					this.reference.cleanUp(now);
				}
				case ADVANCE -> this.time.addAndGet(argument);
				case SET_MAXIMUM_SIZE -> {
					this.cache.setMaximumSize(argument);
					this.reference.setMaximumSize(argument, now);
				}
				case SET_TIMEOUT -> {
					this.cache.setExpireAfterWrite(Duration.ofNanos(argument));
					this.reference.setTimeout(argument, now);
				}
			}
			return new @Nullable Object[2];
		}

		private static @Nullable String first(@Nullable String one, @Nullable String other) {
			return (one != null) ? one : other;
		}

		private static @Nullable String compare(Step step, String what, @Nullable Object actual,
				@Nullable Object expected) {
			boolean equal = (expected != null) ? expected.equals(actual) : actual == null;
			return equal ? null : "after " + step + ", " + what + " should be " + expected + " but is " + actual;
		}

	}

}
