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

package dev.uncontended.autoconfigure.uuid;

import dev.uncontended.integration.internal.UuidSessionIdGenerator;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;
import org.springframework.session.SessionIdGenerator;

/**
 * Auto-configuration that lets the {@link UuidGenerator} create session ids for Spring
 * Session. The ids are version 4 UUIDs.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class)
@ConditionalOnClass(SessionIdGenerator.class)
@ConditionalOnBooleanProperty("uncontended.uuid.spring-session")
@ConditionalOnSingleCandidate(UuidGenerator.class)
public final class SpringSessionUuidAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SessionIdGenerator springSessionIdGenerator(UuidGenerator generator) {
		return new UuidSessionIdGenerator(generator);
	}

}
