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

import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.List;

import dev.uncontended.tls.TestKeyStore;
import io.netty.pkitesting.X509Bundle;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.tomcat.ConfigurableTomcatWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for a list of revoked client certificates on Tomcat and Jetty, as docs/tls.md
 * describes.
 */
@Tag("integration")
@Tag("product")
@ParameterizedClass(name = "{0} {1}")
@CsvSource({ "TOMCAT, jdk", "TOMCAT, boringssl", "JETTY, jdk", "JETTY, boringssl" })
class RevocationListTests extends AbstractTlsServerTests {

	RevocationListTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void refusesRevokedClients() throws Exception {
		TestAuthority authority = new TestAuthority();
		X509Bundle revoked = authority.issue("revoked");
		authority.revoke(revoked);
		Path list = directory.resolve("revoked.crl");
		Files.write(list, authority.revocationList().getEncoded());
		Path trusted = directory.resolve("authority.p12");
		KeyStore trustStore = TestKeyStore.emptyStore();
		trustStore.setCertificateEntry("authority", authority.certificate());
		TestKeyStore.store(trustStore, trusted);
		String bundle = "--spring.ssl.bundle.jks.mutual.";
		run("--server.ssl.bundle=mutual", "--server.ssl.client-auth=need", "--test.revocation-list=" + list,
				bundle + "keystore.location=" + first.location(), bundle + "keystore.password=" + TestKeyStore.PASSWORD,
				bundle + "truststore.location=file:" + trusted,
				bundle + "truststore.password=" + TestKeyStore.PASSWORD);
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			this.clients.assertConnects(RevocationTests.client(protocol, authority.issue("valid")));
			assertThatIOException()
				.isThrownBy(() -> this.clients.assertConnects(RevocationTests.client(protocol, revoked)));
		}
	}

	@Override
	List<Class<?>> sources() {
		return List.of((this.server == TestServer.TOMCAT) ? OnTomcat.class : OnJetty.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class OnTomcat {

		@Bean
		WebServerFactoryCustomizer<ConfigurableTomcatWebServerFactory> revocationList(Environment environment) {
			return (factory) -> factory.addConnectorCustomizers((connector) -> {
				for (var host : connector.findSslHostConfigs()) {
					host.setCertificateRevocationListFile(environment.getRequiredProperty("test.revocation-list"));
				}
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class OnJetty {

		@Bean
		JettyServerCustomizer revocationList(Environment environment) {
			return (server) -> {
				SslContextFactory.Server tls = TestServer.sslContextFactory(server);
				tls.setValidatePeerCerts(true);
				tls.setCrlPath(environment.getRequiredProperty("test.revocation-list"));
			};
		}

	}

}
