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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;

import dev.uncontended.tls.TestKeyStore;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import reactor.core.publisher.Mono;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.reactor.netty.autoconfigure.NettyReactiveWebServerAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.client.ReactorResourceFactory;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.SslInfo;

/**
 * A server set up by Boot with an application that returns {@code ok}.
 */
enum TestServer {

	TOMCAT(WebApplicationType.SERVLET, TomcatApplication.class),

	JETTY(WebApplicationType.SERVLET, JettyApplication.class),

	NETTY(WebApplicationType.REACTIVE, NettyApplication.class);

	private final WebApplicationType type;

	private final Class<?> application;

	TestServer(WebApplicationType type, Class<?> application) {
		this.type = type;
		this.application = application;
	}

	WebApplicationType type() {
		return this.type;
	}

	Class<?> application() {
		return this.application;
	}

	/**
	 * Returns the protocols for which the JDK keeps no session in memory if the client
	 * supports tickets. Jetty binds a value to the session, so the JDK's engine sends a
	 * second TLS 1.3 ticket that refers to a session in memory.
	 */
	List<String> protocolsWithTicketsOnly() {
		return (this != JETTY) ? List.of("TLSv1.2", "TLSv1.3") : List.of("TLSv1.2");
	}

	/**
	 * Replaces the server's certificate. Boot does so after the files have changed,
	 * except with Jetty.
	 */
	static void replaceCertificate(ApplicationContext context, TestKeyStore replacement) {
		if (webServer(context) instanceof JettyWebServer jetty) {
			reload(sslContextFactory(jetty.getServer()), replacement);
			return;
		}
		context.getBean(SslBundleRegistry.class)
			.updateBundle("web", SslBundle.of(SslStoreBundle.of(replacement.keyStore(), TestKeyStore.PASSWORD, null),
					SslBundleKey.of(TestKeyStore.PASSWORD, "test")));
	}

	private static void reload(SslContextFactory.Server tls, TestKeyStore replacement) {
		try {
			tls.reload((factory) -> factory.setKeyStore(replacement.keyStore()));
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

	static SslContextFactory.Server sslContextFactory(Server server) {
		return server.getConnectors()[0].getConnectionFactory(SslConnectionFactory.class).getSslContextFactory();
	}

	static WebServer webServer(ApplicationContext context) {
		WebServer webServer = ((WebServerApplicationContext) context).getWebServer();
		if (webServer == null) {
			throw new IllegalStateException("The application has no server");
		}
		return webServer;
	}

	@Configuration(proxyBeanMethods = false)
	@Import(OkServletConfiguration.class)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslServerAutoConfiguration.class,
			TomcatServletWebServerAutoConfiguration.class })
	static class TomcatApplication {

	}

	@Configuration(proxyBeanMethods = false)
	@Import(OkServletConfiguration.class)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslServerAutoConfiguration.class,
			JettyServletWebServerAutoConfiguration.class })
	static class JettyApplication {

		@Bean
		WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> customizers(
				ObjectProvider<JettyServerCustomizer> customizers) {
			return (factory) -> factory
				.addServerCustomizers(customizers.stream().toArray(JettyServerCustomizer[]::new));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslServerAutoConfiguration.class,
			NettyReactiveWebServerAutoConfiguration.class })
	static class NettyApplication {

		/** Without the default quiet period of two seconds. */
		@Bean
		ReactorResourceFactory reactorResourceFactory() {
			ReactorResourceFactory factory = new ReactorResourceFactory();
			factory.setUseGlobalResources(false);
			factory.setShutdownQuietPeriod(Duration.ZERO);
			return factory;
		}

		@Bean
		HttpHandler ok() {
			return (request, response) -> {
				SslInfo tls = request.getSslInfo();
				String body = (tls != null && request.getPath().value().equals("/session")) ? tls.getSessionId() : "ok";
				response.getHeaders().setContentLength(body.length());
				return request.getBody()
					.map(DataBufferUtils::release)
					.then(response.writeWith(Mono
						.fromSupplier(() -> response.bufferFactory().wrap(body.getBytes(StandardCharsets.US_ASCII)))));
			};
		}

	}

}
