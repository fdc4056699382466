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

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import org.jspecify.annotations.Nullable;

/**
 * A TCP proxy in front of a server, which counts the handshakes that it relays. It relies
 * neither on the client nor on the server. A handshake is counted before the client
 * receives the bytes that reveal it. Thread-safe.
 */
final class HandshakeCounter implements AutoCloseable {

	private final int serverPort;

	private final ServerSocket listener;

	private final List<Connection> connections = new CopyOnWriteArrayList<>();

	/**
	 * Starts a proxy on a port of its own.
	 * @param serverPort the port of the server
	 */
	HandshakeCounter(int serverPort) throws IOException {
		this.serverPort = serverPort;
		this.listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
		start(this::accept);
	}

	int port() {
		return this.listener.getLocalPort();
	}

	/**
	 * Returns the number of connections that clients have opened.
	 */
	int connections() {
		return this.connections.size();
	}

	/**
	 * Returns the handshakes. Connections without a ServerHello have none.
	 */
	List<ServerHandshake> handshakes() {
		return this.connections.stream().map((connection) -> connection.handshake).filter(Objects::nonNull).toList();
	}

	/**
	 * Accepts no more connections.
	 */
	@Override
	public void close() throws IOException {
		this.listener.close();
	}

	private void accept() throws IOException {
		while (!this.listener.isClosed()) {
			Socket client = this.listener.accept();
			Connection connection = new Connection();
			this.connections.add(connection);
			start(() -> connection.relay(client, this.serverPort));
		}
	}

	private static void start(Relay relay) {
		Thread thread = new Thread(() -> {
			try {
				relay.run();
			}
			catch (IOException ex) {
				// One side has closed the connection.
			}
		});
		thread.setDaemon(true);
		thread.start();
	}

	/**
	 * What a thread does.
	 */
	private interface Relay {

		void run() throws IOException;

	}

	/**
	 * A connection, whose two directions have a thread each.
	 */
	private static final class Connection {

		private final ByteArrayOutputStream sent = new ByteArrayOutputStream();

		private volatile @Nullable ServerHandshake handshake;

		void relay(Socket client, int serverPort) throws IOException {
			try (client; Socket server = new Socket(InetAddress.getLoopbackAddress(), serverPort)) {
				client.setTcpNoDelay(true);
				server.setTcpNoDelay(true);
				start(() -> {
					client.getInputStream().transferTo(server.getOutputStream());
					server.shutdownOutput();
				});
				InputStream from = server.getInputStream();
				OutputStream to = client.getOutputStream();
				byte[] bytes = new byte[16_384];
				for (int count = from.read(bytes); count != -1; count = from.read(bytes)) {
					read(bytes, count);
					to.write(bytes, 0, count);
				}
			}
		}

		private void read(byte[] bytes, int count) {
			if (this.handshake == null) {
				this.sent.write(bytes, 0, count);
				ServerHandshake.read(this.sent.toByteArray()).ifPresent((found) -> this.handshake = found);
			}
		}

	}

}
