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

package dev.uncontended.bench.cache;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Predicate;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.uncontended.cache.LazyExpiryCache;

/**
 * Prints the percentage of return visits that resume a session, for traces of clients.
 * Caffeine's simulator cannot replay them: a client whose session was evicted gets a
 * session with a new id, so the ids of a trace depend on the evictions.
 */
public final class HitRatio {

	private static final int HANDSHAKES = 1_000_000;

	private static final int ONE_TIME = -1;

	private static final int[] SIZES = { 2_048, 20_480 };

	/** Clients that never return, mean returns of the others, mean gap. */
	private static final double[][] CHURN = { { 0.5, 4, 0.1 }, { 0.5, 4, 0.25 }, { 0.5, 4, 0.5 }, { 0.2, 8, 0.5 },
			{ 0.5, 4, 1 }, { 0.9, 2, 0.25 }, { 0.9, 2, 0.5 }, { 0.5, 1, 0.5 }, { 0.2, 40, 0.5 }, { 0.2, 40, 1 } };

	/** Permanent clients, and the part of one-time clients. */
	private static final double[][] FLOODS = { { 0.1, 0.7 }, { 0.25, 0.7 }, { 0.25, 0.9 }, { 0.5, 0.2 }, { 0.5, 0.7 } };

	private static final Map<String, IntFunction<Policy>> POLICIES = policies();

	private HitRatio() {
	}

	/**
	 * Prints the table. Numbers of clients and gaps are multiples of the cache's size.
	 * @param args not used
	 */
	public static void main(String[] args) {
		System.out.println("trace\tsize\t" + String.join("\t", POLICIES.keySet()));
		for (int size : SIZES) {
			for (double[] row : CHURN) {
				print(String.format(Locale.ROOT, "churn: never %.1f, returns %.0f, gap %.2f", row[0], row[1], row[2]),
						size, churn(row[0], row[1], row[2] * size));
			}
			for (double[] row : FLOODS) {
				print(String.format(Locale.ROOT, "flood: permanent %.2f, one-time %.1f", row[0], row[1]), size,
						flood((int) (row[0] * size), row[1]));
			}
		}
	}

	private static void print(String name, int size, int[] clients) {
		StringBuilder line = new StringBuilder(name).append('\t').append(size);
		POLICIES.values()
			.forEach(
					(policy) -> line.append(String.format(Locale.ROOT, "\t%.1f", replay(clients, policy.apply(size)))));
		System.out.println(line);
	}

	/*
	 * Creates a trace of clients that arrive, return a geometrically distributed number
	 * of times after exponentially distributed gaps, and leave.
	 */
	private static int[] churn(double never, double returns, double gap) {
		Random random = new Random(42);
		PriorityQueue<Visit> visits = new PriorityQueue<>(Comparator.comparingDouble(Visit::time));
		visits.add(new Visit(0, 0, true));
		int[] clients = new int[HANDSHAKES];
		int arrived = 0;
		for (int i = 0; i < HANDSHAKES; i++) {
			Visit visit = visits.remove();
			clients[i] = visit.client;
			if (visit.first) {
				double meanArrival = 1 + (1 - never) * returns;
				visits.add(new Visit(visit.time + exponential(random, meanArrival), ++arrived, true));
			}
			if (random.nextDouble() >= (visit.first ? never : 1 / returns)) {
				visits.add(new Visit(visit.time + exponential(random, gap), visit.client, false));
			}
		}
		return clients;
	}

	private static double exponential(Random random, double mean) {
		return -mean * Math.log(1 - random.nextDouble());
	}

	/*
	 * Creates a trace of permanent clients, each equally likely at any time, and of
	 * one-time clients, which start when the permanent clients had ten handshakes each on
	 * average.
	 */
	private static int[] flood(int permanent, double oneTime) {
		Random random = new Random(42);
		int[] clients = new int[HANDSHAKES];
		for (int i = 0; i < HANDSHAKES; i++) {
			boolean flood = i >= 10 * permanent && random.nextDouble() < oneTime;
			clients[i] = flood ? ONE_TIME : random.nextInt(permanent);
		}
		return clients;
	}

	/*
	 * Returns the percentage of return visits that resume the client's session. Each full
	 * handshake creates a session with a new id.
	 */
	private static double replay(int[] clients, Policy policy) {
		Map<Integer, Long> sessions = new HashMap<>();
		long nextId = 0;
		int hits = 0;
		int returns = 0;
		for (int client : clients) {
			Long offered = sessions.get(client);
			if (offered != null) {
				returns++;
				if (policy.get.test(offered)) {
					hits++;
					continue;
				}
			}
			policy.put.accept(nextId);
			if (client != ONE_TIME) {
				sessions.put(client, nextId);
			}
			nextId++;
		}
		return 100.0 * hits / returns;
	}

	private static Map<String, IntFunction<Policy>> policies() {
		Map<String, IntFunction<Policy>> policies = new LinkedHashMap<>();
		policies.put("ours", (size) -> {
			LazyExpiryCache<Long, Long> cache = LazyExpiryCache.<Long, Long>builder().maximumSize(size).build();
			return new Policy((id) -> cache.get(id) != null, (id) -> cache.put(id, id));
		});
		// The JDK's cache is an LRU cache, too.
		policies.put("LRU", (size) -> {
			Map<Long, Long> map = new LinkedHashMap<>(16, 0.75f, true) {

				private static final long serialVersionUID = 1L;

				@Override
				protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
					return size() > size;
				}

			};
			return new Policy((id) -> map.get(id) != null, (id) -> map.put(id, id));
		});
		// On the caller's thread, so that evictions keep up with the trace.
		policies.put("Caffeine", (size) -> {
			Cache<Long, Long> cache = Caffeine.newBuilder()
				.maximumSize(size)
				.expireAfterWrite(Duration.ofDays(1))
				.executor(Runnable::run)
				.build();
			return new Policy((id) -> cache.getIfPresent(id) != null, (id) -> cache.put(id, id));
		});
		return policies;
	}

	private record Policy(Predicate<Long> get, Consumer<Long> put) {
	}

	private record Visit(double time, int client, boolean first) {
	}

}
