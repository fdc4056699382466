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

import java.util.concurrent.atomic.AtomicBoolean;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.metrics.SslSessionCacheMetrics;
import dev.uncontended.metrics.TicketKeyMetrics;
import dev.uncontended.metrics.TlsHandshakeMetrics;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.tickets.TicketKeys;
import io.micrometer.core.instrument.MeterRegistry;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.ApplicationListener;

/**
 * Binds the meters of TLS after the first server with TLS has started, which can be a
 * management server. Other applications have no such meters.
 */
final class TlsMeters implements ApplicationListener<WebServerInitializedEvent> {

	private final ConfigurableListableBeanFactory beanFactory;

	private final ObjectProvider<MeterRegistry> registries;

	private final AtomicBoolean bound = new AtomicBoolean();

	TlsMeters(ConfigurableListableBeanFactory beanFactory, ObjectProvider<MeterRegistry> registries) {
		this.beanFactory = beanFactory;
		this.registries = registries;
	}

	@Override
	public void onApplicationEvent(WebServerInitializedEvent event) {
		if (!this.beanFactory.containsSingleton(SslServerAutoConfiguration.SERVERS)) {
			return;
		}
		MeterRegistry registry = this.registries.getIfUnique();
		if (registry != null && this.bound.compareAndSet(false, true)) {
			TlsServers servers = this.beanFactory.getBean(TlsServers.class);
			new SslSessionCacheMetrics(servers.sessionTokens(), SslSessionsEndpoint.CACHE).bindTo(registry);
			new TlsHandshakeMetrics(servers.handshakes()).bindTo(registry);
			if (this.beanFactory.getBean(SslProperties.class).usesBoringSsl()) {
				new TicketKeyMetrics(this.beanFactory.getBean(TicketKeys.class)).bindTo(registry);
			}
		}
	}

}
