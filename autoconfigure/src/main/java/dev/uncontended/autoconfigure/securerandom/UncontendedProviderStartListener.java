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

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.support.EnvironmentPostProcessorApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/**
 * If {@code uncontended.secure-random.install} is {@code true}, installs
 * {@link UncontendedProvider} as soon as the environment is available. The first call of
 * {@code UUID.randomUUID()} selects the generator that {@code UUID} keeps, so the
 * provider must be installed before this call.
 * <p>
 * When the application has started or failed to start, this listener reverts its own
 * installation. {@link UncontendedProviderLifecycle} keeps the provider installed in a
 * running application.
 */
class UncontendedProviderStartListener implements ApplicationListener<SpringApplicationEvent>, Ordered {

	private boolean installed;

	@Override
	public void onApplicationEvent(SpringApplicationEvent event) {
		if (event instanceof ApplicationEnvironmentPreparedEvent prepared) {
			if (!this.installed && "true"
				.equalsIgnoreCase(prepared.getEnvironment().getProperty(SecureRandomAutoConfiguration.INSTALL))) {
				install(prepared.getEnvironment());
				this.installed = true;
			}
		}
		else if (this.installed
				&& (event instanceof ApplicationStartedEvent || event instanceof ApplicationFailedEvent)) {
			this.installed = false;
			UncontendedProvider.uninstall();
		}
	}

	/**
	 * Uses the defaults if a property is invalid: {@link SecureRandomAutoConfiguration}
	 * then fails the start, with a message that names the property.
	 */
	private static void install(Environment environment) {
		try {
			SecureRandomAutoConfiguration
				.install(Binder.get(environment).bindOrCreate("uncontended.uuid", UuidProperties.class).random());
		}
		catch (BindException | IllegalArgumentException ex) {
			UncontendedProvider.install();
		}
	}

	@Override
	public int getOrder() {
		return EnvironmentPostProcessorApplicationListener.DEFAULT_ORDER + 1;
	}

}
