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

	private @Nullable ScheduledExecutorService executor;

	private @Nullable Thread thread;

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

	private ThroughputMeter meter(Object source) {
		return this.meters.computeIfAbsent(source, (key) -> new ThroughputMeter(this.startedAt, 0));
	}

	/**
	 * Returns the current rates, and starts sampling.
	 */
	synchronized Rates read() {
		if (this.executor == null && !this.closed) {
			start();
		}
		long now = this.nanoTime.getAsLong();
		Map<Object, Throughput> rates = new HashMap<>();
		counts().forEach((source, count) -> rates.put(source, meter(source).throughput(now, count)));
		return new Rates(rates);
	}

	private void start() {
		ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "uncontended-throughput");
			thread.setDaemon(true);
			this.thread = thread;
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
	 * Stops sampling. Waits briefly for the thread, because a servlet container warns of
	 * threads that survive their application.
	 */
	@Override
	public void close() {
		Thread thread = stop();
		if (thread != null) {
			try {
				// An executor can be terminated before its thread.
				thread.join(1000);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	private synchronized @Nullable Thread stop() {
		this.closed = true;
		if (this.executor != null) {
			this.executor.shutdownNow();
		}
		return this.thread;
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
