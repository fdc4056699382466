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
import java.util.List;
import java.util.Locale;

/**
 * How long single puts take: of sessions never seen, into a full cache all of which was
 * read just before, so that the eviction hand finds nothing unused. Puts during which the
 * garbage collector ran are left out. The operating system still interrupts; how much is
 * told by the same loop without a cache.
 * <p>
 * Arguments: the {@link SessionCacheType}, the number of entries, the number of puts.
 */
final class PutLatency {

	private PutLatency() {
	}

	public static void main(String[] args) {
		SessionCacheType type = SessionCacheType.valueOf(args[0]);
		int entries = Integer.parseInt(args[1]);
		int puts = Integer.parseInt(args[2]);
		SessionCache cache = type.create(entries, 86_400);
		SessionKey[] keys = SessionKey.range(0, entries);
		for (SessionKey key : keys) {
			cache.put(key, key);
		}
		for (boolean nothing : new boolean[] { true, true, false, false }) {
			SessionKey[] newKeys = SessionKey.range(System.nanoTime() << 16, puts);
			for (SessionKey key : keys) {
				cache.get(key);
			}
			print(nothing ? "nothing" : type.name(), entries, measure(cache, newKeys, nothing));
			keys = Arrays.copyOfRange(newKeys, Math.max(0, puts - entries), puts);
			for (SessionKey key : keys) {
				cache.put(key, key);
			}
		}
	}

	private static long[] measure(SessionCache cache, SessionKey[] keys, boolean nothing) {
		List<GarbageCollectorMXBean> collectors = new ArrayList<>(ManagementFactory.getGarbageCollectorMXBeans());
		long[] times = new long[keys.length];
		long collections = collections(collectors);
		int block = 64;
		int kept = 0;
		for (int from = 0; from + block <= keys.length; from += block) {
			for (int i = 0; i < block; i++) {
				SessionKey key = keys[from + i];
				long start = System.nanoTime();
				if (!nothing) {
					cache.put(key, key);
				}
				times[kept + i] = System.nanoTime() - start;
			}
			long now = collections(collectors);
			if (now == collections) {
				kept += block;
			}
			collections = now;
		}
		long[] sorted = Arrays.copyOf(times, kept);
		Arrays.sort(sorted);
		return sorted;
	}

	private static void print(String what, int entries, long[] sorted) {
		System.out.printf(Locale.ROOT, "%s\t%d\tp50 %d\tp99 %d\tp99.9 %d\tp99.99 %d\tp99.999 %d\tmax %d\tof %d%n", what,
				entries, at(sorted, 0.5), at(sorted, 0.99), at(sorted, 0.999), at(sorted, 0.9999), at(sorted, 0.99999),
				sorted[sorted.length - 1], sorted.length);
	}

	private static long at(long[] sorted, double quantile) {
		return sorted[(int) (sorted.length * quantile)];
	}

	private static long collections(List<GarbageCollectorMXBean> collectors) {
		long count = 0;
		for (GarbageCollectorMXBean collector : collectors) {
			count += collector.getCollectionCount();
		}
		return count;
	}

}
