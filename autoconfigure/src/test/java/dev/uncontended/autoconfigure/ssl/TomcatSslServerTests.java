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

import dev.uncontended.tls.server.TlsServers;
import org.apache.catalina.connector.Connector;
import org.apache.coyote.http11.AbstractHttp11Protocol;
import org.apache.tomcat.util.net.SSLContext;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLUtil;
import org.apache.tomcat.util.net.jsse.JSSEImplementation;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.tomcat.TomcatConnectorCustomizer;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for TLS on Tomcat.
 */
class TomcatSslServerTests extends AbstractTlsServerTests {

	TomcatSslServerTests() {
		super(TestServer.TOMCAT, "jdk");
	}

	@Test
	void installsNothingWithoutTls() {
		run();
		assertThat(sslImplementationName()).isNull();
	}

	@Test
	void sslImplementationOfApplicationIsPreserved() throws Exception {
		start("--test.ssl-implementation=" + JSSEImplementation.class.getName());
		assertThat(sslImplementationName()).isEqualTo(JSSEImplementation.class.getName());
		assertServes();
		assertThat(handshakes().counts()).isEmpty();
		assertThat(context().getBean(TlsServers.class).unreached())
			.containsExactly("tomcat (application) by OpenSSL or the application's SSL implementation");
		sessions().endAll();
		assertServes();
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void sessionsEndWhileConnectorIsStopped() throws Exception {
		start("--test.bind-on-init=true");
		assertSessionsEndWhileStopped();
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	void warnsOfSslContextOfApplication(CapturedOutput output) throws Exception {
		start("--test.own-context=true");
		assertWarnsOfOwnContext(output);
		assertThat(context().getBean(TlsServers.class).unreached())
			.containsExactly("tomcat (application) by the application's SSL context");
	}

	private @Nullable String sslImplementationName() {
		Connector connector = ((TomcatWebServer) TestServer.webServer(context())).getTomcat().getConnector();
		return ((AbstractHttp11Protocol<?>) connector.getProtocolHandler()).getSslImplementationName();
	}

	@Override
	List<Class<?>> sources() {
		return List.of(Customizers.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class Customizers {

		@Bean
		@ConditionalOnProperty("test.ssl-implementation")
		TomcatConnectorCustomizer sslImplementation(Environment environment) {
			return (connector) -> ((AbstractHttp11Protocol<?>) connector.getProtocolHandler())
				.setSslImplementationName(environment.getRequiredProperty("test.ssl-implementation"));
		}

		@Bean
		@ConditionalOnProperty("test.bind-on-init")
		TomcatConnectorCustomizer bindOnInit() {
			return (connector) -> connector.setProperty("bindOnInit", "true");
		}

		@Bean
		@ConditionalOnProperty("test.own-context")
		TomcatConnectorCustomizer ownContext() {
			return (connector) -> {
				for (SSLHostConfig host : connector.findSslHostConfigs()) {
					host.getCertificates().forEach((certificate) -> certificate.setSslContext(ownContext(certificate)));
				}
			};
		}

		private static SSLContext ownContext(SSLHostConfigCertificate certificate) {
			try {
				SSLUtil util = new JSSEImplementation().getSSLUtil(certificate);
				SSLContext context = util.createSSLContext(List.of());
				context.init(util.getKeyManagers(), util.getTrustManagers(), null);
				return context;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
