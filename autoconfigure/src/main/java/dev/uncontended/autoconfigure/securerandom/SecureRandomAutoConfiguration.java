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

package dev.uncontended.autoconfigure.securerandom;

import dev.uncontended.autoconfigure.uuid.UuidProperties;
import dev.uncontended.random.UncontendedProvider;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration that keeps {@link UncontendedProvider} installed until all contexts
 * that have installed it have stopped.
 */
@AutoConfiguration
@ConditionalOnBooleanProperty(SecureRandomAutoConfiguration.INSTALL)
@EnableConfigurationProperties(UuidProperties.class)
public final class SecureRandomAutoConfiguration {

	static final String INSTALL = "uncontended.secure-random.install";

	@Bean
	UncontendedProviderLifecycle uncontendedProviderLifecycle(UuidProperties properties) {
		return new UncontendedProviderLifecycle(properties.random());
	}

	static void install(UuidProperties.Random random) {
		UncontendedProvider.install(random.stripesOrDefault(), (int) random.bufferSize().toBytes(),
				random.reseedInterval());
	}

}
