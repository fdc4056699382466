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

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import dev.uncontended.integration.internal.TimeOrderedUuidGenerator;
import org.hibernate.annotations.IdGeneratorType;

/**
 * Assigns a version 7 UUID (RFC 9562, section 5.7) to a {@link java.util.UUID} property.
 * Entities with annotated properties of other types cannot be stored.
 * <p>
 * The UUIDs come from the {@code UuidGenerator} bean; if there are several, one must be
 * {@code @Primary}.
 * <p>
 * Hibernate assigns a UUID to each new entity. Its session factory must use Spring's
 * beans, as Spring Boot's does. It permits the annotation only on the identifier:
 *
 * <pre class="code">
 * &#64;Entity
 * class Order {
 *
 *     &#64;Id
 *     &#64;GeneratedValue
 *     &#64;TimeOrderedUuid
 *     private UUID id;
 *
 * }
 * </pre>
 *
 * Spring Data for JDBC, R2DBC and MongoDB assigns a UUID before it stores an entity whose
 * annotated property is {@code null}:
 *
 * <pre class="code">
 * record Order(&#64;Id &#64;TimeOrderedUuid UUID id) {
 * }
 * </pre>
 *
 * The UUIDs come from {@link dev.uncontended.uuid.UuidGenerator#timeOrderedUuid()} of the
 * only or primary {@code UuidGenerator} bean. UUIDs increase with the time, so new rows
 * are added at or near the end of an index. A UUID reveals its creation time.
 */
@Documented
@IdGeneratorType(TimeOrderedUuidGenerator.class)
@Retention(RetentionPolicy.RUNTIME)
@Target({ ElementType.FIELD, ElementType.METHOD })
public @interface TimeOrderedUuid {

}
