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

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the eviction of {@link LazyExpiryCache} when the working set changes. In each
 * test, LRU has a hit ratio of 1 from the second pass on.
 */
class LazyExpiryCacheEvictionTests {

	private static final int PASSES = 10;

	private int nextId;

	@ParameterizedTest
	@CsvSource({ "16, 0.9, 0.5", "100, 0.9, 0.5", "1000, 0.9, 0.5", "1000, 0.9, 0.05", "1000, 1, 0.5", "1000, 1, 1",
			"20480, 0.9, 0.5", "20480, 0.9, 0.05", "20480, 0.95, 0.1", "20480, 1, 0.3", "20480, 1, 1" })
	void newWorkingSetReplacesOldOne(int maximumSize, double used, double asked) {
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		use(cache, (int) (maximumSize * used));
		List<Integer> sessions = newSessions((int) Math.ceil(maximumSize * asked));
		assertThat(lastHitRatio(cache, sessions)).isGreaterThan(0.98);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 0.5", "20480, 0.1", "20480, 0.9" })
	void workingSetSurvivesScan(int maximumSize, double asked) {
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		use(cache, maximumSize);
		List<Integer> sessions = newSessions((int) (maximumSize * asked));
		lastHitRatio(cache, sessions);
		newSessions(3 * maximumSize).forEach((id) -> cache.put(id, id));
		assertThat(lastHitRatio(cache, sessions)).isGreaterThan(0.98);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 0.45", "20480, 0.45" })
	void shiftedWorkingSetIsFound(int maximumSize, double half) {
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		List<Integer> staying = newSessions((int) (maximumSize * half));
		lastHitRatio(cache, staying);
		use(cache, (int) (maximumSize * half));
		List<Integer> sessions = newSessions((int) (maximumSize * half));
		sessions.addAll(staying);
		Collections.shuffle(sessions, new Random(42));
		assertThat(lastHitRatio(cache, sessions)).isGreaterThan(0.98);
	}

	@ParameterizedTest
	@CsvSource({ "1000, 0", "1000, 0.6", "10000, 0.3" })
	void hitRatioExceedsLruForSkewedPopularity(int maximumSize, double visitors) {
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		Map<Integer, Integer> lru = new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
				return size() > maximumSize;
			}

		};
		Random random = new Random(42);
		int lead = 0;
		for (int i = 0; i < 500_000; i++) {
			boolean returns = random.nextDouble() >= visitors;
			int client = returns ? (int) Math.pow(100_000, random.nextDouble()) : 100_000 + i;
			if (cache.get(client) != null) {
				lead++;
			}
			else {
				cache.put(client, client);
			}
			if (lru.get(client) != null) {
				lead--;
			}
			else {
				lru.put(client, client);
			}
		}
		assertThat(lead).isPositive();
	}

	private static LazyExpiryCache<Integer, Integer> cache(int maximumSize) {
		return LazyExpiryCache.<Integer, Integer>builder().maximumSize(maximumSize).build();
	}

	private void use(LazyExpiryCache<Integer, Integer> cache, int count) {
		for (int id : newSessions(count)) {
			cache.put(id, id);
			cache.get(id);
		}
	}

	private List<Integer> newSessions(int count) {
		List<Integer> ids = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			ids.add(this.nextId++);
		}
		return ids;
	}

	/**
	 * Reads all sessions in turn, repeatedly. An evicted session returns under a new id.
	 * @return the hit ratio of the last pass
	 */
	private double lastHitRatio(LazyExpiryCache<Integer, Integer> cache, List<Integer> sessions) {
		int hits = 0;
		for (int pass = 0; pass < PASSES; pass++) {
			hits = 0;
			for (int i = 0; i < sessions.size(); i++) {
				if (cache.get(sessions.get(i)) != null) {
					hits++;
				}
				else {
					sessions.set(i, this.nextId);
					cache.put(this.nextId, this.nextId++);
				}
			}
		}
		return (double) hits / sessions.size();
	}

}
