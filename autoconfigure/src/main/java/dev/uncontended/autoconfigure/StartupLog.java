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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.tickets.TicketKeys;
import dev.uncontended.uuid.UuidGenerator;
import dev.uncontended.uuid.UuidGeneratorStats;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Logs what the application uses once its servers have started. Creates no lazy bean.
 */
final class StartupLog implements ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(StartupLog.class);

	private final ConfigurableApplicationContext context;

	StartupLog(ConfigurableApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context) {
			return; // A child context was refreshed, such as the management context.
		}
		if (logger.isInfoEnabled()) {
			List<String> parts = new ArrayList<>();
			addGenerators(parts);
			addServers(parts);
			parts.add("UUID.randomUUID() runs on "
					+ (UncontendedProvider.isEffective() ? "Uncontended" : "the JVM's default SecureRandom"));
			logger.info(String.join("; ", parts));
		}
	}

	private void addGenerators(List<String> parts) {
		ConfigurableListableBeanFactory beanFactory = this.context.getBeanFactory();
		for (String name : beanFactory.getBeanNamesForType(UuidGenerator.class)) {
			if (beanFactory.containsSingleton(name)) {
				UuidGenerator generator = beanFactory.getBean(name, UuidGenerator.class);
				UuidGeneratorStats stats = generator.stats();
				if (stats == null) {
					continue; // A mock of a test
				}
				int stripes = stats.pool().stripes().size();
				parts.add(name + " draws from " + generator.algorithm() + " of " + generator.provider() + ", " + stripes
						+ ((stripes == 1) ? " stripe" : " stripes"));
			}
			else {
				parts.add(name + " has not been used");
			}
		}
	}

	private void addServers(List<String> parts) {
		// Only exists if there is a server with TLS.
		if (this.context.getBeanFactory().getSingleton("uncontendedTlsServers") instanceof TlsServers servers) {
			List<String> groups = servers.groups();
			String allowed = groups.isEmpty() ? "" : ", groups " + groups;
			for (Map.Entry<String, String> server : servers.sessions().entrySet()) {
				parts.add("TLS of " + server.getKey() + allowed + ticketKeys() + ", sessions " + server.getValue());
			}
		}
	}

	private String ticketKeys() {
		TicketKeys keys = this.context.getBeanProvider(TicketKeys.class).getIfUnique();
		return (keys != null) ? ", ticket keys from '" + keys.status().source() + "'" : "";
	}

}
