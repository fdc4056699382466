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

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.security.KeyStore;
import java.security.cert.CertPathBuilder;
import java.security.cert.CertStore;
import java.security.cert.CollectionCertStoreParameters;
import java.security.cert.PKIXBuilderParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.X509CertSelector;
import java.util.EnumSet;
import java.util.List;

import javax.net.ssl.CertPathTrustManagerParameters;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

import com.sun.net.httpserver.HttpServer;
import dev.uncontended.tls.TestKeyStore;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ssl.SslBundleRegistrar;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslManagerBundle;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

import static org.assertj.core.api.Assertions.assertThatIOException;

/**
 * Tests for the revocation of client certificates, which an application configures by a
 * bundle with its own trust manager, as docs/tls.md describes. Boot passes the stores of
 * a bundle to Tomcat and Jetty, not its trust managers.
 */
@Tag("integration")
@Tag("product")
@ParameterizedClass
@ValueSource(strings = { "jdk", "boringssl" })
class RevocationTests extends AbstractTlsServerTests {

	private static final List<String> PROTOCOLS = List.of("TLSv1.2", "TLSv1.3");

	private static TestAuthority authority;

	private HttpServer responder;

	RevocationTests(String engine) {
		super(TestServer.NETTY, engine);
	}

	@BeforeEach
	void createAuthority() throws Exception {
		authority = new TestAuthority();
		this.responder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		this.responder.createContext("/", authority::respond);
		this.responder.start();
	}

	@AfterEach
	void stopResponder() {
		this.responder.stop(0);
	}

	@ParameterizedTest
	@ValueSource(strings = { "crl", "ocsp" })
	void refusesRevokedClients(String check) throws Exception {
		X509Bundle revoked = authority.issue("revoked");
		authority.revoke(revoked);
		startWith(check);
		for (String protocol : PROTOCOLS) {
			this.clients.assertConnects(client(protocol, authority.issue("valid")));
			assertThatIOException().isThrownBy(() -> this.clients.assertConnects(client(protocol, revoked)));
		}
	}

	@Test
	void refusesClientsOfUnknownStatus() throws Exception {
		startWith("ocsp");
		this.responder.stop(0);
		for (String protocol : PROTOCOLS) {
			assertThatIOException()
				.isThrownBy(() -> this.clients.assertConnects(client(protocol, authority.issue("unknown"))));
		}
	}

	@Test
	void resumptionDoesNotCheckRevocation() throws Exception {
		startWith("ocsp");
		for (String protocol : PROTOCOLS) {
			X509Bundle certificate = authority.issue("later revoked");
			SSLContext returning = client(protocol, certificate);
			this.clients.assertConnects(returning);
			authority.revoke(certificate);
			this.clients.assertConnects(returning);
			awaitCounts(protocol, 1, 1);
			sessions().endAll();
			assertThatIOException().isThrownBy(() -> this.clients.assertConnects(returning));
		}
	}

	private void startWith(String check) {
		run("--server.ssl.bundle=revoking", "--server.ssl.client-auth=need", "--test.revocation=" + check,
				"--test.responder=http://127.0.0.1:" + this.responder.getAddress().getPort() + "/");
	}

	static SSLContext client(String protocol, X509Bundle certificate) throws Exception {
		TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
		KeyStore trusted = TestKeyStore.emptyStore();
		trusted.setCertificateEntry("server", first.certificate());
		trust.init(trusted);
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(certificate.toKeyManagerFactory().getKeyManagers(), trust.getTrustManagers(), null);
		return context;
	}

	@Override
	List<Class<?>> sources() {
		return List.of(RevokingBundle.class);
	}

	@Configuration(proxyBeanMethods = false)
	static class RevokingBundle {

		@Bean
		SslBundleRegistrar revoking(Environment environment) {
			return (registry) -> registry.registerBundle("revoking",
					bundle(environment.getRequiredProperty("test.revocation"),
							URI.create(environment.getRequiredProperty("test.responder"))));
		}

		private static SslBundle bundle(String check, URI responder) {
			SslStoreBundle stores = SslStoreBundle.of(first.keyStore(), TestKeyStore.PASSWORD, null);
			SslBundleKey key = SslBundleKey.of(TestKeyStore.PASSWORD, "test");
			KeyManagerFactory keys = SslManagerBundle.from(stores, key).getKeyManagerFactory();
			return SslBundle.of(stores, key, SslOptions.NONE, "TLS",
					SslManagerBundle.of(keys, trustManagers(check, responder)));
		}

		private static TrustManagerFactory trustManagers(String check, URI responder) {
			try {
				KeyStore trusted = TestKeyStore.emptyStore();
				trusted.setCertificateEntry("authority", authority.certificate());
				PKIXRevocationChecker checker = (PKIXRevocationChecker) CertPathBuilder.getInstance("PKIX")
					.getRevocationChecker();
				PKIXBuilderParameters parameters = new PKIXBuilderParameters(trusted, new X509CertSelector());
				if (check.equals("crl")) {
					checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.PREFER_CRLS,
							PKIXRevocationChecker.Option.NO_FALLBACK));
					parameters.addCertStore(CertStore.getInstance("Collection",
							new CollectionCertStoreParameters(List.of(authority.revocationList()))));
				}
				else {
					checker.setOptions(EnumSet.of(PKIXRevocationChecker.Option.NO_FALLBACK));
					checker.setOcspResponder(responder);
				}
				parameters.addCertPathChecker(checker);
				TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
				factory.init(new CertPathTrustManagerParameters(parameters));
				return factory;
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		}

	}

}
