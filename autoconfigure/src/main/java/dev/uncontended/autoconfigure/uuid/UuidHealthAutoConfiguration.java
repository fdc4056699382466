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

import java.util.Map;

import dev.uncontended.actuate.UuidHealthIndicator;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the {@link UuidHealthIndicator}. The indicator is disabled by
 * default, because the status DOWN can take an application out of service.
 */
@AutoConfiguration(after = UuidAutoConfiguration.class)
@ConditionalOnClass(HealthIndicator.class)
@ConditionalOnBooleanProperty("management.health.uuid.enabled")
@ConditionalOnBean(UuidGenerator.class)
public final class UuidHealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "uuidHealthIndicator")
	UuidHealthIndicator uuidHealthIndicator(Map<String, UuidGenerator> generators) {
		return new UuidHealthIndicator(generators);
	}

}
