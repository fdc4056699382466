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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Measures lookups, removals and puts in a full cache with expired entries, as requested
 * in the review of JDK-8259886. JMH cannot be used, because operations change the
 * fraction of expired entries: each pass requires new caches.
 * <p>
 * Arguments: the {@link SessionCacheType}, the number of entries, the number of passes
 * and, optionally, the fractions of expired entries, separated by commas. Prints
 * tab-separated lines: type, entries, operation, expired fraction, nanoseconds per
 * operation in the median pass, and milliseconds of garbage collection. The last line
 * reports garbage collection over the whole run, including filling the caches.
 */
public final class ExpiredSessions {

	private static final String SHARES = "0,0.1,0.25,0.333,0.5";

	/**
	 * If a cache has fewer entries, a pass uses several caches with about this number of
	 * entries in total.
	 */
	private static final int LEAST_OPERATIONS = 200_000;

	private static final int MOST_OPERATIONS = 2_000_000;

	private static final int WARMUP_ENTRIES = 20_480;

	private static final int WARMUP_PASSES = 2;

	private final SessionCacheType type;

	private final int entries;

	private final SessionKey[] keys;

	private final SessionKey[] newKeys;

	private ExpiredSessions(SessionCacheType type, int entries) {
		this.type = type;
		this.entries = entries;
		this.keys = SessionKey.range(0, entries);
		this.newKeys = SessionKey.range(1L << 40, entries / 4);
	}

	public static void main(String[] args) {
		SessionCacheType type = SessionCacheType.valueOf(args[0]);
		int entries = Integer.parseInt(args[1]);
		int passes = Integer.parseInt(args[2]);
		double[] shares = Arrays.stream(((args.length > 3) ? args[3] : SHARES).split(","))
			.mapToDouble(Double::parseDouble)
			.toArray();
		new ExpiredSessions(type, WARMUP_ENTRIES).measureAll(shares, WARMUP_PASSES, (line) -> {
		});
		CollectorPauses pauses = CollectorPauses.record();
		new ExpiredSessions(type, entries).measureAll(shares, passes, System.out::println);
		System.out.printf(Locale.ROOT, "# %s, %d entries: %s%n", type, entries, pauses);
	}

	private void measureAll(double[] shares, int passes, Consumer<String> results) {
		for (Operation operation : Operation.values()) {
			for (double share : shares) {
				results.accept(measure(operation, share, passes));
			}
		}
	}

	private String measure(Operation operation, double share, int passes) {
		SessionKey[] order = order(operation);
		double[] times = new double[passes];
		long collection = 0;
		for (int pass = 0; pass < passes; pass++) {
			List<SessionCache> caches = fill(share);
			System.gc();
			long collectionBefore = collectionTime();
			long start = System.nanoTime();
			for (SessionCache cache : caches) {
				run(operation, cache, order);
			}
			times[pass] = (double) (System.nanoTime() - start) / ((long) caches.size() * order.length);
			collection += collectionTime() - collectionBefore;
		}
		Arrays.sort(times);
		return String.format(Locale.ROOT, "%s\t%d\t%s\t%.3f\t%.1f\t%d", this.type, this.entries, operation, share,
				times[passes / 2], collection);
	}

	private SessionKey[] order(Operation operation) {
		SessionKey[] order = (operation == Operation.PUT) ? this.newKeys.clone() : this.keys.clone();
		Collections.shuffle(Arrays.asList(order), new Random(42));
		return Arrays.copyOf(order, Math.min(order.length, MOST_OPERATIONS));
	}

	private static void run(Operation operation, SessionCache cache, SessionKey[] keys) {
		switch (operation) {
			case GET -> {
				int found = 0;
				for (SessionKey key : keys) {
					found += (cache.get(key) != null) ? 1 : 0;
				}
				if (found > keys.length) {
					throw new IllegalStateException();
				}
			}
			case REMOVE -> {
				for (SessionKey key : keys) {
					cache.remove(key);
				}
			}
			case PUT -> {
				for (SessionKey key : keys) {
					cache.put(key, key);
				}
			}
		}
	}

	private List<SessionCache> fill(double share) {
		List<AgeingCache> caches = new ArrayList<>();
		for (int i = 0; i < Math.max(1, LEAST_OPERATIONS / this.entries); i++) {
			caches.add(new AgeingCache(this.type, this.entries));
		}
		int expired = (int) (this.entries * share);
		caches.forEach((cache) -> cache.putShortLived(this.keys, 0, expired));
		caches.forEach((cache) -> cache.put(this.keys, expired, this.entries));
		caches.forEach(AgeingCache::age);
		return caches.stream().map(AgeingCache::cache).toList();
	}

	private static long collectionTime() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong(GarbageCollectorMXBean::getCollectionTime)
			.sum();
	}

	private enum Operation {

		GET, REMOVE, PUT

	}

}
