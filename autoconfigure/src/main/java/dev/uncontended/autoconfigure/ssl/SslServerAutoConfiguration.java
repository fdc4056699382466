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

import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.server.jetty.JettyTlsServer;
import dev.uncontended.tls.server.tomcat.TomcatTlsServer;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeys;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnNotWarDeployment;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/**
 * Auto-configuration of the TLS of web servers.
 */
@AutoConfiguration
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnBooleanProperty(name = "uncontended.ssl.enabled", matchIfMissing = true)
@EnableConfigurationProperties(SslProperties.class)
public final class SslServerAutoConfiguration {

	/** Exists only if a server has TLS, or something else uses it. */
	static final String SERVERS = "uncontendedTlsServers";

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	SslSessionCache sslSessionCache(TlsServers servers) {
		return servers.sessionTokens();
	}

	@Bean(SERVERS)
	@Lazy
	@ConditionalOnMissingBean
	TlsServers uncontendedTlsServers(SslProperties properties, TlsHandshakes handshakes) {
		SslProperties.SessionCache cache = properties.sessionCache();
		return new TlsServers(new SessionTokens(cache.maximumSize(), cache.timeout(), System::nanoTime), handshakes);
	}

	@Bean
	@Lazy
	@ConditionalOnMissingBean
	TlsHandshakes uncontendedTlsHandshakes(ObjectProvider<TlsHandshakeListener> listeners) {
		TlsHandshakes handshakes = new TlsHandshakes();
		listeners.orderedStream().forEach(handshakes::addListener);
		return handshakes;
	}

	/*
	 * A child context can have another engine than its parent.
	 */
	@Bean
	@Lazy
	@ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
	TlsEngine uncontendedTlsEngine(SslProperties properties, TlsServers servers, ApplicationContext context) {
		try {
			return properties.usesBoringSsl() ? BoringSslFactory.create(context, properties, servers.sessionTokens())
					: new JdkTlsEngine(servers.sessionTokens(), properties.groups());
		}
		catch (IllegalArgumentException ex) {
			throw SslProperties.invalid("groups", properties.groups(), String.valueOf(ex.getMessage()));
		}
	}

	@Bean
	SslSettingsWithoutEffect sslSettingsWithoutEffect(SslProperties properties, Environment environment) {
		return new SslSettingsWithoutEffect(properties, environment);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConfigurableTomcatWebServerFactory.class, org.apache.catalina.startup.Tomcat.class })
	static class Tomcat {

		@Bean
		WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> sslSessionsTomcatCustomizer(
				ApplicationContext context) {
			return (factory) -> factory.addConnectorCustomizers((connector) -> {
				if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http && http.isSSLEnabled()) {
					ServerTls tls = ServerTls.of(context);
					new TomcatTlsServer(tls.engine(), tls.servers(), tls.context(), connector, http);
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConfigurableJettyWebServerFactory.class, Server.class })
	static class Jetty {

		@Bean
		WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> sslSessionsJettyCustomizer(
				ApplicationContext context) {
			return (factory) -> factory.addServerCustomizers((server) -> {
				for (Connector connector : server.getConnectors()) {
					SslConnectionFactory connections = connector.getConnectionFactory(SslConnectionFactory.class);
					if (connections != null) {
						ServerTls tls = ServerTls.of(context);
						new JettyTlsServer(tls.engine(), tls.servers(), tls.context(), connections);
					}
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ NettyReactiveWebServerFactory.class, reactor.netty.http.server.HttpServer.class })
	static class ReactorNetty {

		@Bean
		NettySslCustomizer sslSessionsNettyCustomizer(ApplicationContext context) {
			return new NettySslCustomizer(context);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnNotWarDeployment
	@ConditionalOnProperty(name = SslProperties.ENGINE, havingValue = "boringssl")
	@EnableConfigurationProperties(SslProperties.Tickets.class)
	static class BoringSsl {

		@Bean
		@ConditionalOnMissingBean
		TicketKeys ticketKeys(SslProperties.Tickets properties, ConfigurableApplicationContext context) {
			return BoringSslFactory.createTicketKeys(properties, context);
		}

		@Bean
		TicketKeyLifecycle ticketKeyLifecycle(TicketKeys keys) {
			return new TicketKeyLifecycle(keys);
		}

	}

}
