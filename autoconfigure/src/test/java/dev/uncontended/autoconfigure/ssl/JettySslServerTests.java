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

import java.net.Socket;
import java.security.Provider;
import java.security.Security;
import java.util.List;

import javax.net.ssl.SSLContext;

import org.assertj.core.api.InstanceOfAssertFactories;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for TLS on Jetty.
 */
class JettySslServerTests extends AbstractTlsServerTests {

	JettySslServerTests() {
		super(TestServer.JETTY, "jdk");
	}

	@Test
	void limitsOfConnectorApply() throws Exception {
		start("--test.own-limits=true");
		assertServes();
		assertThat(jdkStore().getSessionCacheSize()).isEqualTo(77);
		assertThat(jdkStore().getSessionTimeout()).isEqualTo(777);
	}

	@Test
	void timeoutOfPropertyPrecedesConnector() throws Exception {
		start("--test.own-limits=true", "--uncontended.ssl.session-cache.timeout=2h");
		assertServes();
		assertThat(jdkStore().getSessionTimeout()).isEqualTo(7200);
	}

	@Test
	void unknownCipherSuitesFailStartWithNameOfProperty() {
		assertThatException().isThrownBy(() -> start("--spring.ssl.bundle.jks.web.options.ciphers=TLS_WRONG"))
			.withStackTraceContaining("'server.ssl.ciphers', or the bundle's 'options.enabled-protocols'");
	}

	@Test
	void retainsNoSecurityProvider() throws Exception {
		start();
		assertThat(Security.getProviders()).extracting(Provider::getName)
			.last(InstanceOfAssertFactories.STRING)
			.startsWith("UncontendedJetty");
		context().close();
		assertThat(Security.getProviders()).extracting(Provider::getName)
			.noneMatch((name) -> name.startsWith("UncontendedJetty"));
	}

	@Test
	void securityProviderOfApplicationIsPreserved() throws Exception {
		start("--test.own-provider=true");
		SSLContext client = first.sslContext(first);
		this.clients.assertConnects(client);
		this.clients.assertConnects(client);
		assertThat(handshakes().counts()).isEmpty();
		sessions().endAll();
		assertServes();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOfSslContextOfApplication(CapturedOutput output) throws Exception {
		start("--test.own-context=true");
		assertWarnsOfOwnContext(output);
	}

	/**
	 * Jetty creates the SSL engine when it accepts the connection.
	 */
	@Test
	void connectionAcceptedBeforeReloadResumesNoEndedSession() throws Exception {
		start();
		SSLContext client = first.sslContext(first, second);
		try (Socket accepted = new Socket("localhost", port())) {
			this.clients.assertConnects(client);
			awaitCounts("TLSv1.3", 1, 0);
			TestServer.replaceCertificate(context(), second);
			sessions().endAll();
			this.clients.assertConnects(client, accepted);
			awaitCounts("TLSv1.3", 2, 0);
		}
	}

	@Override
	List<Class<?>> sources() {
		return List.of(Customizers.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@ConditionalOnProperty("test.own-limits")
		JettyServerCustomizer ownLimits() {
			return (server) -> {
				SslContextFactory.Server factory = TestServer.sslContextFactory(server);
				factory.setSslSessionCacheSize(77);
				factory.setSslSessionTimeout(777);
			};
		}

		@Bean
		@ConditionalOnProperty("test.own-context")
		JettyServerCustomizer ownContext() {
			return (server) -> TestServer.sslContextFactory(server).setSslContext(first.sslContext(first));
		}

		@Bean
		@ConditionalOnProperty("test.own-provider")
		JettyServerCustomizer ownProvider() {
			return (server) -> TestServer.sslContextFactory(server).setProvider("SunJSSE");
		}

	}

}
