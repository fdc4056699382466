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

/**
 * A key that encrypts session tickets, as OpenSSL and BoringSSL take it: a public name
 * that is part of each ticket, a key for HMAC-SHA-256 and a key for AES-128-CBC.
 * Immutable.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5077#section-4">RFC 5077, section 4</a>
 */
public final class TicketKey {

	/**
	 * Length of each of the three parts, in bytes.
	 */
	public static final int PART_LENGTH = 16;

	private final byte[] name;

	private final byte[] hmacKey;

	private final byte[] aesKey;

	/**
	 * Creates a key from copies of its parts.
	 * @param name the name, 16 bytes
	 * @param hmacKey the key that authenticates tickets, 16 bytes
	 * @param aesKey the key that encrypts tickets, 16 bytes
	 * @throws IllegalArgumentException if a part does not have 16 bytes
	 */
	public TicketKey(byte[] name, byte[] hmacKey, byte[] aesKey) {
		this.name = copy("name", name);
		this.hmacKey = copy("hmacKey", hmacKey);
		this.aesKey = copy("aesKey", aesKey);
	}

	private static byte[] copy(String argument, byte[] part) {
		if (part.length != PART_LENGTH) {
			throw new IllegalArgumentException(
					argument + " must have " + PART_LENGTH + " bytes, but has " + part.length);
		}
		return part.clone();
	}

	/**
	 * Returns the name.
	 * @return a copy, 16 bytes
	 */
	public byte[] name() {
		return this.name.clone();
	}

	/**
	 * Returns the key that authenticates tickets. It is a secret.
	 * @return a copy, 16 bytes
	 */
	public byte[] hmacKey() {
		return this.hmacKey.clone();
	}

	/**
	 * Returns the key that encrypts tickets. It is a secret.
	 * @return a copy, 16 bytes
	 */
	public byte[] aesKey() {
		return this.aesKey.clone();
	}

	/**
	 * Returns a constant text: neither the key nor its name belongs in a log.
	 */
	@Override
	public String toString() {
		return "TicketKey[***]";
	}

}
