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

import dev.uncontended.tls.TestKeyStore;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.SslConnectionFactory;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration;
import org.springframework.boot.jetty.JettyWebServer;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/**
 * Tests for TLS on Jetty.
 */
class JettySslServerTests extends AbstractSslServerTests {

	JettySslServerTests() {
		super("jetty", WebApplicationType.SERVLET, Application.class);
	}

	/*
	 * Boot does not reload the bundle of a Jetty server, so the application does.
	 */
	@Override
	void replaceCertificate(TestKeyStore replacement) throws Exception {
		Server server = ((JettyWebServer) webServer(context())).getServer();
		server.getConnectors()[0].getConnectionFactory(SslConnectionFactory.class)
			.getSslContextFactory()
			.reload((factory) -> factory.setKeyStore(replacement.keyStore()));
	}

	@Configuration(proxyBeanMethods = false)
	@Import(OkServletConfiguration.class)
	@ImportAutoConfiguration({ SslAutoConfiguration.class, SslSessionCacheAutoConfiguration.class,
			SslServerAutoConfiguration.class, JettyServletWebServerAutoConfiguration.class })
	static class Application {

	}

}
