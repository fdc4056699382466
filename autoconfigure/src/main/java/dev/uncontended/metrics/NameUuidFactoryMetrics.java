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

import dev.uncontended.uuid.NameUuidFactory;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} that counts the UUIDs of a {@link NameUuidFactory}.
 */
public class NameUuidFactoryMetrics implements MeterBinder {

	private final NameUuidFactory factory;

	private final String name;

	/**
	 * Creates a binder.
	 * @param factory the factory
	 * @param name the value of the tag {@code factory}
	 */
	public NameUuidFactoryMetrics(NameUuidFactory factory, String name) {
		this.factory = factory;
		this.name = name;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		FunctionCounter.builder("uuid.names.generated", this.factory, (factory) -> factory.stats().generated())
			.tag("factory", this.name)
			.tag("version", Integer.toString(this.factory.version()))
			.description("Number of name-based UUIDs generated")
			.register(registry);
	}

}
