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

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * Collects the ClientHello and replays it to the native engine. The context of the native
 * engine depends on the ClientHello, which may span several records.
 */
final class HelloBuffer {

	private final ByteBuf message = Unpooled.buffer(0);

	/**
	 * Consumes a record that the source contains completely.
	 */
	void add(ByteBuffer source) {
		int length = Records.length(source);
		this.message.writeBytes(source.slice(source.position() + Records.HEADER, length - Records.HEADER));
		source.position(source.position() + length);
	}

	/**
	 * Returns whether the message is complete, or will be rejected by BoringSSL.
	 */
	boolean isComplete() {
		return !ClientHello.isIncomplete(bytes());
	}

	ByteBuffer bytes() {
		return this.message.nioBuffer();
	}

	/**
	 * Returns the next record, or {@code null} at the end.
	 */
	@Nullable ByteBuffer nextRecord() {
		int length = Math.min(this.message.readableBytes(), Records.MAXIMUM_FRAGMENT);
		if (length == 0) {
			this.message.clear().capacity(0);
			return null;
		}
		ByteBuffer record = Records.handshake(length);
		this.message.readBytes(record);
		return record.flip();
	}

}
