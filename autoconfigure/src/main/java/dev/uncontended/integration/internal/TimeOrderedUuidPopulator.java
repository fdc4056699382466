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

import java.util.UUID;

import dev.uncontended.integration.TimeOrderedUuid;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.data.mapping.MappingException;
import org.springframework.data.mapping.PersistentEntity;
import org.springframework.data.mapping.PersistentProperty;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.mapping.context.MappingContext;

/**
 * Assigns version 7 UUIDs to the {@link TimeOrderedUuid @TimeOrderedUuid} properties of
 * Spring Data entities. Thread-safe.
 */
public final class TimeOrderedUuidPopulator {

	private final MappingContext<?, ?> mappingContext;

	private final ObjectProvider<UuidGenerator> generators;

	public TimeOrderedUuidPopulator(MappingContext<?, ?> mappingContext, ObjectProvider<UuidGenerator> generators) {
		this.mappingContext = mappingContext;
		this.generators = generators;
	}

	/**
	 * Assigns a UUID to each annotated property that is {@code null}. Ignores objects
	 * that are not entities.
	 * @return the entity, or a copy if the entity is immutable and a UUID was assigned
	 * @throws MappingException if an annotated property is not a {@link UUID}
	 */
	public <T> T populate(T entity) {
		PersistentEntity<?, ?> type = this.mappingContext.getPersistentEntity(entity.getClass());
		if (type == null) {
			return entity;
		}
		PersistentPropertyAccessor<T> accessor = type.getPropertyAccessor(entity);
		for (PersistentProperty<?> property : type.getPersistentProperties(TimeOrderedUuid.class)) {
			if (property.getType() != UUID.class) {
				throw new MappingException(
						"@TimeOrderedUuid requires the type java.util.UUID, but '%s.%s' is of type %s"
							.formatted(type.getName(), property.getName(), property.getType().getName()));
			}
			if (accessor.getProperty(property) == null) {
				accessor.setProperty(property, this.generators.getObject().timeOrderedUuid());
			}
		}
		return accessor.getBean();
	}

}
