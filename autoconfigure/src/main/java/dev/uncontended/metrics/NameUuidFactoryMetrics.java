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

import java.util.function.Function;

import dev.uncontended.uuid.NameUuidFactory;
import dev.uncontended.uuid.NameUuidStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link MeterBinder} that counts the UUIDs of a {@link NameUuidFactory}.
 */
public class NameUuidFactoryMetrics implements MeterBinder {

	private final Function<MeterRegistry, FunctionCounter> counter;

	/**
	 * Creates a binder.
	 * @param factory the factory, which the registry references weakly
	 * @param name the value of the tag {@code factory}
	 */
	public NameUuidFactoryMetrics(NameUuidFactory factory, String name) {
		this(factory, (source) -> source, name);
	}

	/**
	 * Creates a binder for a factory that may not exist yet.
	 * @param <T> the type of the source
	 * @param source the source of the factory, which the registry references weakly
	 * @param factory returns the source's factory, or {@code null} until it exists
	 * @param name the value of the tag {@code factory}
	 */
	public <T> NameUuidFactoryMetrics(T source, Function<T, @Nullable NameUuidFactory> factory, String name) {
		this.counter = FunctionCounter.builder("uuid.names.generated", source, (it) -> generated(factory.apply(it)))
			.tag("factory", name)
			.description("Number of name-based UUIDs generated")::register;
	}

	private static long generated(@Nullable NameUuidFactory factory) {
		NameUuidStats stats = (factory != null) ? factory.stats() : null;
		// A mock of a test has no statistics.
		return (stats != null) ? stats.generated() : 0;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter unused = this.counter.apply(registry);
	}

}
