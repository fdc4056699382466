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
import java.util.List;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import io.netty.pkitesting.CertificateBuilder;
import org.eclipse.jetty.util.ssl.SslContextFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.jetty.JettyServerCustomizer;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for reloads of Jetty's certificate that fail in {@link BoringSslTlsEngine} or in
 * Jetty, although the JDK accepts the bundle.
 */
@ExtendWith(OutputCaptureExtension.class)
class JettyReloadTests extends AbstractTlsServerTests {

	JettyReloadTests() {
		super(TestServer.JETTY, "boringssl");
	}

	@Test
	void keepsCertificateIfEngineDoesNotSupportNewKey(CapturedOutput output) throws Exception {
		start();
		assertReloadFails(TestKeyStore.create(directory.resolve("ed448.p12"), "ed448.test",
				(certificate) -> certificate.algorithm(CertificateBuilder.Algorithm.ed448)), output);
	}

	@Test
	void keepsCertificateIfRevocationListIsUnreadable(CapturedOutput output) throws Exception {
		TestAuthority authority = new TestAuthority();
		Path list = directory.resolve("revoked.crl");
		Files.write(list, authority.revocationList().getEncoded());
		start("--test.revocation-list=" + list);
		Files.delete(list);
		assertReloadFails(second, output);
		Files.write(list, authority.revocationList().getEncoded());
		TestServer.replaceCertificate(context(), second);
		assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
	}

	private void assertReloadFails(TestKeyStore keyStore, CapturedOutput output) throws Exception {
		assertServes();
		assertThatIllegalStateException().isThrownBy(() -> TestServer.replaceCertificate(context(), keyStore))
			.withMessageContaining("the current one stays in use");
		assertThat(output).contains("the server keeps its certificate");
		assertServes();
		assertThat(this.clients.servedCertificate()).isEqualTo(first.certificate());
		assertThat(serverContexts()).hasSize(1);
		sessions().endAll();
		assertServes();
	}

	@Override
	List<Class<?>> sources() {
		return List.of(RevocationList.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class RevocationList {

		@Bean
		JettyServerCustomizer revocationList(Environment environment) {
			return (server) -> {
				String list = environment.getProperty("test.revocation-list");
				if (list != null) {
					SslContextFactory.Server tls = TestServer.sslContextFactory(server);
					tls.setValidatePeerCerts(true);
					tls.setCrlPath(list);
				}
			};
		}

	}

}
