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
import java.util.concurrent.atomic.AtomicLong;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link LazyExpiryCache}.
 */
class LazyExpiryCacheTests {

	private final AtomicLong time = new AtomicLong();

	private final List<String> removals = new ArrayList<>();

	@Test
	void returnsWhatWasPut() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.put("a", 1)).isNull();
		assertThat(cache.put("a", 2)).isEqualTo(1);
		assertThat(cache.get("a")).isEqualTo(2);
		assertThat(cache.remove("a")).isEqualTo(2);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.estimatedSize()).isZero();
	}

	@Test
	void returnsNothingExpired() {
		LazyExpiryCache<String, Integer> cache = cache(0, 10);
		cache.put("a", 1);
		this.time.addAndGet(9);
		assertThat(cache.get("a")).isEqualTo(1);
		this.time.addAndGet(1);
		assertThat(cache.get("a")).isNull();
		assertThat(cache.estimatedSize()).isOne();
		cache.cleanUp();
		assertThat(cache.estimatedSize()).isZero();
		assertThat(this.removals).containsExactly("a=1 EXPIRED");
	}

	@Test
	void evictsWhatWasNotUsed() {
		LazyExpiryCache<String, Integer> cache = cache(2, 0);
		cache.put("used", 1);
		cache.put("unused", 2);
		assertThat(cache.get("used")).isEqualTo(1);
		cache.put("new", 3);
		assertThat(cache.get("unused")).isNull();
		assertThat(cache.get("used")).isEqualTo(1);
		assertThat(cache.get("new")).isEqualTo(3);
		assertThat(this.removals).containsExactly("unused=2 EVICTED");
	}

	@Test
	void holdsAsManyAsItMayAndNoMore() {
		LazyExpiryCache<String, Integer> cache = cache(20_000, 0);
		for (int i = 0; i < 20_000; i++) {
			cache.put("key" + i, i);
		}
		assertThat(cache.estimatedSize()).isEqualTo(20_000);
		for (int i = 0; i < 20_000; i++) {
			assertThat(cache.get("key" + i)).isEqualTo(i);
		}
		for (int i = 0; i < 50_000; i++) {
			cache.put("new" + i, i);
			assertThat(cache.estimatedSize()).isEqualTo(20_000);
		}
	}

	@Test
	void rejectsNegativeLimits() {
		LazyExpiryCache<String, Integer> cache = cache(0, 0);
		assertThatIllegalArgumentException().isThrownBy(() -> cache.setMaximumSize(-1))
			.withMessage("maximumSize must be 0 (no bound) or positive, but was -1");
		assertThatIllegalArgumentException().isThrownBy(() -> cache.setExpireAfterWrite(Duration.ofNanos(-1)))
			.withMessage("expireAfterWrite must be zero (no expiry) or positive, but was PT-0.000000001S");
	}

	private LazyExpiryCache<String, Integer> cache(long maximumSize, long timeout) {
		return LazyExpiryCache.<String, Integer>builder()
			.maximumSize(maximumSize)
			.expireAfterWrite(Duration.ofNanos(timeout))
			.ticker(this.time::get)
			.removalListener((key, value, cause) -> this.removals.add(key + "=" + value + " " + cause))
			.build();
	}

}
