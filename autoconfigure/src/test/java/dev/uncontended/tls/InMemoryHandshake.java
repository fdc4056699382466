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

package dev.uncontended.tls;

import java.nio.ByteBuffer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

import org.jspecify.annotations.Nullable;

/**
 * A handshake of two engines in memory, by the calling thread.
 */
public final class InMemoryHandshake {

	private final ByteBuffer toServer = ByteBuffer.allocate(1 << 16);

	private final ByteBuffer toClient = ByteBuffer.allocate(1 << 16);

	private final ByteBuffer data = ByteBuffer.allocate(1 << 15);

	private @Nullable SSLEngineResult completed;

	private InMemoryHandshake() {
	}

	/**
	 * Completes the handshake of two unused engines.
	 * @return the first result of the server with the status FINISHED
	 */
	public static @Nullable SSLEngineResult run(SSLEngine client, SSLEngine server) throws SSLException {
		client.setUseClientMode(true);
		server.setUseClientMode(false);
		client.beginHandshake();
		server.beginHandshake();
		InMemoryHandshake handshake = new InMemoryHandshake();
		while (handshake.step(client, handshake.toClient, handshake.toServer)
				| handshake.step(server, handshake.toServer, handshake.toClient)) {
			// The other side may have an answer.
		}
		return handshake.completed;
	}

	private boolean step(SSLEngine engine, ByteBuffer in, ByteBuffer out) throws SSLException {
		HandshakeStatus status = engine.getHandshakeStatus();
		if (status == HandshakeStatus.NEED_TASK) {
			engine.getDelegatedTask().run();
			return true;
		}
		SSLEngineResult result;
		if (status == HandshakeStatus.NEED_WRAP) {
			result = engine.wrap(ByteBuffer.allocate(0), out);
		}
		else if (in.position() == 0) {
			return false;
		}
		else {
			in.flip();
			this.data.clear();
			result = engine.unwrap(in, this.data);
			in.compact();
		}
		if (result.getHandshakeStatus() == HandshakeStatus.FINISHED && !engine.getUseClientMode()
				&& this.completed == null) {
			this.completed = result;
		}
		return true;
	}

}
