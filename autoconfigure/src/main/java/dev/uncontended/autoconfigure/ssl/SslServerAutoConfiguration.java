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

import dev.uncontended.autoconfigure.SingleProperty;
import dev.uncontended.autoconfigure.SslEngine;
import dev.uncontended.autoconfigure.UnusableConfigurationException;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.server.jetty.JettyTlsServer;
import dev.uncontended.tls.server.tomcat.TomcatTlsAdapter;
import io.netty.handler.ssl.OpenSsl;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.reactor.netty.NettyReactiveWebServerFactory;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.AbstractConfigurableWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.grpc.server.lifecycle.GrpcServerLifecycle;

/**
 * Auto-configuration of TLS for the web server. Makes the server use the
 * {@link TlsEngine} bean, and registers the server with {@link TlsServers}. A server
 * without TLS creates neither bean, which keeps its start short.
 */
@AutoConfiguration(after = SslSessionCacheAutoConfiguration.class)
@ConditionalOnClass(WebServerFactoryCustomizer.class)
@ConditionalOnSingleCandidate(TlsServers.class)
public final class SslServerAutoConfiguration {

	private static TlsServerId.Context kindOf(ApplicationContext context) {
		return WebServerApplicationContext.hasServerNamespace(context, "management") ? TlsServerId.Context.MANAGEMENT
				: TlsServerId.Context.APPLICATION;
	}

	/**
	 * Fails the start rather than serve TLS with another engine than the configured one.
	 */
	private static TlsEngine configured(ObjectProvider<TlsEngine> engines, Environment environment) {
		TlsEngine engine = engines.getObject();
		if (engine instanceof JdkTlsEngine && SslEngine.of(environment) == SslEngine.BORINGSSL) {
			throw UnusableConfigurationException.changedSinceProcessing(environment, SslEngine.PROPERTY);
		}
		return engine;
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConfigurableTomcatWebServerFactory.class, org.apache.catalina.startup.Tomcat.class })
	static class Tomcat {

		@Bean
		WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> sslSessionsTomcatCustomizer(
				ObjectProvider<TlsEngine> engine, ObjectProvider<TlsServers> servers, ApplicationContext context) {
			return (factory) -> factory.addConnectorCustomizers((connector) -> {
				CipherCheck.check(factory, context.getEnvironment());
				if (connector.getProtocolHandler() instanceof AbstractHttp11Protocol<?> http && http.isSSLEnabled()) {
					new TomcatTlsAdapter(configured(engine, context.getEnvironment()), servers.getObject(),
							kindOf(context))
						.connect(connector, http);
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ ConfigurableJettyWebServerFactory.class, Server.class })
	static class Jetty {

		@Bean
		WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> sslSessionsJettyCustomizer(
				ObjectProvider<TlsEngine> engine, ObjectProvider<TlsServers> servers, ApplicationContext context) {
			return (factory) -> factory.addServerCustomizers((server) -> {
				CipherCheck.check(factory, context.getEnvironment());
				for (Connector connector : server.getConnectors()) {
					SslConnectionFactory tls = connector.getConnectionFactory(SslConnectionFactory.class);
					if (tls != null) {
						JettyTlsServer jetty = new JettyTlsServer(configured(engine, context.getEnvironment()),
								servers.getObject(), kindOf(context), tls);
						if (factory instanceof AbstractConfigurableWebServerFactory configured) {
							JettyBundleReload.register(configured, jetty);
						}
					}
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(GrpcServerLifecycle.class)
	static class Grpc {

		@Bean
		GrpcServers sslSessionsGrpcServers(ObjectProvider<TlsServers> servers, Environment environment) {
			return new GrpcServers(servers, environment);
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ NettyReactiveWebServerFactory.class, reactor.netty.http.server.HttpServer.class })
	static class ReactorNetty {

		@Bean
		NettySslCustomizer sslSessionsNettyCustomizer(ObjectProvider<TlsEngine> engine,
				ObjectProvider<TlsServers> servers, ApplicationContext context) {
			return new NettySslCustomizer(
					() -> engineOf(configured(engine, context.getEnvironment()), context.getEnvironment()),
					servers::getObject, kindOf(context), context.getEnvironment());
		}

		/*
		 * Without a configured engine, Reactor Netty uses Netty's native TLS library if
		 * the library is available.
		 */
		private static @Nullable TlsEngine engineOf(TlsEngine engine, Environment environment) {
			boolean leftToReactorNetty = engine instanceof JdkTlsEngine && engine.groups().isEmpty()
					&& SingleProperty.get(environment, SslEngine.PROPERTY, String.class, "").isEmpty()
					&& OpenSsl.isAvailable();
			return leftToReactorNetty ? null : engine;
		}

	}

}
