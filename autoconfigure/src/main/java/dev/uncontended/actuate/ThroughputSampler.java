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

package dev.uncontended.actuate;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;

/**
 * Computes the rates at which generators and factories create UUIDs. Each
 * {@linkplain #read() read} takes a sample.
 */
final class ThroughputSampler {

	private static final Object TOTAL = "total";

	private final Map<String, UuidGenerator> generators;

	private final Supplier<Map<String, NameUuidFactory>> factories;

	private final LongSupplier nanoTime;

	private final long startedAt;

	/**
	 * By generator and factory; the drop-in's by its class, and the total's by
	 * {@link #TOTAL}.
	 */
	private final Map<Object, ThroughputMeter> meters = new HashMap<>();

	/**
	 * Creates a sampler for the given generators and factories, and for the drop-in.
	 */
	ThroughputSampler(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories,
			LongSupplier nanoTime) {
		this.generators = generators;
		this.factories = factories;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
		// Earlier contexts may have used the drop-in.
		long dropIn = generatedByDropIn();
		this.meters.put(UncontendedProvider.class, new ThroughputMeter(this.startedAt, dropIn));
		this.meters.put(TOTAL, new ThroughputMeter(this.startedAt, dropIn));
	}

	private Map<Object, Long> counts() {
		Map<Object, Long> counts = new LinkedHashMap<>();
		counts.put(UncontendedProvider.class, generatedByDropIn());
		for (UuidGenerator generator : this.generators.values()) {
			counts.put(generator, generator.stats().pool().draws());
		}
		counts.put(TOTAL, counts.values().stream().mapToLong(Long::longValue).sum());
		for (NameUuidFactory factory : this.factories.get().values()) {
			counts.put(factory, factory.stats().generated());
		}
		return counts;
	}

	private static long generatedByDropIn() {
		PoolStats stats = UncontendedProvider.stats();
		return (stats != null) ? stats.draws() : 0;
	}

	/**
	 * Returns the current rates.
	 */
	synchronized Rates read() {
		long now = this.nanoTime.getAsLong();
		Map<Object, Throughput> rates = new HashMap<>();
		counts().forEach((source, count) -> rates.put(source,
				this.meters.computeIfAbsent(source, (key) -> new ThroughputMeter(this.startedAt, 0))
					.sample(now, count)));
		return new Rates(rates);
	}

	/**
	 * The rates of all generators and factories.
	 *
	 * @param bySource the rates by the keys of the meters
	 */
	record Rates(Map<Object, Throughput> bySource) {

		Throughput total() {
			return of(TOTAL);
		}

		Throughput dropIn() {
			return of(UncontendedProvider.class);
		}

		Throughput of(Object source) {
			Throughput throughput = this.bySource.get(source);
			if (throughput == null) {
				throw new IllegalArgumentException("The generator is not sampled: " + source);
			}
			return throughput;
		}

	}

}
