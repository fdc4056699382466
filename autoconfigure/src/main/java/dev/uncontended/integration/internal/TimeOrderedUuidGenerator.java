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

package dev.uncontended.integration.internal;

import java.util.EnumSet;
import java.util.UUID;

import dev.uncontended.integration.TimeOrderedUuid;
import dev.uncontended.uuid.UuidGenerator;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.jspecify.annotations.Nullable;

/**
 * Hibernate's generator for identifiers annotated with
 * {@link TimeOrderedUuid @TimeOrderedUuid}. Thread-safe.
 */
public class TimeOrderedUuidGenerator implements BeforeExecutionGenerator {

	private static final long serialVersionUID = 1L;

	/** Transient, because Hibernate does not serialize this object. */
	private final transient @Nullable UuidGenerator generator;

	/**
	 * Creates a Hibernate generator without a source, which cannot generate ids. Spring's
	 * ahead-of-time processing builds a session factory without Spring's beans, to read
	 * the mappings of repositories. This constructor is not public, because Spring
	 * selects the only public constructor.
	 * @throws IllegalStateException except during ahead-of-time processing
	 */
	TimeOrderedUuidGenerator(TimeOrderedUuid annotation) {
		if (!Boolean.getBoolean("spring.aot.processing")) {
			throw new IllegalStateException("@TimeOrderedUuid requires a session factory that uses Spring's beans");
		}
		this.generator = null;
	}

	public TimeOrderedUuidGenerator(UuidGenerator generator) {
		this.generator = generator;
	}

	@Override
	public UUID generate(SharedSessionContractImplementor session, Object owner, @Nullable Object currentValue,
			EventType eventType) {
		if (this.generator == null) {
			throw new IllegalStateException("The session factory was built to read mappings only");
		}
		return this.generator.timeOrderedUuid();
	}

	@Override
	public EnumSet<EventType> getEventTypes() {
		return EventTypeSets.INSERT_ONLY;
	}

}
