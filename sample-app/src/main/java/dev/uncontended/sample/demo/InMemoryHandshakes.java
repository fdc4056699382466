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

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteBuffer;
import java.security.KeyStore;
import java.util.List;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Performs handshakes without a network and measures the CPU time of the server's part.
 * Not thread-safe.
 */
final class InMemoryHandshakes {

	/**
	 * In a full TLS 1.3 handshake, the client sends twice, and once more if the server
	 * requests another key share.
	 */
	private static final int ROUND_TRIPS = 3;

	private static final int BUFFER_SIZE = 1 << 16;

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	private static final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

	private final Supplier<SSLEngine> server;

	private final SSLContext client;

	private final ByteBuffer toServer = ByteBuffer.allocateDirect(BUFFER_SIZE);

	private final ByteBuffer toClient = ByteBuffer.allocateDirect(BUFFER_SIZE);

	private final ByteBuffer data = ByteBuffer.allocateDirect(BUFFER_SIZE);

	private int clients;

	/**
	 * Creates clients.
	 * @param server creates the engines of the server
	 * @param trusted the certificates that the clients trust
	 */
	InMemoryHandshakes(Supplier<SSLEngine> server, KeyStore trusted) {
		this.server = server;
		this.client = TlsClient.contextThatTrusts(trusted);
	}

	/**
	 * Performs a full handshake of a new client, and a second handshake of this client,
	 * which resumes the session.
	 * @return both handshakes
	 * @throws SSLException if a handshake fails
	 */
	List<Handshake> connectTwice() throws SSLException {
		String name = "client-" + this.clients++;
		return List.of(connect(name), connect(name));
	}

	/*
	 * Performs a handshake. Measures only the calls of the server's engine, from its
	 * creation until it has encrypted a response of the application. The CPU time does
	 * not depend on other threads that use the processors. The client resumes its earlier
	 * session, if any.
	 */
	private Handshake connect(String name) throws SSLException {
		SSLEngine client = this.client.createSSLEngine(name, 443);
		client.setUseClientMode(true);
		client.beginHandshake();
		this.toClient.clear();
		this.toServer.clear();
		long start = threads.getCurrentThreadCpuTime();
		SSLEngine server = this.server.get();
		server.setUseClientMode(false);
		server.beginHandshake();
		long nanos = threads.getCurrentThreadCpuTime() - start;
		for (int i = 0; i < ROUND_TRIPS; i++) {
			advance(client, this.toClient, this.toServer);
			start = threads.getCurrentThreadCpuTime();
			advance(server, this.toServer, this.toClient);
			nanos += threads.getCurrentThreadCpuTime() - start;
		}
		start = threads.getCurrentThreadCpuTime();
		server.wrap(ByteBuffer.allocate(2), this.toClient);
		nanos += threads.getCurrentThreadCpuTime() - start;
		advance(client, this.toClient, this.toServer);
		boolean resumed = TlsClient.isResumed(client.getSession());
		server.closeOutbound();
		server.wrap(NOTHING, this.toClient);
		return new Handshake(resumed, nanos);
	}

	/*
	 * Handles everything that was received and sends the responses.
	 */
	private void advance(SSLEngine engine, ByteBuffer received, ByteBuffer sent) throws SSLException {
		int consumed = 1;
		while (consumed > 0) {
			switch (engine.getHandshakeStatus()) {
				case NEED_TASK -> engine.getDelegatedTask().run();
				case NEED_WRAP -> engine.wrap(NOTHING, sent);
				default -> {
					received.flip();
					consumed = engine.unwrap(received, this.data.clear()).bytesConsumed();
					received.compact();
				}
			}
		}
	}

	/**
	 * A completed handshake.
	 *
	 * @param resumed whether the session was resumed
	 * @param nanos the server's CPU time in nanoseconds
	 */
	record Handshake(boolean resumed, long nanos) {
	}

}
