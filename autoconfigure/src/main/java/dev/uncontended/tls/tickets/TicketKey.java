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
package dev.uncontended.tls.tickets;

import java.security.SecureRandom;
import java.util.Arrays;

/**
 * A key that encrypts TLS session tickets. Each ticket contains the name of its key. The
 * arrays must not be changed.
 *
 * @param name the public name, 16 bytes
 * @param hmacKey the secret key that authenticates tickets with HMAC-SHA-256, 16 bytes
 * @param aesKey the secret key that encrypts tickets with AES-128-CBC, 16 bytes
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5077#section-4">RFC 5077, section 4</a>
 */
public record TicketKey(byte[] name, byte[] hmacKey, byte[] aesKey) {

	/** The total length of the three parts in bytes. */
	static final int LENGTH = 48;

	static TicketKey of(byte[] parts) {
		return new TicketKey(Arrays.copyOf(parts, 16), Arrays.copyOfRange(parts, 16, 32),
				Arrays.copyOfRange(parts, 32, LENGTH));
	}

	static TicketKey generate(SecureRandom random) {
		byte[] parts = new byte[LENGTH];
		random.nextBytes(parts);
		return of(parts);
	}

	/** Returns a constant without the key. */
	@Override
	public String toString() {
		return "TicketKey[***]";
	}

}
