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

package dev.uncontended.autoconfigure;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the line that is logged at start-up.
 */
@AutoConfiguration
public final class StartupLogAutoConfiguration {

	@Bean
	static StartupLog uncontendedStartupLog(ListableBeanFactory beanFactory, Environment environment) {
		return new StartupLog(beanFactory, environment, UuidGenerator.class, SslSessionCache.class);
	}

}
