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
package dev.uncontended.tls.jdk;

import java.nio.ByteBuffer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;

/**
 * The records of a handshake before the ServerHello: the ClientHello and, if the server
 * has answered with a HelloRetryRequest, the second ClientHello. Another SSL engine can
 * repeat the handshake from here, and the client does not notice.
 * <p>
 * Not thread-safe.
 */
final class HelloRecording {

	private static final ByteBuffer NONE = ByteBuffer.allocate(0);

	/**
	 * Two of the JDK's longest messages (32 KB) and the headers of their records. An
	 * attacker can keep many connections in this state.
	 */
	private static final int MAXIMUM_LENGTH = 96 * 1024;

	private static final byte ALERT = 21;

	private ByteBuffer received = NONE;

	private ByteBuffer sent = NONE;

	/**
	 * Records the bytes of the client that a buffer contains before its position, except
	 * alerts. The JDK accepts any number of warnings, and they do not change the
	 * handshake.
	 * @param start the position before the SSL engine read one record
	 * @throws SSLException if the client has sent more than two long ClientHellos
	 */
	void received(ByteBuffer source, int start) throws SSLException {
		if (source.position() == start || source.get(start) == ALERT) {
			return;
		}
		if (this.received.position() + source.position() - start > MAXIMUM_LENGTH) {
			throw new SSLHandshakeException("The client has sent too much before its ClientHello was complete");
		}
		this.received = append(this.received, source, start);
	}

	/**
	 * Records the bytes of the server that a buffer contains before its position.
	 * @param start the position before the SSL engine wrote the buffer
	 */
	void sent(ByteBuffer destination, int start) {
		this.sent = append(this.sent, destination, start);
	}

	private static ByteBuffer append(ByteBuffer recorded, ByteBuffer buffer, int start) {
		ByteBuffer added = buffer.duplicate().flip().position(start);
		int length = recorded.position() + added.remaining();
		ByteBuffer target = (length <= recorded.capacity()) ? recorded
				: ByteBuffer.allocate(Math.max(length, 2 * recorded.capacity())).put(recorded.flip());
		return target.put(added);
	}

	/**
	 * Repeats the handshake until the last message has been read. Its task remains to be
	 * run.
	 * @param engine a new SSL engine of the same context with the same settings
	 * @throws SSLException if the SSL engine does not repeat the server's bytes
	 */
	void replay(SSLEngine engine) throws SSLException {
		ByteBuffer source = this.received.duplicate().flip();
		ByteBuffer repeated = ByteBuffer
			.allocate((this.sent.position() != 0) ? this.sent.position() + packetSize(engine) : 0);
		while (source.hasRemaining()) {
			HandshakeStatus status = engine.getHandshakeStatus();
			if (status == HandshakeStatus.NEED_TASK) {
				runTasks(engine);
				continue;
			}
			SSLEngineResult result = (status == HandshakeStatus.NEED_WRAP) ? engine.wrap(NONE, repeated)
					: engine.unwrap(source, NONE);
			if (result.bytesProduced() == 0 && result.bytesConsumed() == 0 && result.getHandshakeStatus() == status) {
				break;
			}
		}
		if (source.hasRemaining() || !repeated.flip().equals(this.sent.duplicate().flip())) {
			throw new SSLHandshakeException("Failed to replace a TLS session that has ended by a full handshake");
		}
	}

	private static int packetSize(SSLEngine engine) {
		return engine.getSession().getPacketBufferSize();
	}

	private static void runTasks(SSLEngine engine) {
		for (Runnable task; (task = engine.getDelegatedTask()) != null;) {
			task.run();
		}
	}

}
