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

import java.security.Provider;
import java.security.Security;
import java.util.List;

import javax.net.ssl.SSLContext;

import dev.uncontended.tls.TestKeyStore;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for TLS on Jetty.
 */
class JettySslServerTests extends AbstractSslServerTests {

	JettySslServerTests() {
		super("jetty", WebApplicationType.SERVLET, Application.class);
	}

	private static SslContextFactory.Server sslContextFactory(Server server) {
		return server.getConnectors()[0].getConnectionFactory(SslConnectionFactory.class).getSslContextFactory();
	}

	/*
	 * Boot does not reload the bundle of a Jetty server, so the application does.
	 */
	@Override
	void replaceCertificate(TestKeyStore replacement) throws Exception {
		sslContextFactory(((JettyWebServer) webServer(context())).getServer())
			.reload((factory) -> factory.setKeyStore(replacement.keyStore()));
	}

	@Override
	List<String> protocolsWithoutSessionsBesidesTickets() {
		return List.of("TLSv1.2");
	}

	@Test
	void leavesTheLimitsThatTheApplicationHasSet() throws Exception {
		start("--test.own-limits=true", "--uncontended.ssl.session-cache.maximum-size=123",
				"--uncontended.ssl.session-cache.timeout=2h");
		assertOwnLimits();
	}

	@Test
	void leavesNoSecurityProviderBehind() throws Exception {
		start();
		assertThat(Security.getProviders()).extracting(Provider::getName)
			.last(InstanceOfAssertFactories.STRING)
			.startsWith("UncontendedJetty");
		context().close();
		assertThat(Security.getProviders()).extracting(Provider::getName)
			.noneMatch((name) -> name.startsWith("UncontendedJetty"));
	}

	@Test
	void leavesASecurityProviderThatTheApplicationHasChosen() throws Exception {
		start("--test.own-provider=true");
		SSLContext client = first.sslContext(first);
		assertConnects(client);
		assertConnects(client);
		assertThat(handshakes().counts()).isEmpty();
		sessions().invalidateAll();
		assertServes();
	}

	@Configuration(proxyBeanMethods = false)
	@Import(OkServletConfiguration.class)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			SslServerAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class })
	static class Application {

		@Bean
		@ConditionalOnProperty("test.own-limits")
		JettyServerCustomizer ownLimits() {
			return (server) -> {
				SslContextFactory.Server factory = sslContextFactory(server);
				factory.setSslSessionCacheSize(77);
				factory.setSslSessionTimeout(777);
			};
		}

		@Bean
		@ConditionalOnProperty("test.own-provider")
		JettyServerCustomizer ownProvider() {
			return (server) -> sslContextFactory(server).setProvider("SunJSSE");
		}

		@Bean
		WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> customizers(
				ObjectProvider<JettyServerCustomizer> customizers) {
			return (factory) -> factory
				.addServerCustomizers(customizers.stream().toArray(JettyServerCustomizer[]::new));
		}

	}

}
