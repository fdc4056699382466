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

import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Buffers BoringSSL's output except application data, and sends only whole records.
 */
final class OutboundBuffer {

	// The capacity for one wrap in bytes. Most flights of a handshake are shorter.
	private static final int CHUNK = 4_096;

	private final ByteBuf records = Unpooled.buffer(0);

	boolean isEmpty() {
		return !this.records.isReadable();
	}

	/**
	 * Adds an unencrypted alert. Must not be called after Netty's engine has been
	 * created.
	 */
	void addAlert(int level, int description) {
		this.records.writeBytes(Records.alert(level, description));
	}

	/**
	 * Adds the next part of BoringSSL's output. If the engine throws an exception, this
	 * part can be an alert.
	 */
	SSLEngineResult addFrom(NativeEngine engine) throws SSLException {
		this.records.ensureWritable(CHUNK);
		ByteBuffer chunk = this.records.nioBuffer(this.records.writerIndex(), CHUNK);
		try {
			return engine.wrapNothing(chunk);
		}
		finally {
			this.records.writerIndex(this.records.writerIndex() + chunk.position());
		}
	}

	/**
	 * Moves as many whole records to the destination as fit.
	 * @return the number of bytes moved
	 */
	int send(ByteBuffer destination) {
		ByteBuffer all = this.records.nioBuffer();
		int end = 0;
		while (end < all.limit()) {
			int next = end + Records.length(all.position(end));
			if (next > destination.remaining()) {
				break;
			}
			end = next;
		}
		destination.put(all.position(0).limit(end));
		this.records.skipBytes(end);
		if (isEmpty()) {
			this.records.clear().capacity(0);
		}
		return end;
	}

}
