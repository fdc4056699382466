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
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Random;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import org.jspecify.annotations.Nullable;

import dev.uncontended.cache.LazyExpiryCache;

/**
 * How many handshakes find their session: clients that return, the more popular the more
 * often (Zipf), mixed with visitors that come once. Prints lines of tab-separated values:
 * Zipf exponent, share of one-time visitors, cache size, and the hit ratios of ours, LRU
 * and Caffeine in percent of all handshakes of returning clients.
 */
final class HitRatio {

	private static final int CLIENTS = 100_000;

	private static final int HANDSHAKES = 1_000_000;

	private HitRatio() {
	}

	public static void main(String[] args) {
		double[] sums = new double[3];
		double worst = 100;
		int rows = 0;
		System.out.println("zipf\tone-time\tsize\tours\tLRU\tCaffeine");
		for (double exponent : new double[] { 0.7, 0.9, 1.1 }) {
			for (double visitors : new double[] { 0, 0.3, 0.6 }) {
				long[] trace = trace(exponent, visitors);
				for (int size : new int[] { CLIENTS / 100, CLIENTS / 10, CLIENTS / 2 }) {
					double[] ratios = { ratio(trace, new Ours(size)), ratio(trace, new Lru(size)),
							ratio(trace, new CaffeinePolicy(size)) };
					System.out.printf(Locale.ROOT, "%.1f\t%.1f\t%d\t%.2f\t%.2f\t%.2f%n", exponent, visitors, size,
							ratios[0], ratios[1], ratios[2]);
					for (int i = 0; i < ratios.length; i++) {
						sums[i] += ratios[i];
					}
					worst = Math.min(worst, ratios[0] - ratios[2]);
					rows++;
				}
			}
		}
		System.out.printf(Locale.ROOT, "mean\t\t\t%.2f\t%.2f\t%.2f%n", sums[0] / rows, sums[1] / rows, sums[2] / rows);
		System.out.printf(Locale.ROOT, "least lead over Caffeine\t%.2f%n", worst);
	}

	/**
	 * Clients have numbers below {@link #CLIENTS}, one-time visitors others.
	 */
	private static long[] trace(double exponent, double visitors) {
		double[] cumulative = new double[CLIENTS];
		double sum = 0;
		for (int i = 0; i < CLIENTS; i++) {
			sum += 1 / Math.pow(i + 1, exponent);
			cumulative[i] = sum;
		}
		Random random = new Random(42);
		long[] trace = new long[HANDSHAKES];
		for (int i = 0; i < trace.length; i++) {
			if (random.nextDouble() < visitors) {
				trace[i] = CLIENTS + i;
			}
			else {
				int rank = Arrays.binarySearch(cumulative, random.nextDouble() * sum);
				trace[i] = Math.min(CLIENTS - 1, (rank >= 0) ? rank : -rank - 1);
			}
		}
		return trace;
	}

	private static double ratio(long[] trace, Policy policy) {
		int hits = 0;
		int returning = 0;
		for (long client : trace) {
			if (client < CLIENTS) {
				returning++;
			}
			if (policy.get(client) != null) {
				hits++;
			}
			else {
				policy.put(client);
			}
		}
		return 100.0 * hits / returning;
	}

	private interface Policy {

		@Nullable Object get(Long client);

		void put(Long client);

	}

	private static final class Ours implements Policy {

		private final LazyExpiryCache<Long, Long> cache;

		Ours(int size) {
			this.cache = LazyExpiryCache.<Long, Long>builder().maximumSize(size).build();
		}

		@Override
		public @Nullable Object get(Long client) {
			return this.cache.get(client);
		}

		@Override
		public void put(Long client) {
			this.cache.put(client, client);
		}

	}

	private static final class Lru implements Policy {

		private final Map<Long, Long> map;

		Lru(int size) {
			this.map = new LinkedHashMap<>(16, 0.75f, true) {

				private static final long serialVersionUID = 1L;

				@Override
				protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
					return size() > size;
				}

			};
		}

		@Override
		public @Nullable Object get(Long client) {
			return this.map.get(client);
		}

		@Override
		public void put(Long client) {
			this.map.put(client, client);
		}

	}

	private static final class CaffeinePolicy implements Policy {

		private final Cache<Long, Long> cache;

		CaffeinePolicy(int size) {
			// On the caller's thread, or the trace would outrun the evictions.
			this.cache = Caffeine.newBuilder()
				.maximumSize(size)
				.expireAfterWrite(Duration.ofDays(1))
				.executor(Runnable::run)
				.build();
		}

		@Override
		public @Nullable Object get(Long client) {
			return this.cache.getIfPresent(client);
		}

		@Override
		public void put(Long client) {
			this.cache.put(client, client);
		}

	}

}
