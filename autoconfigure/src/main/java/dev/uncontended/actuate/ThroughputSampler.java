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
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

import dev.uncontended.actuate.UuidEndpoint.Throughput;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.UuidGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Samples the number of UUIDs that generators and factories have created once a second,
 * from the first {@linkplain #read() read} of the rates until it is closed.
 */
public class ThroughputSampler implements AutoCloseable {

	/** The key of the rates of all generators and the drop-in together. */
	static final Object TOTAL = "total";

	/** The key of the rates of the drop-in. */
	static final Object DROP_IN = UncontendedProvider.class;

	private final Map<String, UuidGenerator> generators;

	private final Supplier<Map<String, NameUuidFactory>> factories;

	private final LongSupplier nanoTime;

	private final long startedAt;

	/** Earlier contexts may have used the drop-in. */
	private final long dropInBefore = generatedByDropIn();

	private final Map<Object, ThroughputMeter> meters = new HashMap<>();

	private @Nullable ScheduledExecutorService executor;

	private boolean closed;

	/**
	 * Creates a sampler for the given generators and factories, and for the drop-in.
	 * @param generators the generators by name
	 * @param factories finds the existing factories by name, for each sample
	 */
	public ThroughputSampler(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories) {
		this(generators, factories, System::nanoTime);
	}

	ThroughputSampler(Map<String, UuidGenerator> generators, Supplier<Map<String, NameUuidFactory>> factories,
			LongSupplier nanoTime) {
		this.generators = generators;
		this.factories = factories;
		this.nanoTime = nanoTime;
		this.startedAt = nanoTime.getAsLong();
	}

	private Map<Object, Long> counts() {
		Map<Object, Long> counts = new LinkedHashMap<>();
		counts.put(DROP_IN, generatedByDropIn());
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

	private ThroughputMeter meter(Object source) {
		return this.meters.computeIfAbsent(source,
				(key) -> new ThroughputMeter(this.startedAt, (key == DROP_IN || key == TOTAL) ? this.dropInBefore : 0));
	}

	/**
	 * Returns the current rates by generator and factory, of {@link #DROP_IN} and
	 * {@link #TOTAL}, and starts sampling.
	 */
	synchronized Map<Object, Throughput> read() {
		if (this.executor == null && !this.closed) {
			start();
		}
		long now = this.nanoTime.getAsLong();
		Map<Object, Throughput> rates = new HashMap<>();
		counts().forEach((source, count) -> rates.put(source, meter(source).throughput(now, count)));
		return rates;
	}

	private void start() {
		ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "uncontended-throughput");
			thread.setDaemon(true);
			return thread;
		});
		sample();
		// Not at a fixed rate, which would make up for missed samples all at once.
		executor.scheduleWithFixedDelay(this::sample, 1, 1, TimeUnit.SECONDS);
		this.executor = executor;
	}

	synchronized void sample() {
		long now = this.nanoTime.getAsLong();
		counts().forEach((source, count) -> meter(source).sample(now, count));
	}

	/**
	 * Stops sampling.
	 */
	@Override
	public synchronized void close() {
		this.closed = true;
		if (this.executor != null) {
			this.executor.shutdownNow();
		}
	}

}
