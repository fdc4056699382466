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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import org.jspecify.annotations.Nullable;

/**
 * Samples each generator's count of created UUIDs once a second, from the first
 * {@linkplain #read() read} of the rates until it is closed.
 */
public class ThroughputSampler implements AutoCloseable {

	/** The sources by bean name, and the drop-in by its class. */
	private final Map<Object, Source> sources = new LinkedHashMap<>();

	private final ThroughputMeter total;

	private final LongSupplier nanoTime;

	private @Nullable ScheduledExecutorService executor;

	private @Nullable Thread thread;

	private boolean closed;

	/**
	 * Creates a sampler for the given generators, by bean name, and for the drop-in.
	 */
	public ThroughputSampler(Map<String, UuidGenerator> generators) {
		this(generators, System::nanoTime);
	}

	ThroughputSampler(Map<String, UuidGenerator> generators, LongSupplier nanoTime) {
		this.nanoTime = nanoTime;
		long now = nanoTime.getAsLong();
		generators.forEach((name, generator) -> this.sources.put(name,
				new Source(() -> generated(generator.stats()), new ThroughputMeter(now, 0))));
		// Earlier contexts may have used the drop-in.
		this.sources.put(UncontendedProvider.class,
				new Source(ThroughputSampler::generatedByDropIn, new ThroughputMeter(now, generatedByDropIn())));
		this.total = new ThroughputMeter(now, generatedByDropIn());
	}

	private static long generated(UuidGeneratorStats stats) {
		return stats.random() + stats.timeOrdered();
	}

	private static long generatedByDropIn() {
		PoolStats stats = UncontendedProvider.stats();
		return (stats != null) ? stats.draws() : 0;
	}

	/**
	 * Returns the current rates, and starts sampling.
	 */
	synchronized Rates read() {
		if (this.executor == null && !this.closed) {
			this.executor = Executors.newSingleThreadScheduledExecutor((task) -> {
				Thread thread = new Thread(task, "uncontended-throughput");
				thread.setDaemon(true);
				this.thread = thread;
				return thread;
			});
			this.executor.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
		}
		long now = this.nanoTime.getAsLong();
		long sum = 0;
		Map<Object, Throughput> rates = new LinkedHashMap<>();
		for (Map.Entry<Object, Source> each : this.sources.entrySet()) {
			long count = each.getValue().count().getAsLong();
			sum += count;
			rates.put(each.getKey(), each.getValue().meter().throughput(now, count));
		}
		return new Rates(this.total.throughput(now, sum), rates);
	}

	synchronized void sample() {
		long now = this.nanoTime.getAsLong();
		long sum = 0;
		for (Source source : this.sources.values()) {
			long count = source.count().getAsLong();
			sum += count;
			source.meter().sample(now, count);
		}
		this.total.sample(now, sum);
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

	private record Source(LongSupplier count, ThroughputMeter meter) {
	}

	/**
	 * The rates of all generators.
	 *
	 * @param total the rates of all generators together
	 * @param bySource the rates by bean name, and by the class of the drop-in
	 */
	record Rates(Throughput total, Map<Object, Throughput> bySource) {

		Throughput dropIn() {
			return of(UncontendedProvider.class);
		}

		Throughput of(Object source) {
			Throughput throughput = this.bySource.get(source);
			if (throughput == null) {
				throw new IllegalArgumentException("Unknown generator '%s'; the sampled generators are %s"
					.formatted(source, this.bySource.keySet()));
			}
			return throughput;
		}

	}

}
