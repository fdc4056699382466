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

import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Samples each generator's count of created UUIDs once a second. The {@link UuidEndpoint}
 * exposes the resulting rates.
 */
public class ThroughputSampler implements SmartLifecycle {

	private final Map<String, ThroughputMeter> meters;

	private @Nullable ScheduledExecutorService executor;

	private final ThroughputMeter jdk;

	/**
	 * Creates a sampler for the given generators, by bean name, and for
	 * {@link UncontendedProvider}.
	 */
	public ThroughputSampler(Map<String, UuidGenerator> generators) {
		this(generators, System::nanoTime);
	}

	ThroughputSampler(Map<String, UuidGenerator> generators, LongSupplier nanoTime) {
		this.meters = generators.entrySet()
			.stream()
			.collect(Collectors.toUnmodifiableMap(Map.Entry::getKey,
					(entry) -> new ThroughputMeter(() -> generated(entry.getValue()), nanoTime)));
		this.jdk = new ThroughputMeter(ThroughputSampler::generatedByJdk, nanoTime);
	}

	private static long generatedByJdk() {
		PoolStats stats = UncontendedProvider.stats();
		return (stats != null) ? stats.draws() : 0;
	}

	private static long generated(UuidGenerator generator) {
		// A mock of UuidGenerator returns null.
		@Nullable UuidGeneratorStats stats = generator.stats();
		return (stats != null) ? stats.random() + stats.timeOrdered() : 0;
	}

	Throughput throughput(String generator) {
		ThroughputMeter meter = this.meters.get(generator);
		if (meter == null) {
			throw new IllegalArgumentException(
					"Unknown generator '%s'; the sampled generators are %s".formatted(generator, this.meters.keySet()));
		}
		return meter.throughput();
	}

	Throughput throughputOfJdk() {
		return this.jdk.throughput();
	}

	void sample() {
		this.meters.values().forEach(ThroughputMeter::sample);
		this.jdk.sample();
	}

	@Override
	public synchronized void start() {
		this.executor = Executors.newSingleThreadScheduledExecutor((task) -> {
			Thread thread = new Thread(task, "uncontended-throughput");
			thread.setDaemon(true);
			return thread;
		});
		this.executor.scheduleAtFixedRate(this::sample, 1, 1, TimeUnit.SECONDS);
	}

	/**
	 * Stops sampling. Waits briefly for the thread, because a servlet container warns of
	 * threads that survive their application.
	 */
	@Override
	public synchronized void stop() {
		ScheduledExecutorService executor = this.executor;
		if (executor != null) {
			this.executor = null;
			executor.shutdownNow();
			try {
				executor.awaitTermination(1, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public synchronized boolean isRunning() {
		return this.executor != null;
	}

}
