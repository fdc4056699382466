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

package dev.uncontended.metrics;

import java.time.Instant;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} for a {@link UuidGenerator} and its pools of random bits. The
 * meters do not slow down the creation of UUIDs.
 */
public class UuidGeneratorMetrics implements MeterBinder {

	/**
	 * A {@link UuidGenerator}, or the class {@link UncontendedProvider}. The functions of
	 * the meters must not reference it, because the registry references it weakly.
	 */
	private final Object source;

	private final Tags tags;

	/**
	 * Creates a binder.
	 * @param generator the generator, which the registry references weakly
	 * @param name the value of the tag {@code generator}
	 */
	public UuidGeneratorMetrics(UuidGenerator generator, String name) {
		this((Object) generator, name);
	}

	private UuidGeneratorMetrics(Object source, String name) {
		this.source = source;
		this.tags = Tags.of("generator", name);
	}

	/**
	 * Creates a binder for the pool of {@link UncontendedProvider}, with the tag
	 * {@code generator=dropIn}. The counter {@code uuid.generated} counts the 16-byte
	 * slots taken from the pool. Each {@code UUID.randomUUID()} that uses the provider
	 * takes one slot.
	 * @return a new binder
	 */
	public static UuidGeneratorMetrics forDropIn() {
		return new UuidGeneratorMetrics(UncontendedProvider.class, "dropIn");
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		UuidGeneratorStats current = stats(this.source);
		if (current == null) {
			return; // A mock of a test
		}
		for (int version : current.pools().keySet()) {
			counter(registry, "uuid.generated", this.tags.and("version", String.valueOf(version)),
					(source) -> stats(source).generated(version), "Number of UUIDs generated");
		}
		counter(registry, "uuid.pool.refill.failures", this.tags, (source) -> pool(source).refillFailures(),
				"Number of failed refills, including failed reseeds");
		gauge(registry, "uuid.pool.failing", (source) -> (pool(source).lastFailure() != null) ? 1 : 0,
				"1 if the last refill failed, else 0");
		counter(registry, "uuid.pool.reseeds", this.tags, (source) -> pool(source).reseeds(), "Number of reseeds");
		counter(registry, "uuid.pool.contended", this.tags, (source) -> pool(source).contended(),
				"Number of times a draw found a stripe in use");
		gauge(registry, "uuid.pool.stripes", (source) -> pool(source).stripes().size(), "Number of stripes");
		FunctionTimer
			.builder("uuid.pool.refill", this.source, (source) -> pool(source).refills(),
					(source) -> pool(source).refillNanos(), TimeUnit.NANOSECONDS)
			.tags(this.tags)
			.description("Duration of the refill of a stripe's buffer")
			.register(registry);
	}

	private static UuidGeneratorStats stats(Object source) {
		if (source instanceof UuidGenerator generator) {
			return generator.stats();
		}
		PoolStats used = UncontendedProvider.stats();
		return new UuidGeneratorStats(Instant.EPOCH, Map.of(4, (used != null) ? used : PoolStats.empty()));
	}

	private static PoolStats pool(Object source) {
		return stats(source).pool();
	}

	private void counter(MeterRegistry registry, String name, Tags tags, ToDoubleFunction<Object> value,
			String description) {
		FunctionCounter.builder(name, this.source, value).tags(tags).description(description).register(registry);
	}

	private void gauge(MeterRegistry registry, String name, ToDoubleFunction<Object> value, String description) {
		Gauge.builder(name, this.source, value).tags(this.tags).description(description).register(registry);
	}

}
