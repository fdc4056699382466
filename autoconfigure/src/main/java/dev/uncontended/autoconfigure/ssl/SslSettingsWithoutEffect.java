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

package dev.uncontended.autoconfigure.ssl;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Warns of properties that the selected TLS engine does not use.
 */
final class SslSettingsWithoutEffect implements InitializingBean {

	private static final Log logger = LogFactory.getLog(SslSettingsWithoutEffect.class);

	private final SslProperties properties;

	private final Environment environment;

	SslSettingsWithoutEffect(SslProperties properties, Environment environment) {
		this.properties = properties;
		this.environment = environment;
	}

	@Override
	public void afterPropertiesSet() {
		Binder binder = Binder.get(this.environment);
		if (!this.properties.usesBoringSsl()) {
			List<String> tickets = namesBelow("uncontended.ssl.tickets", binder);
			if (!tickets.isEmpty()) {
				logger.warn("The properties " + tickets
						+ " have no effect, and nodes do not share TLS sessions, because"
						+ " ticket keys require 'uncontended.ssl.engine=boringssl'. Set it, or remove the properties.");
			}
		}
		else if (binder.bind("uncontended.ssl.session-cache.maximum-size", String.class).isBound()) {
			logger.warn("The property 'uncontended.ssl.session-cache.maximum-size' has no effect, because the sessions"
					+ " of BoringSSL are not in the session cache. Remove the property.");
		}
	}

	private static List<String> namesBelow(String prefix, Binder binder) {
		List<String> names = new ArrayList<>();
		binder.bind(prefix, Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.keySet()
			.forEach((name) -> names.add(prefix + "." + name));
		return names;
	}

}
