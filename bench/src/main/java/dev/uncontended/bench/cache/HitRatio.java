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

import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Prints the percentage of return visits that resume a session, for each trace and each
 * eviction policy. Sizes in the names of the traces are multiples of the cache's size.
 */
public final class HitRatio {

	private static final int[] SIZES = { 2_048, 20_480 };

	private static final double[][] CHURN = { { 0.5, 4, 0.1 }, { 0.5, 4, 0.25 }, { 0.5, 4, 0.5 }, { 0.2, 8, 0.5 },
			{ 0.5, 4, 1 }, { 0.9, 2, 0.25 }, { 0.9, 2, 0.5 }, { 0.5, 1, 0.5 }, { 0.2, 40, 0.5 }, { 0.2, 40, 1 } };

	private static final double[][] FLOODS = { { 0.1, 0.7 }, { 0.25, 0.7 }, { 0.25, 0.9 }, { 0.5, 0.2 }, { 0.5, 0.7 } };

	private static final double[] SHIFTS = { 0.5, 0.9 };

	private static final double[][] ZIPF = { { 0.7, 0 }, { 0.9, 0 }, { 0.9, 0.6 }, { 1.1, 0 } };

	private static final List<Function<Integer, EvictionPolicy>> POLICIES = List.of(EvictionPolicy.Ours::new,
			EvictionPolicy.Lru::new, EvictionPolicy.Jdk::new, EvictionPolicy.Caffeine::new, EvictionPolicy.Sieve::new);

	private HitRatio() {
	}

	public static void main(String[] args) {
		System.out.println("trace\tsize\tours\tLRU\tJDK\tCaffeine\tSIEVE");
		for (int size : SIZES) {
			for (double[] row : CHURN) {
				print(String.format(Locale.ROOT, "churn: never %.1f, returns %.0f, gap %.2f", row[0], row[1], row[2]),
						size, ClientTrace.churn(row[0], row[1], row[2] * size));
			}
			for (double[] row : FLOODS) {
				print(String.format(Locale.ROOT, "flood: permanent %.2f, one-time %.1f", row[0], row[1]), size,
						ClientTrace.flood((int) (row[0] * size), row[1]));
			}
			for (double used : SHIFTS) {
				print(String.format(Locale.ROOT, "shift: used %.1f", used), size,
						ClientTrace.shift((int) (used * size)));
			}
			for (double[] row : ZIPF) {
				print(String.format(Locale.ROOT, "Zipf: exponent %.1f, one-time %.1f", row[0], row[1]), size,
						ClientTrace.zipf(row[0], row[1]));
			}
		}
	}

	private static void print(String name, int size, ClientTrace trace) {
		StringBuilder line = new StringBuilder(name).append('\t').append(size);
		for (Function<Integer, EvictionPolicy> policy : POLICIES) {
			line.append(String.format(Locale.ROOT, "\t%.1f", trace.hitRatio(policy.apply(size))));
		}
		System.out.println(line);
	}

}
