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

package dev.uncontended.tls.session.internal;

import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Finds the stored sessions that a ClientHello presents: the session id of TLS 1.2 (RFC
 * 5246), and the identities of pre-shared keys of TLS 1.3 (RFC 8446 section 4.2.11).
 */
final class ClientHello {

	private static final int PRE_SHARED_KEY = 41;

	/** The length of the ids that the JDK gives stored sessions. */
	private static final int ID_LENGTH = 32;

	private ClientHello() {
	}

	/**
	 * Reads a record, if it is complete and a ClientHello.
	 * @param record the record, whose position does not change
	 * @param action called with each id
	 * @return {@code false} if the record contains a part of a ClientHello only, or is
	 * malformed
	 */
	static boolean forEachId(ByteBuffer record, Consumer<byte[]> action) {
		try {
			Hello hello = Hello.ofClient(record);
			if (hello != null) {
				accept(hello.sessionId(), action);
				ByteBuffer keys = hello.extensions().get(PRE_SHARED_KEY);
				ByteBuffer identities = (keys != null) ? Hello.takeShort(keys) : ByteBuffer.allocate(0);
				while (identities.hasRemaining()) {
					accept(Hello.takeShort(identities), action);
					identities.getInt();
				}
			}
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	private static void accept(ByteBuffer id, Consumer<byte[]> action) {
		if (id.remaining() == ID_LENGTH) {
			byte[] bytes = new byte[ID_LENGTH];
			id.get(bytes);
			action.accept(bytes);
		}
	}

}
