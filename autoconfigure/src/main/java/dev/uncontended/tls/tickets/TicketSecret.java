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

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.security.auth.Destroyable;

/**
 * A secret from which nodes derive keys with HKDF-SHA-256. Nodes that share ticket keys
 * need the same secret. Thread-safe.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc5869">RFC 5869</a>
 */
public final class TicketSecret implements Destroyable {

	/**
	 * The minimum length of a secret in bytes.
	 */
	public static final int MINIMUM_LENGTH = 32;

	private static final String SALT = "uncontended session tickets";

	private final int generation;

	private final byte[] pseudoRandomKey;

	private final byte[] keyOfAllGenerations;

	private boolean destroyed;

	/**
	 * Creates a secret.
	 * @param secret the secret, which is encoded in UTF-8. It must be random, because
	 * HKDF does not protect passwords against guessing
	 * @param generation the generation. Another generation changes the keys that
	 * {@link #derive} returns
	 * @throws IllegalArgumentException if the secret has fewer than
	 * {@link #MINIMUM_LENGTH} bytes, repeats a single character, or contains
	 * <code>${</code>. The exception's message does not contain the secret
	 */
	public TicketSecret(String secret, int generation) {
		requireNot(secret.contains("${"), "must not contain '${', which an unresolved placeholder leaves");
		byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
		requireNot(bytes.length < MINIMUM_LENGTH,
				"must be at least " + MINIMUM_LENGTH + " bytes, but was " + bytes.length);
		requireNot(secret.codePoints().distinct().count() == 1, "must be random, but repeats a single character");
		this.generation = generation;
		this.keyOfAllGenerations = extract(SALT.getBytes(StandardCharsets.US_ASCII), bytes);
		this.pseudoRandomKey = extract((SALT + ", generation " + generation).getBytes(StandardCharsets.US_ASCII),
				bytes);
		Arrays.fill(bytes, (byte) 0);
	}

	private static void requireNot(boolean refused, String rule) {
		if (refused) {
			throw new IllegalArgumentException("secret " + rule);
		}
	}

	/**
	 * Returns the generation.
	 * @return the generation
	 */
	public int generation() {
		return this.generation;
	}

	/**
	 * Derives bytes from the secret, its generation, and a purpose. The bytes reveal
	 * neither the secret nor the bytes of other purposes.
	 */
	byte[] derive(String purpose, int length) {
		return derive(this.pseudoRandomKey, purpose, length);
	}

	/** Derives bytes like {@link #derive}, but the same for every generation. */
	byte[] deriveForAllGenerations(String purpose, int length) {
		return derive(this.keyOfAllGenerations, purpose, length);
	}

	private synchronized byte[] derive(byte[] key, String purpose, int length) {
		if (this.destroyed) {
			throw new IllegalStateException("The secret has been destroyed");
		}
		return expand(key, purpose.getBytes(StandardCharsets.UTF_8), length);
	}

	/** Implements RFC 5869, section 2.2. */
	static byte[] extract(byte[] salt, byte[] inputKeyingMaterial) {
		return hmac(salt).doFinal(inputKeyingMaterial);
	}

	/** Implements RFC 5869, section 2.3. */
	static byte[] expand(byte[] pseudoRandomKey, byte[] info, int length) {
		Mac hmac = hmac(pseudoRandomKey);
		byte[] output = new byte[length];
		byte[] block = {};
		for (int counter = 1, position = 0; position < length; counter++) {
			hmac.update(block);
			hmac.update(info);
			block = hmac.doFinal(new byte[] { (byte) counter });
			int size = Math.min(block.length, length - position);
			System.arraycopy(block, 0, output, position, size);
			position += size;
		}
		return output;
	}

	static Mac hmac(byte[] key) {
		try {
			Mac mac = Mac.getInstance("HmacSHA256");
			mac.init(new SecretKeySpec(key, "HmacSHA256"));
			return mac;
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to create HmacSHA256, which every Java platform must support", ex);
		}
	}

	/**
	 * Overwrites HKDF's pseudorandom keys with zeros. This object does not retain the
	 * secret.
	 */
	@Override
	public synchronized void destroy() {
		this.destroyed = true;
		Arrays.fill(this.pseudoRandomKey, (byte) 0);
		Arrays.fill(this.keyOfAllGenerations, (byte) 0);
	}

	@Override
	public synchronized boolean isDestroyed() {
		return this.destroyed;
	}

	/** Returns a constant without the secret. */
	@Override
	public String toString() {
		return "TicketSecret[***]";
	}

}
