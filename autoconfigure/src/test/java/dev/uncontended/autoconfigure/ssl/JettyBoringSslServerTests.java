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
import org.eclipse.jetty.server.SslConnectionFactory;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.jetty.JettyWebServer;

/**
 * Tests for the engine {@code boringssl} in Jetty.
 */
class JettyBoringSslServerTests extends AbstractBoringSslServerTests {

	JettyBoringSslServerTests() {
		super(WebApplicationType.SERVLET, JettySslServerTests.Application.class);
	}

	/*
	 * Boot does not reload the bundle of a Jetty server, so the application does.
	 */
	@Override
	void replaceCertificate(TestKeyStore replacement) throws Exception {
		((JettyWebServer) webServer()).getServer().getConnectors()[0].getConnectionFactory(SslConnectionFactory.class)
			.getSslContextFactory()
			.reload((factory) -> factory.setKeyStore(replacement.keyStore()));
	}

	@Test
	void tellsServletsWhatTheyKnowFromTheJdk() throws Exception {
		assertTellsServletsWhatTheyKnowFromTheJdk();
	}

}
