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

package dev.uncontended.tls.wire;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/**
 * The presentation language of TLS (RFC 9846 section 3): numbers and vectors.
 */
final class Encoding {

	private Encoding() {
	}

	static byte[] bytes(int... values) {
		byte[] bytes = new byte[values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[i] = (byte) values[i];
		}
		return bytes;
	}

	static byte[] hex(String digits) {
		return HexFormat.of().parseHex(digits.replace(" ", ""));
	}

	static byte[] ascii(String text) {
		return text.getBytes(StandardCharsets.US_ASCII);
	}

	static byte[] concat(byte[]... parts) {
		ByteArrayOutputStream all = new ByteArrayOutputStream();
		for (byte[] part : parts) {
			all.writeBytes(part);
		}
		return all.toByteArray();
	}

	static byte[] uint16s(int... values) {
		byte[] bytes = new byte[2 * values.length];
		for (int i = 0; i < values.length; i++) {
			bytes[2 * i] = (byte) (values[i] >> 8);
			bytes[2 * i + 1] = (byte) values[i];
		}
		return bytes;
	}

	static byte[] uint24(int value) {
		return bytes(value >> 16, value >> 8, value);
	}

	static byte[] vector8(byte[]... content) {
		byte[] all = concat(content);
		return concat(bytes(all.length), all);
	}

	static byte[] vector16(byte[]... content) {
		byte[] all = concat(content);
		return concat(uint16s(all.length), all);
	}

	static byte[] vector24(byte[]... content) {
		byte[] all = concat(content);
		return concat(uint24(all.length), all);
	}

	/**
	 * Returns a handshake message.
	 */
	static byte[] message(int type, byte[]... content) {
		return concat(bytes(type), vector24(content));
	}

	/**
	 * Returns a record without protection.
	 */
	static byte[] plain(int type, byte[] content) {
		return concat(bytes(type, 3, 3), vector16(content));
	}

	/**
	 * Returns the bytes with the lowest bit of the last one changed.
	 */
	static byte[] corrupt(byte[] bytes) {
		byte[] corrupt = bytes.clone();
		corrupt[corrupt.length - 1] ^= 1;
		return corrupt;
	}

}
