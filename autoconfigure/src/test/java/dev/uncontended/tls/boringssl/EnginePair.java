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

package dev.uncontended.tls.boringssl;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * A client and a server in one thread. Like Jetty, the server unwraps only if data is
 * available, and only uses the returned results.
 */
final class EnginePair {

	private final SSLEngine client;

	private final SSLEngine server;

	private final ByteBuffer toServer = ByteBuffer.allocate(1 << 17);

	private final ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 17);

	private final ByteBuffer clientIn = ByteBuffer.allocate(1 << 16);

	private final ByteBuffer serverIn = ByteBuffer.allocate(1 << 16);

	private boolean clientFinished;

	private int serverFinished;

	private int recordsOfClient;

	EnginePair(SSLEngine client, SSLEngine server) {
		this.client = client;
		this.server = server;
		client.setUseClientMode(true);
		server.setUseClientMode(false);
	}

	EnginePair handshake() throws SSLException {
		this.client.beginHandshake();
		this.server.beginHandshake();
		for (int i = 0; i < 100 && !(this.clientFinished && this.serverFinished > 0 && isQuiet()); i++) {
			step();
		}
		assertThat(this.clientFinished).isTrue();
		assertThat(this.serverFinished).isEqualTo(1);
		return this;
	}

	private boolean isQuiet() {
		return this.toServer.position() == 0 && this.toClient.position() == 0
				&& this.server.getHandshakeStatus() != HandshakeStatus.NEED_WRAP;
	}

	void step() throws SSLException {
		runTasks(this.client);
		runTasks(this.server);
		if (this.client.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			note(this.client, this.client.wrap(ByteBuffer.allocate(0), this.toServer));
		}
		unwrap(this.server, this.toServer, this.serverIn);
		runTasks(this.server);
		if (this.server.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			note(this.server, this.server.wrap(ByteBuffer.allocate(0), this.toClient));
		}
		unwrap(this.client, this.toClient, this.clientIn);
	}

	/**
	 * Sends a text and returns the text received by the other side.
	 */
	String toServer(String text) throws SSLException {
		return send(text, this.client, this.toServer, this.server, this.serverIn);
	}

	String toClient(String text) throws SSLException {
		return send(text, this.server, this.toClient, this.client, this.clientIn);
	}

	private String send(String text, SSLEngine from, ByteBuffer wire, SSLEngine to, ByteBuffer in) throws SSLException {
		ByteBuffer source = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
		while (source.hasRemaining()) {
			from.wrap(source, wire);
			while (unwrap(to, wire, in)) {
				// More data may follow.
			}
		}
		String got = new String(in.array(), 0, in.position(), StandardCharsets.UTF_8);
		in.clear();
		return got;
	}

	private boolean unwrap(SSLEngine engine, ByteBuffer wire, ByteBuffer in) throws SSLException {
		if (wire.position() == 0) {
			return false;
		}
		wire.flip();
		try {
			SSLEngineResult result = engine.unwrap(wire, in);
			note(engine, result);
			if (engine == this.server && result.bytesConsumed() > 0) {
				this.recordsOfClient++;
			}
			return result.getStatus() == Status.OK && result.bytesConsumed() > 0;
		}
		finally {
			wire.compact();
		}
	}

	private void note(SSLEngine engine, SSLEngineResult result) {
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED) {
			if (engine == this.client) {
				this.clientFinished = true;
			}
			else {
				this.serverFinished++;
			}
		}
	}

	private static void runTasks(SSLEngine engine) {
		while (engine.getHandshakeStatus() == HandshakeStatus.NEED_TASK) {
			Runnable task = engine.getDelegatedTask();
			if (task != null) {
				task.run();
			}
		}
	}

	/**
	 * Closes both, the server first.
	 */
	void close() throws SSLException {
		this.server.closeOutbound();
		note(this.server, this.server.wrap(ByteBuffer.allocate(0), this.toClient));
		this.client.closeOutbound();
	}

	/**
	 * Returns the number of records that the server has read.
	 */
	int recordsOfClient() {
		return this.recordsOfClient;
	}

	SSLEngine client() {
		return this.client;
	}

	SSLEngine server() {
		return this.server;
	}

}
