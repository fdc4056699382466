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

import java.nio.ByteBuffer;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;

/**
 * One side of a connection in memory.
 */
final class InMemoryTls {

	private InMemoryTls() {
	}

	/**
	 * Reads what the other side has written, and writes, as far as the engine can.
	 * @param source what the other side has written
	 * @param target receives what the engine writes
	 * @param in receives the data of the application
	 * @return whether the handshake has finished
	 */
	static boolean step(SSLEngine engine, ByteBuffer source, ByteBuffer target, ByteBuffer in) throws SSLException {
		boolean finished = false;
		while (true) {
			switch (engine.getHandshakeStatus()) {
				case NEED_TASK -> {
					Runnable task = engine.getDelegatedTask();
					if (task != null) {
						task.run();
					}
				}
				case NEED_WRAP -> {
					finished |= isFinished(engine.wrap(ByteBuffer.allocate(0), target));
				}
				default -> {
					if (source.position() == 0) {
						return finished;
					}
					source.flip();
					in.clear();
					SSLEngineResult result = engine.unwrap(source, in);
					source.compact();
					finished |= isFinished(result);
					if (result.bytesConsumed() == 0 && result.getStatus() != SSLEngineResult.Status.OK) {
						return finished;
					}
				}
			}
		}
	}

	private static boolean isFinished(SSLEngineResult result) {
		return result.getHandshakeStatus() == HandshakeStatus.FINISHED;
	}

}
