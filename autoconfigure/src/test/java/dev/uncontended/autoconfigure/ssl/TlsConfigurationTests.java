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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for the configuration of a server's TLS: bundles, protocols, client certificates.
 */
@EachServerAndEngine
class TlsConfigurationTests extends AbstractTlsServerTests {

	TlsConfigurationTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void usesCipherSuitesAndProtocolsOfBundle() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2",
				"--spring.ssl.bundle.jks.web.options.ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
		try (SSLSocket socket = this.clients.connect(first.sslContext(first))) {
			TestClients.exchange(socket);
			assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
			assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
		}
		try (SSLSocket socket = this.clients.connect(first.sslContext(first))) {
			socket.setEnabledProtocols(new String[] { "TLSv1.3" });
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> TestClients.exchange(socket));
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(failed().keySet()).extracting(FailedTlsHandshake::reason)
				.containsExactly(Reason.PROTOCOL));
	}

	@Test
	void protocolWithoutCipherSuiteIsDisabled() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.ciphers=TLS_AES_256_GCM_SHA384");
		this.clients.assertConnects(first.sslContext("TLSv1.3", first));
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.clients.assertConnects(first.sslContext("TLSv1.2", first)));
	}

	@Test
	void startFailsIfNoProtocolHasCipherSuite() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2",
					"--spring.ssl.bundle.jks.web.options.ciphers=TLS_AES_256_GCM_SHA384"))
			.havingRootCause()
			.withMessageContaining("rotocol");
	}

	@Test
	void startFailsIfCipherSuitesAreUnusable() {
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> start("--spring.ssl.bundle.jks.web.options.ciphers=TLS_WRONG"));
	}

	@Test
	void startFailsIfKeyBelongsToOtherCertificate() throws Exception {
		Path mixed = directory.resolve("mixed.p12");
		TestKeyStore.store(first.withCertificateOf(second), mixed);
		assertThatExceptionOfType(Exception.class)
			.isThrownBy(() -> run("--server.ssl.key-store=file:" + mixed,
					"--server.ssl.key-store-password=" + TestKeyStore.PASSWORD))
			.havingRootCause()
			.withMessageContaining("does not belong to the certificate of CN=second.test");
	}

	@Test
	void supportsServerSslPropertiesAndPemFiles() throws Exception {
		run("--server.ssl.key-store=" + second.location(), "--server.ssl.key-store-password=" + TestKeyStore.PASSWORD);
		assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
		stop();
		CommandLine.run("", List.of("openssl", "pkcs12", "-in", directory.resolve("first.p12").toString(), "-passin",
				"pass:" + TestKeyStore.PASSWORD, "-nodes", "-out", directory.resolve("first.pem").toString()));
		run("--server.ssl.bundle=pem",
				"--spring.ssl.bundle.pem.pem.keystore.certificate=file:" + directory.resolve("first.pem"),
				"--spring.ssl.bundle.pem.pem.keystore.private-key=file:" + directory.resolve("first.pem"));
		assertThat(this.clients.servedCertificate()).isEqualTo(first.certificate());
	}

	/*
	 * Request and body are one write, which is split into records of 16,384 bytes. The
	 * connection serves further requests only if the server has read everything.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void readsRecordsOfMaximumSize(String protocol) throws Exception {
		share();
		try (SSLSocket socket = this.clients.connect(first.sslContext(protocol, first))) {
			for (int i = 0; i < 3; i++) {
				String request = "POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100000\r\n\r\n";
				socket.getOutputStream().write((request + "x".repeat(100_000)).getBytes(StandardCharsets.US_ASCII));
				assertThat(TestClients.readResponse(socket)).isEqualTo("ok");
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void requiresClientCertificatesIfConfigured(String protocol) throws Exception {
		share("--server.ssl.client-auth=need");
		SSLContext trusted = first.sslContext(protocol, first);
		this.clients.assertConnects(trusted);
		this.clients.assertConnects(trusted);
		awaitCounts(protocol, 1, 1);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> this.clients.assertConnects(second.sslContext(protocol, first)));
		SSLContext anonymous = withoutCertificate(protocol);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.clients.assertConnects(anonymous));
		Awaitility.await()
			.untilAsserted(() -> assertThat(failed().keySet()).extracting(FailedTlsHandshake::reason)
				.containsExactly(Reason.CERTIFICATE));
		assertThat(handshakes().reportingErrors()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void requestsClientCertificatesIfConfigured(String protocol) throws Exception {
		share("--server.ssl.client-auth=want");
		this.clients.assertConnects(first.sslContext(protocol, first));
		this.clients.assertConnects(withoutCertificate(protocol));
		awaitCounts(protocol, 2, 0);
	}

	private static SSLContext withoutCertificate(String protocol) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setCertificateEntry("first", first.certificate());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(store);
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(null, trust.getTrustManagers(), null);
		return context;
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_20)
	void acceptsClientWithUnknownGroups() throws Exception {
		share();
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			try (SSLSocket socket = this.clients.connect(first.sslContext(protocol, first))) {
				SSLParameters parameters = socket.getSSLParameters();
				SSLParameters.class.getMethod("setNamedGroups", String[].class)
					.invoke(parameters, (Object) new String[] { "x448", "ffdhe2048", "ffdhe8192", "secp256r1" });
				socket.setSSLParameters(parameters);
				TestClients.exchange(socket);
			}
			awaitCounts(protocol, 1, 0);
		}
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_21)
	@Tag("product")
	void servesManyClientsWithVirtualThreads() throws Exception {
		start("--spring.threads.virtual.enabled=true");
		SSLContext client = first.sslContext(first);
		ExecutorService clients = Executors.newFixedThreadPool(16);
		try {
			List<Future<String>> threads = new ArrayList<>();
			for (int i = 0; i < 200; i++) {
				threads.add(clients.submit(() -> {
					try (SSLSocket socket = this.clients.connect(client)) {
						TestClients.exchange(socket);
						return TestClients.exchange(socket, "/thread");
					}
				}));
			}
			for (Future<String> thread : threads) {
				assertThat(thread.get())
					.startsWith((this.server.type() == WebApplicationType.SERVLET) ? "VirtualThread" : "ok");
			}
		}
		finally {
			clients.shutdownNow();
		}
	}

}
