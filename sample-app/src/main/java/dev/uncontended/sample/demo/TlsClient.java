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

package dev.uncontended.sample.demo;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;

import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/**
 * A client that trusts one server and remembers its TLS session, like a browser.
 */
final class TlsClient {

	private static final String SEEN = TlsClient.class.getName();

	private static final int TIMEOUT_MILLIS = 10_000;

	/**
	 * Answered by Tomcat itself, at almost no cost.
	 */
	private static final byte[] REQUEST = "OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
		.getBytes(StandardCharsets.US_ASCII);

	private final SSLContext context;

	private final InetSocketAddress server;

	/**
	 * Creates a client without a session.
	 * @param server the address of the server
	 * @param trusted the certificates to trust
	 */
	TlsClient(InetSocketAddress server, KeyStore trusted) {
		this.server = server;
		this.context = contextThatTrusts(trusted);
	}

	static SSLContext contextThatTrusts(KeyStore trusted) {
		return SslBundle.of(SslStoreBundle.of(null, null, trusted)).createSslContext();
	}

	/**
	 * Connects, sends a small request, and reads the response to its end. Reading also
	 * receives the tickets of TLS 1.3.
	 * @return whether the connection resumed a session
	 * @throws IOException if the connection or the handshake fails
	 */
	boolean connect() throws IOException {
		try (SSLSocket socket = (SSLSocket) this.context.getSocketFactory()
			.createSocket(this.server.getAddress(), this.server.getPort())) {
			socket.setSoTimeout(TIMEOUT_MILLIS);
			socket.setTcpNoDelay(true);
			socket.startHandshake();
			boolean resumed = isResumed(socket.getSession());
			socket.getOutputStream().write(REQUEST);
			socket.getInputStream().readAllBytes();
			return resumed;
		}
	}

	/**
	 * Returns whether a client's session was resumed. Marks the session, so this method
	 * must be called once after each handshake.
	 */
	static boolean isResumed(SSLSession session) {
		// Values of a session survive resumption.
		boolean resumed = session.getValue(SEEN) != null;
		session.putValue(SEEN, true);
		return resumed;
	}

}
