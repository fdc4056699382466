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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret from which nodes derive keys with HKDF-SHA-256. Nodes that share ticket keys
 * need the same secret. Immutable. Does not retain the secret.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5869">RFC 5869</a>
 */
public final class TicketSecret {

	/**
	 * The minimum length of a secret in bytes.
	 */
	public static final int MINIMUM_LENGTH = 32;

	private static final String SALT = "uncontended session tickets";

	private final SecretKeySpec key;

	/**
	 * Creates a secret.
	 * @param secret the secret, which is encoded in UTF-8. It must be random, because
	 * HKDF does not protect passwords against guessing
	 * @throws IllegalArgumentException if the secret has fewer than
	 * {@link #MINIMUM_LENGTH} bytes, repeats a single character, or contains
	 * <code>${</code>. The exception's message does not contain the secret
	 */
	public TicketSecret(String secret) {
		requireNot(secret.contains("${"), "must not contain '${', which an unresolved placeholder leaves");
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		requireNot(bytes.length < MINIMUM_LENGTH,
				"must be at least " + MINIMUM_LENGTH + " bytes, but was " + bytes.length);
		requireNot(secret.codePoints().distinct().count() == 1, "must be random, but repeats a single character");
		this.key = extract(SALT.getBytes(StandardCharsets.US_ASCII), bytes);
	}

	private static void requireNot(boolean refused, String rule) {
		if (refused) {
			throw new IllegalArgumentException("secret " + rule);
		}
	}

	/**
	 * Derives bytes from the secret and a purpose. The bytes reveal neither the secret
	 * nor the bytes of other purposes.
	 */
	byte[] derive(String purpose, int length) {
		return expand(this.key, purpose.getBytes(StandardCharsets.UTF_8), length);
	}

	/** Implements RFC 5869, section 2.2. */
	static SecretKeySpec extract(byte[] salt, byte[] inputKeyingMaterial) {
		return hmacKey(hmac(hmacKey(salt)).doFinal(inputKeyingMaterial));
	}

	/** Implements RFC 5869, section 2.3. */
	static byte[] expand(SecretKeySpec pseudoRandomKey, byte[] info, int length) {
		Mac hmac = hmac(pseudoRandomKey);
		ByteBuffer output = ByteBuffer.allocate(length);
		byte[] block = {};
		for (byte counter = 1; output.hasRemaining(); counter++) {
			hmac.update(block);
			hmac.update(info);
			hmac.update(counter);
			block = hmac.doFinal();
			output.put(block, 0, Math.min(block.length, output.remaining()));
		}
		return output.array();
	}

	static SecretKeySpec hmacKey(byte[] key) {
		return new SecretKeySpec(key, "HmacSHA256");
	}

	static Mac hmac(SecretKeySpec key) {
		try {
			Mac mac = Mac.getInstance(key.getAlgorithm());
			mac.init(key);
			return mac;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create HmacSHA256, which every Java platform must support", ex);
		}
	}

	/** Returns a constant without the secret. */
	@Override
	public String toString() {
		return "TicketSecret[***]";
	}

}
