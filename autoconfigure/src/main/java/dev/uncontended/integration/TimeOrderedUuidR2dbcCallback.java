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

package dev.uncontended.integration;

import java.util.UUID;
import java.util.function.Supplier;

import dev.uncontended.uuid.UuidGenerator;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

import org.springframework.data.r2dbc.mapping.R2dbcMappingContext;
import org.springframework.data.r2dbc.mapping.event.BeforeConvertCallback;
import org.springframework.data.relational.core.sql.SqlIdentifier;

/**
 * Assigns version 7 UUIDs to annotated {@code null} properties before Spring Data R2DBC
 * stores an entity. Thread-safe.
 * <p>
 * Internal: not part of the API, and subject to change in any release.
 *
 * @see TimeOrderedUuid
 */
public class TimeOrderedUuidR2dbcCallback implements BeforeConvertCallback<Object> {

	private final TimeOrderedUuidProperties properties;

	/**
	 * Creates a callback.
	 * @param mappingContext the metadata of the entities
	 * @param ids supplies the UUIDs and must be thread-safe, such as
	 * {@link UuidGenerator#timeOrderedUuid}
	 */
	public TimeOrderedUuidR2dbcCallback(R2dbcMappingContext mappingContext, Supplier<UUID> ids) {
		this.properties = new TimeOrderedUuidProperties(mappingContext, ids);
	}

	@Override
	public Publisher<Object> onBeforeConvert(Object entity, SqlIdentifier table) {
		return Mono.fromSupplier(() -> this.properties.populate(entity));
	}

}
