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

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

import dev.uncontended.actuate.SslSessionsEndpoint;
import dev.uncontended.actuate.SslSessionsEndpoint.ServersDescriptor;
import dev.uncontended.actuate.SslSessionsEndpoint.StatefulDescriptor;
import dev.uncontended.actuate.SslSessionsEndpointWebExtension;
import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeySource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.endpoint.expose.EndpointExposure;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the {@link SslSessionsEndpoint}.
 */
@AutoConfiguration(after = { SslSessionCacheAutoConfiguration.class, TicketKeyAutoConfiguration.class })
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnAvailableEndpoint(SslSessionsEndpoint.class)
@ConditionalOnBean(SslSessionCache.class)
public final class SslSessionsEndpointAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	SslSessionsEndpoint sslSessionsEndpoint(Map<String, SslSessionCache> caches,
			ObjectProvider<TlsHandshakes> handshakes, ObjectProvider<SslSessionCacheProperties> properties,
			ObjectProvider<TlsEngine> engines, Environment environment, ObjectProvider<TicketKeySource> ticketKeys,
			ObjectProvider<TlsServers> servers) {
		boolean stateful = properties.stream().map(SslSessionCacheProperties::stateful).anyMatch(Boolean.TRUE::equals);
		TlsEngine engine = engines.getIfUnique();
		return new SslSessionsEndpoint(caches, handshakes.orderedStream().toList(),
				(engine != null) ? describe(stateful, engine) : null,
				SslEngine.of(environment).name().toLowerCase(Locale.ROOT),
				(engine != null) ? engine.groups() : List.of(), ticketKeys.getIfUnique(),
				() -> new ServersDescriptor(names(servers, TlsServers::reached),
						names(servers, TlsServers::unreached)));
	}

	private static StatefulDescriptor describe(boolean stateful, TlsEngine engine) {
		return engine.usesSessionCache() ? new StatefulDescriptor(stateful, engine.isStateful())
				: new StatefulDescriptor(stateful, false, "outside the session cache, kept by " + engine);
	}

	private static List<String> names(ObjectProvider<TlsServers> servers, Function<TlsServers, List<String>> names) {
		return servers.stream().map(names).flatMap(List::stream).toList();
	}

	@Bean
	@ConditionalOnMissingBean
	@ConditionalOnAvailableEndpoint(endpoint = SslSessionsEndpoint.class, exposure = EndpointExposure.WEB)
	SslSessionsEndpointWebExtension sslSessionsEndpointWebExtension(SslSessionsEndpoint endpoint) {
		return new SslSessionsEndpointWebExtension(endpoint);
	}

}
