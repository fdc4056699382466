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

import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.tls.tickets.TicketKeys;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * If no server uses BoringSSL once all servers have started, logs a warning, and stops
 * the ticket keys, which may poll Redis.
 */
final class UnusedBoringSsl implements ApplicationListener<ContextRefreshedEvent> {

	private static final Log logger = LogFactory.getLog(UnusedBoringSsl.class);

	private final ApplicationContext context;

	UnusedBoringSsl(ApplicationContext context) {
		this.context = context;
	}

	@Override
	public void onApplicationEvent(ContextRefreshedEvent event) {
		if (event.getApplicationContext() != this.context || this.context.containsBean(ServerTls.SERVERS)) {
			return;
		}
		logger.warn("'" + SslEngine.PROPERTY + "=boringssl' has no effect, because this application has no embedded"
				+ " server with TLS");
		this.context.getBeanProvider(TicketKeys.class).forEach(TicketKeys::stop);
	}

}
