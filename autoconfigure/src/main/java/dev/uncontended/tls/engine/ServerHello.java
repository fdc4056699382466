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

package dev.uncontended.tls.engine;

import java.nio.ByteBuffer;
import java.util.HexFormat;

/**
 * A ServerHello (RFC 8446 section 4.1.3).
 *
 * @param isTls13 whether it selects TLS 1.3
 * @param isRetry whether it is a HelloRetryRequest
 * @param group the IANA name of the group in the extension key_share; {@code none}
 * without the extension, and {@code other} for a group without a name in
 * {@link ServerFlight}
 */
record ServerHello(boolean isTls13, boolean isRetry, String group) {

	private static final int SUPPORTED_VERSIONS = 43;

	private static final int KEY_SHARE = 51;

	private static final int TLS_1_3 = 0x304;

	/** RFC 8446 section 4.1.3. */
	private static final ByteBuffer RANDOM_OF_RETRY = ByteBuffer
		.wrap(HexFormat.of().parseHex("cf21ad74e59a6111be1d8c021e65b891c2a211167abb8c5e079e09e2c8a8339c"));

	/**
	 * Parses a message without its header.
	 * @throws RuntimeException if the message is malformed
	 */
	static ServerHello parse(ByteBuffer message) {
		message.position(2);
		boolean retry = ServerFlight.take(message, 32).equals(RANDOM_OF_RETRY);
		ServerFlight.take(message, message.get() & 0xff);
		message.position(message.position() + 3);
		boolean tls13 = false;
		String group = "none";
		// TLS 1.2 servers may omit the extensions and their length.
		ByteBuffer extensions = message.hasRemaining() ? ServerFlight.take(message, message.getShort() & 0xffff)
				: message;
		while (extensions.hasRemaining()) {
			int type = extensions.getShort();
			ByteBuffer content = ServerFlight.take(extensions, extensions.getShort() & 0xffff);
			if (type == SUPPORTED_VERSIONS) {
				tls13 = content.getShort() == TLS_1_3;
			}
			else if (type == KEY_SHARE) {
				group = ServerFlight.groupName(content.getShort());
			}
		}
		return new ServerHello(tls13, retry && tls13, group);
	}

}
