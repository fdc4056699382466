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

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;

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
 * A {@link MeterBinder} for a {@link UuidGenerator} and its pools. The meters read the
 * pools' counts and do not slow down the creation of UUIDs.
 */
public class UuidGeneratorMetrics implements MeterBinder {

	/** The object of the meters, which the registry references weakly. */
	private final Object source;

	private final ToDoubleFunction<Object> random;

	private final ToDoubleFunction<Object> timeOrdered;

	private final Function<Object, PoolStats> pool;

	private final Tags tags;

	/**
	 * Creates a binder.
	 * @param generator the generator, which the registry references weakly
	 * @param name the value of the tag {@code generator}
	 */
	public UuidGeneratorMetrics(UuidGenerator generator, String name) {
		this(generator, (source) -> stats(source).random(), (source) -> stats(source).timeOrdered(),
				(source) -> stats(source).pool(), name);
	}

	private UuidGeneratorMetrics(Object source, ToDoubleFunction<Object> random, ToDoubleFunction<Object> timeOrdered,
			Function<Object, PoolStats> pool, String name) {
		this.source = source;
		this.random = random;
		this.timeOrdered = timeOrdered;
		this.pool = pool;
		this.tags = Tags.of("generator", name);
	}

	/**
	 * Creates a binder for the JDK's generator, with the tag {@code generator=jdk}. The
	 * counter {@code uuid.generated} counts the 16-byte slots drawn from
	 * {@link UncontendedProvider}, one for each {@code UUID.randomUUID()}. All meters are
	 * 0 while the provider is unused.
	 * @return a new binder
	 */
	public static UuidGeneratorMetrics forJdk() {
		return new UuidGeneratorMetrics(UncontendedProvider.class, (source) -> jdkPool().draws(), (source) -> 0,
				(source) -> jdkPool(), "jdk");
	}

	private static UuidGeneratorStats stats(Object generator) {
		return ((UuidGenerator) generator).stats();
	}

	private static PoolStats jdkPool() {
		PoolStats stats = UncontendedProvider.stats();
		return (stats != null) ? stats : new PoolStats(0, 0, 0, 0, 0, null, List.of());
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Function<Object, PoolStats> pool = this.pool;
		FunctionCounter.builder("uuid.generated", this.source, this.random)
			.tags(this.tags.and("version", "4"))
			.description("Number of UUIDs generated")
			.register(registry);
		FunctionCounter.builder("uuid.generated", this.source, this.timeOrdered)
			.tags(this.tags.and("version", "7"))
			.description("Number of UUIDs generated")
			.register(registry);
		counter(registry, "uuid.pool.refill.failures", PoolStats::refillFailures,
				"Number of failed refills, including failed reseeds");
		Gauge.builder("uuid.pool.failing", this.source, (source) -> (pool.apply(source).lastFailure() != null) ? 1 : 0)
			.tags(this.tags)
			.description("1 if the last refill failed, else 0")
			.register(registry);
		counter(registry, "uuid.pool.reseeds", PoolStats::reseeds, "Number of reseeds");
		counter(registry, "uuid.pool.contended", PoolStats::contended, "Number of times a draw skipped a busy stripe");
		FunctionTimer
			.builder("uuid.pool.refill", this.source, (source) -> pool.apply(source).refills(),
					(source) -> pool.apply(source).refillNanos(), TimeUnit.NANOSECONDS)
			.tags(this.tags)
			.description("Duration of the refill of a stripe's buffer")
			.register(registry);
		Gauge.builder("uuid.pool.stripes", this.source, (source) -> pool.apply(source).stripes().size())
			.tags(this.tags)
			.description("Number of stripes")
			.register(registry);
	}

	private void counter(MeterRegistry registry, String name, ToLongFunction<PoolStats> count, String description) {
		Function<Object, PoolStats> pool = this.pool;
		FunctionCounter.builder(name, this.source, (source) -> count.applyAsLong(pool.apply(source)))
			.tags(this.tags)
			.description(description)
			.register(registry);
	}

}
