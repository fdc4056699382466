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
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.SmartLifecycle;

/**
 * Keeps {@link UncontendedProvider} installed while the context runs. The provider stays
 * installed until all contexts that have installed it have stopped.
 */
class UncontendedProviderLifecycle implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(UncontendedProviderLifecycle.class);

	private final UuidProperties.Random random;

	private volatile boolean running;

	UncontendedProviderLifecycle(UuidProperties.Random random) {
		this.random = random;
	}

	@Override
	public void start() {
		SecureRandomAutoConfiguration.install(this.random);
		this.running = true;
		if (!UncontendedProvider.isEffective()) {
			logger.warn("UUID.randomUUID() does not run on the " + UncontendedProvider.NAME + " provider: "
					+ (UncontendedProvider.isInstalled()
							? "a random UUID was drawn before the provider was installed, and the JDK keeps the generator of"
									+ " the first draw. Do not draw UUIDs before SpringApplication.run, or inject the UuidGenerator"
									+ " bean instead."
							: "another class loader, such as another deployment's, has installed it. Install the provider"
									+ " once in the servlet container instead."));
		}
	}

	@Override
	public void stop() {
		this.running = false;
		UncontendedProvider.uninstall();
	}

	@Override
	public boolean isRunning() {
		return this.running;
	}

	@Override
	public int getPhase() {
		return Integer.MIN_VALUE;
	}

}
