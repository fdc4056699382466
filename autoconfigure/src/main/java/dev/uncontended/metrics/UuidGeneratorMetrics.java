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

import dev.uncontended.uuid.UuidGenerator;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * {@link MeterBinder} for a {@link UuidGenerator} and its pool. The meters read the
 * pool's own counts, so that drawing an id costs nothing more.
 */
public class UuidGeneratorMetrics implements MeterBinder {

	private final UuidGenerator generator;

	private final Tags tags;

	/**
	 * Create a binder.
	 * @param generator the generator
	 * @param name the generator's name, the value of the tag {@code generator}
	 */
	public UuidGeneratorMetrics(UuidGenerator generator, String name) {
		this.generator = generator;
		this.tags = Tags.of("generator", name);
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter.builder("uuid.generated", this.generator, (generator) -> generator.stats().random())
			.tags(this.tags.and("version", "4"))
			.description("Number of UUIDs generated")
			.register(registry);
		FunctionCounter.builder("uuid.generated", this.generator, (generator) -> generator.stats().timeOrdered())
			.tags(this.tags.and("version", "7"))
			.description("Number of UUIDs generated")
			.register(registry);
		FunctionCounter.builder("uuid.pool.refills", this.generator, (generator) -> generator.stats().pool().refills())
			.tags(this.tags)
			.description("Number of times a stripe's buffer was filled")
			.register(registry);
		FunctionCounter
			.builder("uuid.pool.refill.failures", this.generator,
					(generator) -> generator.stats().pool().refillFailures())
			.tags(this.tags)
			.description("Number of refills that failed, also for lack of entropy to reseed with")
			.register(registry);
		FunctionCounter
			.builder("uuid.pool.contended", this.generator, (generator) -> generator.stats().pool().contended())
			.tags(this.tags)
			.description("Number of times a draw passed over a busy stripe")
			.register(registry);
		Gauge.builder("uuid.pool.stripes", this.generator, (generator) -> generator.stats().pool().stripes().size())
			.tags(this.tags)
			.description("Number of stripes")
			.register(registry);
	}

}
