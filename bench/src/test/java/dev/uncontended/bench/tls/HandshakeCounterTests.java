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
package dev.uncontended.bench.tls;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.KeyStore;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link HandshakeCounter}, with the JDK's own server and client.
 */
@Tag("integration")
class HandshakeCounterTests {

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsFullAndResumedHandshakes(String protocol) throws Exception {
		SSLContext context = context();
		try (ServerSocket server = server(context, protocol);
				HandshakeCounter counter = new HandshakeCounter(server.getLocalPort())) {
			for (int i = 0; i < 3; i++) {
				assertThat(request(context, counter.port(), protocol)).isEqualTo(7);
			}
			assertThat(counter.connections()).isEqualTo(3);
			assertThat(counter.handshakes()).isEqualTo(List.of(new ServerHandshake(true, false),
					new ServerHandshake(false, false), new ServerHandshake(false, false)));
		}
	}

	@Test
	void connectionsWithoutServerHelloHaveNoHandshake() throws Exception {
		SSLContext context = context();
		try (SSLServerSocket server = server(context, "TLSv1.3");
				HandshakeCounter counter = new HandshakeCounter(server.getLocalPort())) {
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> request(context, counter.port(), "TLSv1.2"));
			assertThat(counter.connections()).isOne();
			assertThat(counter.handshakes()).isEmpty();
		}
	}

	private static SSLContext context() throws Exception {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		KeyStore store = new CertificateBuilder().subject("CN=localhost")
			.setIsCertificateAuthority(true)
			.ecp256()
			.buildSelfSigned()
			.toKeyStore(new char[0]);
		keys.init(store, new char[0]);
		SSLContext context = SSLContext.getInstance("TLS");
		context.init(keys.getKeyManagers(), InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
		return context;
	}

	/*
	 * Answers a byte with the same byte.
	 */
	private static SSLServerSocket server(SSLContext context, String protocol) throws IOException {
		SSLServerSocket server = (SSLServerSocket) context.getServerSocketFactory()
			.createServerSocket(0, 50, InetAddress.getLoopbackAddress());
		server.setEnabledProtocols(new String[] { protocol });
		Thread thread = new Thread(() -> {
			while (!server.isClosed()) {
				try (SSLSocket socket = (SSLSocket) server.accept()) {
					socket.getOutputStream().write(socket.getInputStream().read());
				}
				catch (IOException ex) {
					// The client was refused, or the server is closed.
				}
			}
		});
		thread.setDaemon(true);
		thread.start();
		return server;
	}

	private static int request(SSLContext context, int port, String protocol) throws IOException {
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory()
			.createSocket(InetAddress.getLoopbackAddress(), port)) {
			socket.setEnabledProtocols(new String[] { protocol });
			socket.getOutputStream().write(7);
			return socket.getInputStream().read();
		}
	}

}
