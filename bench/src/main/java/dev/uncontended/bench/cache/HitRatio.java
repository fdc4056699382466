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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Compares the hit ratios of Uncontended's cache, LRU and Caffeine. Returning clients
 * with Zipf-distributed popularity are mixed with one-time visitors. Each figure is the
 * mean of several random traces.
 * <p>
 * For each kind of {@link ClientIds}, prints tab-separated lines: Zipf exponent, fraction
 * of one-time visitors, cache size, and the hit ratios of returning clients in percent.
 * Then prints the means of all lines, and Uncontended's smallest lead in any trace.
 */
public final class HitRatio {

	private static final double[] EXPONENTS = { 0.7, 0.9, 1.1 };

	private static final double[] VISITORS = { 0, 0.3, 0.6 };

	private static final int[] SIZES = { ClientTrace.CLIENTS / 100, ClientTrace.CLIENTS / 10, ClientTrace.CLIENTS / 2 };

	private static final long[] SEEDS = { 42, 43, 44 };

	private HitRatio() {
	}

	public static void main(String[] args) {
		System.out.println("sessions: a client whose session was evicted returns with a new one");
		print(ClientIds.Sessions::new);
		System.out.println("names: a client keeps its name");
		print(ClientIds.Names::new);
	}

	private static void print(ClientIds.Factory ids) {
		List<Ratios> all = new ArrayList<>();
		System.out.println("zipf\tone-time\tsize\tours\tLRU\tCaffeine");
		for (double exponent : EXPONENTS) {
			for (double visitors : VISITORS) {
				List<ClientTrace> traces = LongStream.of(SEEDS)
					.mapToObj((seed) -> ClientTrace.random(exponent, visitors, seed))
					.toList();
				for (int size : SIZES) {
					List<Ratios> ratios = traces.stream().map((trace) -> Ratios.of(trace, ids, size)).toList();
					System.out.printf(Locale.ROOT, "%.1f\t%.1f\t%d\t%s%n", exponent, visitors, size,
							Ratios.mean(ratios));
					all.addAll(ratios);
				}
			}
		}
		System.out.printf(Locale.ROOT, "mean\t\t\t%s%n", Ratios.mean(all));
		System.out.printf(Locale.ROOT, "least lead\t\t\t\t%.2f\t%.2f%n",
				all.stream().mapToDouble((ratios) -> ratios.ours - ratios.lru).min().orElseThrow(),
				all.stream().mapToDouble((ratios) -> ratios.ours - ratios.caffeine).min().orElseThrow());
	}

	private record Ratios(double ours, double lru, double caffeine) {

		static Ratios of(ClientTrace trace, ClientIds.Factory ids, int size) {
			return new Ratios(trace.hitRatio(ids.create(), new EvictionPolicy.Ours(size)),
					trace.hitRatio(ids.create(), new EvictionPolicy.Lru(size)),
					trace.hitRatio(ids.create(), new EvictionPolicy.Caffeine(size)));
		}

		static Ratios mean(List<Ratios> ratios) {
			return new Ratios(ratios.stream().mapToDouble(Ratios::ours).average().orElseThrow(),
					ratios.stream().mapToDouble(Ratios::lru).average().orElseThrow(),
					ratios.stream().mapToDouble(Ratios::caffeine).average().orElseThrow());
		}

		@Override
		public String toString() {
			return String.format(Locale.ROOT, "%.2f\t%.2f\t%.2f", this.ours, this.lru, this.caffeine);
		}

	}

}
