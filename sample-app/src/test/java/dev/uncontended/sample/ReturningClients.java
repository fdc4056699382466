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
 * JSSE clients, each of which connects, comes back once a little later, and is then
 * replaced by a new one. A handshake was full if it looked at the server's certificate.
 */
final class ReturningClients implements AutoCloseable {

	private final int port;

	private final List<Thread> threads = new ArrayList<>();

	private final List<Connection> connections = new CopyOnWriteArrayList<>();

	private volatile String phase = "start";

	private volatile boolean closed;

	/**
	 * Starts clients.
	 * @param port the port to connect to
	 * @param pause the time in milliseconds between two connections of a client
	 * @param protocols one client for each
	 */
	ReturningClients(int port, long pause, String... protocols) {
		this.port = port;
		for (String protocol : protocols) {
			Thread thread = new Thread(() -> run(protocol, pause), "client with " + protocol);
			thread.setDaemon(true);
			thread.start();
			this.threads.add(thread);
		}
	}

	/**
	 * Begin another phase.
	 */
	void enter(String phase) {
		this.phase = phase;
	}

	List<Connection> connections() {
		return List.copyOf(this.connections);
	}

	long count(String phase, boolean returning, Outcome... outcomes) {
		return this.connections.stream()
			.filter((connection) -> connection.phase().equals(phase) && connection.returning() == returning
					&& List.of(outcomes).contains(connection.outcome()))
			.count();
	}

	private void run(String protocol, long pause) {
		while (!this.closed) {
			CountingTrust trust = new CountingTrust();
			SSLContext context = trust.sslContext();
			connect(context, trust, protocol, false);
			sleep(pause);
			connect(context, trust, protocol, true);
		}
	}

	private static void sleep(long milliseconds) {
		try {
			TimeUnit.MILLISECONDS.sleep(milliseconds);
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private void connect(SSLContext context, CountingTrust trust, String protocol, boolean returning) {
		String phase = this.phase;
		int before = trust.checks;
		try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket("localhost", this.port)) {
			socket.setSoTimeout(10_000);
			socket.setEnabledProtocols(new String[] { protocol });
			socket.getOutputStream()
				.write("GET /favicon.svg HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			byte[] answer = socket.getInputStream().readAllBytes();
			if (!new String(answer, StandardCharsets.ISO_8859_1).startsWith("HTTP/1.1 200")) {
				throw new IOException("No answer");
			}
			Outcome outcome = (trust.checks != before) ? Outcome.FULL : Outcome.RESUMED;
			this.connections.add(new Connection(phase, protocol, returning, outcome, ""));
		}
		catch (IOException ex) {
			this.connections.add(new Connection(phase, protocol, returning, Outcome.FAILED, ex.toString()));
		}
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
	 * What became of one connection.
	 */
	record Connection(String phase, String protocol, boolean returning, Outcome outcome, String failure) {
	}

	private static final class CountingTrust implements X509TrustManager {

		private int checks;

		private SSLContext sslContext() {
			try {
				SSLContext context = SSLContext.getInstance("TLS");
				context.init(null, new TrustManager[] { this }, null);
				return context;
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			this.checks++;
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
