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
import java.io.UncheckedIOException;
import java.net.Socket;
import java.util.Map;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for counts of failed handshakes.
 */
@EachServerAndEngine
class FailedHandshakeTests extends AbstractTlsServerTests {

	FailedHandshakeTests(TestServer server, String engine) {
		super(server, engine);
	}

	@Test
	void countsHandshakeWithoutCommonProtocol() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.3");
		assertFails(first.sslContext("TLSv1.2", first), Reason.PROTOCOL);
	}

	@Test
	void countsHandshakeWithoutCommonCipherSuite() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.ciphers=TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
				"--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2");
		SSLContext client = first.sslContext("TLSv1.2", first);
		try (SSLSocket socket = this.clients.connect(client)) {
			socket.setEnabledCipherSuites(new String[] { "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256" });
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> TestClients.exchange(socket));
		}
		awaitFailure(Reason.CIPHER);
	}

	@Test
	void countsHandshakeWithoutCommonGroup() {
		share();
		assertThatException()
			.isThrownBy(() -> GroupClient.request(port(), first.certificate(), "TLSv1.3", "MLKEM1024"));
		awaitFailure(Reason.CIPHER);
	}

	@Test
	void countsHandshakeWithUntrustedClient() throws Exception {
		share("--server.ssl.client-auth=need");
		assertFails(second.sslContext(first), Reason.CERTIFICATE);
	}

	@Test
	void countsHandshakeWithoutClientCertificate() throws Exception {
		share("--server.ssl.client-auth=need");
		assertFails(TestClients.interrupted("TLSv1.2", () -> {
		}), Reason.CERTIFICATE);
	}

	@Test
	void countsHandshakeWithClientThatDoesNotTrustServer() throws Exception {
		share();
		assertFails(first.sslContext(second), Reason.CERTIFICATE);
	}

	/*
	 * With TLS 1.3, OpenSSL sends this alert unencrypted.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	@EnabledIf("isOpenSslInstalled")
	void countsHandshakeWithOpenSslClientThatDoesNotTrustServer(String protocol) throws Exception {
		share();
		CommandLine.openSslClient(port(), "", protocol, "-verify_return_error");
		awaitFailure(Reason.CERTIFICATE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsHandshakeAbortedByClient(String protocol) throws Exception {
		share();
		try (Socket socket = new Socket("localhost", port())) {
			SSLContext client = TestClients.interrupted(protocol, () -> close(socket));
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.clients.assertConnects(client, socket));
		}
		awaitFailure(Reason.ABORTED);
	}

	/*
	 * The client waits for the server's timeout, which is 10 seconds for Reactor Netty.
	 */
	@Test
	@Tag("product")
	void countsHandshakeNeverFinishedByClient() throws Exception {
		start("--server.tomcat.connection-timeout=1s", "--server.jetty.connection-idle-timeout=1s");
		SSLContext client = TestClients.interrupted("TLSv1.3", () -> awaitFailure(Reason.ABORTED));
		assertFails(client, Reason.ABORTED);
	}

	@Test
	void doesNotCountConnectionWithoutData() throws Exception {
		share();
		for (int i = 0; i < 5; i++) {
			new Socket("localhost", port()).close();
		}
		assertServes();
		awaitCounts("TLSv1.3", 1, 0);
		assertThat(failed()).isEmpty();
	}

	private void assertFails(SSLContext client, Reason reason) {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> this.clients.assertConnects(client));
		awaitFailure(reason);
	}

	private void awaitFailure(Reason reason) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(failed()).isEqualTo(Map.of(new FailedTlsHandshake(id(), reason), 1L)));
		assertThat(completed()).isEmpty();
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

}
