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

import java.util.LinkedHashMap;
import java.util.Map;

import static dev.uncontended.tls.wire.Encoding.bytes;
import static dev.uncontended.tls.wire.Encoding.concat;
import static dev.uncontended.tls.wire.Encoding.message;
import static dev.uncontended.tls.wire.Encoding.uint16s;
import static dev.uncontended.tls.wire.Encoding.vector16;
import static dev.uncontended.tls.wire.Encoding.vector8;

/**
 * A ClientHello, every part of which can be changed.
 */
final class Hello {

	static final int SERVER_NAME = 0;

	static final int GROUPS = 10;

	static final int SIGNATURE_ALGORITHMS = 13;

	static final int APPLICATION_PROTOCOLS = 16;

	static final int EXTENDED_MASTER_SECRET = 23;

	static final int VERSIONS = 43;

	static final int COOKIE = 44;

	static final int KEY_SHARE = 51;

	/** Constant, because the server does not require randomness. */
	static final byte[] RANDOM = new byte[32];

	int version = 0x303;

	byte[] sessionId = new byte[32];

	byte[] cipherSuites;

	byte[] compressionMethods = { 0 };

	/** Appended to the extensions. */
	byte[] suffix = {};

	private final Map<Integer, byte[]> extensions = new LinkedHashMap<>();

	Hello(int... cipherSuites) {
		this.cipherSuites = uint16s(cipherSuites);
	}

	Hello with(int extension, byte[]... content) {
		this.extensions.put(extension, concat(content));
		return this;
	}

	Hello without(int... extensions) {
		for (int extension : extensions) {
			this.extensions.remove(extension);
		}
		return this;
	}

	Hello withoutExtensions() {
		this.extensions.clear();
		return this;
	}

	byte[] extension(int type) {
		byte[] content = this.extensions.get(type);
		return (content != null) ? concat(uint16s(type), vector16(content)) : bytes();
	}

	byte[] body() {
		byte[] all = {};
		for (int type : this.extensions.keySet()) {
			all = concat(all, extension(type));
		}
		return concat(uint16s(this.version), RANDOM, vector8(this.sessionId), vector16(this.cipherSuites),
				vector8(this.compressionMethods), vector16(all, this.suffix));
	}

	byte[] toBytes() {
		return message(1, body());
	}

}
