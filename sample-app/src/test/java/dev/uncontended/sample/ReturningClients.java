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
package dev.uncontended.sample;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/**
 * JSSE clients that connect, return once after a short time, and are then replaced by new
 * ones. Results are recorded by the current phase of the test.
 */
final class ReturningClients implements AutoCloseable {

	private static final long PAUSE = 100;

	private final int port;

	private final List<Thread> threads = new ArrayList<>();

	private final List<String> phases = new CopyOnWriteArrayList<>();

	private final List<Connection> connections = new CopyOnWriteArrayList<>();

	private volatile boolean closed;

	/**
	 * Starts clients.
	 * @param port the port to connect to
	 * @param phase the first phase
	 * @param protocols the protocol of each client
	 */
	ReturningClients(int port, String phase, String... protocols) {
		this.port = port;
		enter(phase);
		for (String protocol : protocols) {
			Thread thread = new Thread(() -> run(protocol), "client with " + protocol);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/**
	 * Starts another phase.
	 */
	void enter(String phase) {
		this.phases.add(phase);
	}

	List<String> phases() {
		return this.phases;
	}

	List<Connection> connections() {
		return List.copyOf(this.connections);
	}

	long count(String phase, boolean returning, Outcome outcome) {
		return this.connections.stream()
			.filter((connection) -> this.phases.get(connection.end()).equals(phase)
					&& connection.returning() == returning && connection.outcome() == outcome)
			.count();
	}

	/**
	 * Returns the number of returns of clients.
	 */
	long returned() {
		return this.connections.stream().filter(Connection::returning).count();
	}

	private void run(String protocol) {
		while (!this.closed) {
			Client client = new Client(this.port, protocol);
			int session = this.phases.size() - 1;
			connect(client, session, false);
			sleep();
			connect(client, session, true);
		}
	}

	private static void sleep() {
		try {
			TimeUnit.MILLISECONDS.sleep(PAUSE);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void connect(Client client, int session, boolean returning) {
		Outcome outcome;
		String failure = "";
		try {
			outcome = client.connect();
		}
		catch (IOException ex) {
			outcome = Outcome.FAILED;
			failure = ex.toString();
		}
		this.connections
			.add(new Connection(session, this.phases.size() - 1, client.protocol, returning, outcome, failure));
	}

	/**
	 * Waits until the last connections have been closed.
	 */
	void stop() {
		this.closed = true;
		try {
			for (Thread thread : this.threads) {
				thread.join();
			}
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	@Override
	public void close() {
		stop();
	}

	enum Outcome {

		FULL, RESUMED, FAILED

	}

	/**
	 * The result of one connection.
	 *
	 * @param session the index of the phase in which the client first connected
	 * @param end the index of the phase in which this connection ended
	 */
	record Connection(int session, int end, String protocol, boolean returning, Outcome outcome, String failure) {
	}

	/**
	 * A client that keeps its session. A handshake counts as full if it verified the
	 * server's certificate.
	 */
	static final class Client implements X509TrustManager {

		private final int port;

		private final String protocol;

		private final SSLContext context;

		private Runnable inFullHandshake = () -> {
		};

		private int checks;

		Client(int port, String protocol) {
			this.port = port;
			this.protocol = protocol;
			try {
				this.context = SSLContext.getInstance("TLS");
				this.context.init(null, new TrustManager[] { this }, null);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		/**
		 * Connects, and runs an action during the full handshake.
		 */
		Outcome connectWhile(Runnable action) throws IOException {
			this.inFullHandshake = action;
			try {
				return connect();
			}
			finally {
				this.inFullHandshake = () -> {
				};
			}
		}

		Outcome connect() throws IOException {
			int before = this.checks;
			try (SSLSocket socket = (SSLSocket) this.context.getSocketFactory().createSocket("localhost", this.port)) {
				socket.setSoTimeout(60_000);
				socket.setEnabledProtocols(new String[] { this.protocol });
				socket.getOutputStream()
					.write("GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
						.getBytes(StandardCharsets.US_ASCII));
				byte[] answer = socket.getInputStream().readAllBytes();
				if (!new String(answer, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 200")) {
					throw new IOException("No answer, but " + answer.length + " bytes");
				}
			}
			return (this.checks != before) ? Outcome.FULL : Outcome.RESUMED;
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			this.checks++;
			this.inFullHandshake.run();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

}
