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

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import org.jspecify.annotations.Nullable;

/**
 * Measures the slowest single put of a new session. An interruption by the operating
 * system takes longer than any put. The same puts are therefore repeated in identically
 * prepared caches, and the median of each put's times counts. The same puts without a
 * cache show the remaining noise.
 * <p>
 * Arguments: the {@link SessionCacheType}, the number of entries, the number of puts and,
 * optionally, a {@link State}; by default, all states are measured. Prints one line
 * without a cache (NOTHING), and one for each state: type, entries, state, the slowest
 * put and the 99.99th percentile of the medians, and percentiles of all raw times, in
 * nanoseconds. The program fails if the garbage collector runs: use a large heap and
 * {@code -XX:+UseEpsilonGC}.
 */
public final class PutLatency {

	private static final int WARMUPS = 5;

	private static final int ROUNDS = 7;

	private final SessionCacheType type;

	private final int entries;

	private final SessionKey[] keys;

	private final SessionKey[] newKeys;

	private PutLatency(SessionCacheType type, int entries, int puts) {
		this.type = type;
		this.entries = entries;
		this.keys = SessionKey.range(0, entries);
		this.newKeys = SessionKey.range(1L << 40, puts);
	}

	public static void main(String[] args) {
		PutLatency latency = new PutLatency(SessionCacheType.valueOf(args[0]), Integer.parseInt(args[1]),
				Integer.parseInt(args[2]));
		System.out.println("type\tentries\tstate\tslowest\tp99.99\traw p50\traw p99\traw p99.9\traw p99.99\traw max");
		latency.print("NOTHING", Nothing::new);
		for (State state : (args.length > 3) ? List.of(State.valueOf(args[3])) : List.of(State.values())) {
			latency.print(state.name(), () -> latency.prepare(state));
		}
		if (collections() > 0) {
			throw new IllegalStateException("The garbage collector ran and distorted the times");
		}
	}

	private void print(String what, Preparation preparation) {
		int[][] rounds = new int[ROUNDS][];
		for (int round = -WARMUPS; round < ROUNDS; round++) {
			int[] times = measure(preparation.prepare(), this.newKeys);
			if (round >= 0) {
				rounds[round] = times;
			}
		}
		int[] medians = medians(rounds);
		int[] all = sorted(Arrays.stream(rounds).flatMapToInt(Arrays::stream).toArray());
		System.out.printf(Locale.ROOT, "%s\t%d\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%d%n", this.type, this.entries, what,
				medians[medians.length - 1], at(medians, 0.9999), at(all, 0.5), at(all, 0.99), at(all, 0.999),
				at(all, 0.9999), all[all.length - 1]);
	}

	private SessionCache prepare(State state) {
		AgeingCache cache = new AgeingCache(this.type, this.entries);
		switch (state) {
			case EMPTY -> {
			}
			case FULL -> cache.put(this.keys, 0, this.entries);
			case ALL_READ -> {
				cache.put(this.keys, 0, this.entries);
				read(cache.cache(), 0);
			}
			case HALF_EXPIRED -> {
				cache.putShortLived(this.keys, 0, this.entries / 2);
				cache.put(this.keys, this.entries / 2, this.entries);
				cache.age();
				read(cache.cache(), this.entries / 2);
			}
		}
		return cache.cache();
	}

	private void read(SessionCache cache, int from) {
		for (int i = from; i < this.entries; i++) {
			if (cache.get(this.keys[i]) == null) {
				throw new IllegalStateException("An entry is missing");
			}
		}
	}

	private static int[] measure(SessionCache cache, SessionKey[] keys) {
		int[] times = new int[keys.length];
		for (int i = 0; i < keys.length; i++) {
			SessionKey key = keys[i];
			long start = System.nanoTime();
			cache.put(key, key);
			times[i] = (int) (System.nanoTime() - start);
		}
		return times;
	}

	private static int[] medians(int[][] rounds) {
		int[] medians = new int[rounds[0].length];
		int[] times = new int[rounds.length];
		for (int i = 0; i < medians.length; i++) {
			for (int round = 0; round < times.length; round++) {
				times[round] = rounds[round][i];
			}
			medians[i] = sorted(times)[times.length / 2];
		}
		return sorted(medians);
	}

	private static int[] sorted(int[] values) {
		Arrays.sort(values);
		return values;
	}

	private static int at(int[] sorted, double quantile) {
		return sorted[(int) (sorted.length * quantile)];
	}

	private static long collections() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong(GarbageCollectorMXBean::getCollectionCount)
			.sum();
	}

	/**
	 * The state of the cache before the puts.
	 */
	private enum State {

		/**
		 * Empty: the cache grows.
		 */
		EMPTY,

		/**
		 * Full of unread entries.
		 */
		FULL,

		/**
		 * Full of read entries: the eviction hand moves farthest.
		 */
		ALL_READ,

		/**
		 * Full: the older half has expired, and the newer half was read.
		 */
		HALF_EXPIRED

	}

	@FunctionalInterface
	private interface Preparation {

		SessionCache prepare();

	}

	/**
	 * Stores nothing.
	 */
	private static final class Nothing implements SessionCache {

		@Override
		public @Nullable Object get(SessionKey key) {
			return null;
		}

		@Override
		public void put(SessionKey key, Object value) {
		}

		@Override
		public void remove(SessionKey key) {
		}

		@Override
		public Object delegate() {
			return this;
		}

	}

}
