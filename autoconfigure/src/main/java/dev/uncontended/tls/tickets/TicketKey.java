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

import javax.security.auth.Destroyable;

/**
 * A key that encrypts TLS session tickets. It has the three parts that BoringSSL uses: a
 * public name, an HMAC-SHA-256 key and an AES-128-CBC key. Each ticket contains the name
 * of its key. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5077#section-4">RFC 5077, section 4</a>
 */
public final class TicketKey implements Destroyable {

	private static final int PART_LENGTH = 16;

	/** The total length of the three parts in bytes. */
	static final int LENGTH = 3 * PART_LENGTH;

	private final byte[] parts;

	private volatile boolean destroyed;

	/** Creates a key from a copy of its parts. */
	TicketKey(byte[] parts) {
		this.parts = parts.clone();
	}

	static TicketKey generate(SecureRandom random) {
		byte[] parts = new byte[LENGTH];
		random.nextBytes(parts);
		TicketKey key = new TicketKey(parts);
		Arrays.fill(parts, (byte) 0);
		return key;
	}

	/**
	 * Returns the public name of this key.
	 * @return a copy, 16 bytes
	 * @throws IllegalStateException if the key has been destroyed
	 */
	public byte[] name() {
		return part(0);
	}

	/**
	 * Returns the secret key that authenticates tickets.
	 * @return a copy, 16 bytes
	 * @throws IllegalStateException if the key has been destroyed
	 */
	public byte[] hmacKey() {
		return part(1);
	}

	/**
	 * Returns the secret key that encrypts tickets.
	 * @return a copy, 16 bytes
	 * @throws IllegalStateException if the key has been destroyed
	 */
	public byte[] aesKey() {
		return part(2);
	}

	private byte[] part(int index) {
		synchronized (this.parts) {
			if (this.destroyed) {
				throw new IllegalStateException("The key has been destroyed");
			}
			return Arrays.copyOfRange(this.parts, index * PART_LENGTH, (index + 1) * PART_LENGTH);
		}
	}

	/** Overwrites the key with zeros. */
	@Override
	public void destroy() {
		synchronized (this.parts) {
			this.destroyed = true;
			Arrays.fill(this.parts, (byte) 0);
		}
	}

	@Override
	public boolean isDestroyed() {
		return this.destroyed;
	}

	/** Returns a constant without the key. */
	@Override
	public String toString() {
		return "TicketKey[***]";
	}

}
