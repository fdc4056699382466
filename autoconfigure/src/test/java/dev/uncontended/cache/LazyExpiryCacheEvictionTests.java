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
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests the eviction of {@link LazyExpiryCache} with clients that come, return and leave,
 * in floods, and when the working set changes.
 */
class LazyExpiryCacheEvictionTests {

	private static final int PASSES = 15;

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

	/**
	 * Clients arrive, return after exponentially distributed gaps, and leave.
	 */
	@ParameterizedTest
	@CsvSource({ "0.5, 4, 0.1", "0.5, 4, 0.25", "0.5, 4, 0.5", "0.2, 8, 0.5", "0.5, 4, 1", "0.9, 2, 0.25",
			"0.2, 40, 0.5" })
	void resumesReturningClientsLikeLru(double never, double returns, double gap) {
		int maximumSize = 2_048;
		Random random = new Random(42);
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		Map<Integer, Integer> lru = lru(maximumSize);
		PriorityQueue<Visit> visits = new PriorityQueue<>(Comparator.comparingDouble(Visit::time));
		visits.add(new Visit(0, 0, new int[2]));
		int resumed = 0;
		int resumedByLru = 0;
		int returnVisits = 0;
		while (returnVisits < 200_000) {
			Visit visit = visits.remove();
			int[] sessions = visit.sessions();
			if (visit.number() == 0) {
				double meanArrival = 1 + (1 - never) * returns;
				visits.add(new Visit(visit.time() + exponential(random, meanArrival), 0, new int[2]));
				sessions[0] = this.nextId++;
				sessions[1] = sessions[0];
				cache.put(sessions[0], sessions[0]);
				lru.put(sessions[1], sessions[1]);
			}
			else {
				returnVisits++;
				if (cache.get(sessions[0]) != null) {
					resumed++;
				}
				else {
					sessions[0] = this.nextId++;
					cache.put(sessions[0], sessions[0]);
				}
				if (lru.get(sessions[1]) != null) {
					resumedByLru++;
				}
				else {
					sessions[1] = this.nextId++;
					lru.put(sessions[1], sessions[1]);
				}
			}
			double end = (visit.number() == 0) ? never : 1 / returns;
			if (random.nextDouble() >= end) {
				visits.add(
						new Visit(visit.time() + exponential(random, gap * maximumSize), visit.number() + 1, sessions));
			}
		}
		assertThat((double) resumed / returnVisits).isGreaterThan((double) resumedByLru / returnVisits - 0.03);
	}

	@ParameterizedTest
	@CsvSource({ "2048, 0.1", "2048, 0.25", "20480, 0.1", "20480, 0.25" })
	void permanentClientsResumeInFloodOfOneTimeClients(int maximumSize, double share) {
		Random random = new Random(42);
		LazyExpiryCache<Integer, Integer> cache = cache(maximumSize);
		List<Integer> sessions = newSessions((int) (maximumSize * share));
		lastHitRatio(cache, sessions);
		int hits = 0;
		for (int i = 0; i < 20 * maximumSize; i++) {
			for (int id : newSessions(9)) {
				cache.put(id, id);
			}
			int client = random.nextInt(sessions.size());
			if (cache.get(sessions.get(client)) != null) {
				hits++;
			}
			else {
				sessions.set(client, this.nextId);
				cache.put(this.nextId, this.nextId++);
			}
		}
		assertThat(hits / (20.0 * maximumSize)).isGreaterThan(0.95);
	}

	private static Map<Integer, Integer> lru(int maximumSize) {
		return new LinkedHashMap<>(16, 0.75f, true) {

			private static final long serialVersionUID = 1L;

			@Override
			protected boolean removeEldestEntry(Map.Entry<Integer, Integer> eldest) {
				return size() > maximumSize;
			}

		};
	}

	private static double exponential(Random random, double mean) {
		return -mean * Math.log(1 - random.nextDouble());
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

	/**
	 * A handshake of a client.
	 *
	 * @param time the time in handshakes
	 * @param number the number of the client's earlier visits
	 * @param sessions the client's session in the cache, and in the LRU map
	 */
	private record Visit(double time, int number, int[] sessions) {
	}

}
