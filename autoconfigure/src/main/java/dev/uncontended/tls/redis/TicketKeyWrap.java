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
package dev.uncontended.tls.redis;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;

/**
 * Wraps ticket keys with AES-256-GCM under a key that is derived from a secret. The id of
 * a key is authenticated with it.
 */
final class TicketKeyWrap {

	private static final int IV_LENGTH = 12;

	private static final int TAG_BITS = 128;

	private final SecretKey wrappingKey;

	private final SecureRandom random;

	TicketKeyWrap(TicketSecret secret, SecureRandom random) {
		byte[] bytes = secret.derive("wrapping of ticket keys", 32);
		this.wrappingKey = new SecretKeySpec(bytes, "AES");
		Arrays.fill(bytes, (byte) 0);
		this.random = random;
	}

	String wrap(String id, TicketKey key) {
		byte[] iv = new byte[IV_LENGTH];
		this.random.nextBytes(iv);
		byte[] parts = key.parts();
		try {
			byte[] sealed = cipher(Cipher.ENCRYPT_MODE, iv, 0, id).doFinal(parts);
			byte[] wrapped = Arrays.copyOf(iv, IV_LENGTH + sealed.length);
			System.arraycopy(sealed, 0, wrapped, IV_LENGTH, sealed.length);
			return Base64.getEncoder().encodeToString(wrapped);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("AES in GCM is a part of every Java platform", ex);
		}
		finally {
			Arrays.fill(parts, (byte) 0);
		}
	}

	/**
	 * Returns the key, or {@code null} if this is not one that has been wrapped for this
	 * id under the same secret.
	 */
	@Nullable TicketKey unwrap(String id, String wrapped) {
		byte[] parts = {};
		try {
			byte[] bytes = Base64.getDecoder().decode(wrapped);
			parts = cipher(Cipher.DECRYPT_MODE, bytes, 0, id).doFinal(bytes, IV_LENGTH, bytes.length - IV_LENGTH);
			return new TicketKey(parts);
		}
		catch (GeneralSecurityException | IllegalArgumentException ex) {
			return null;
		}
		finally {
			Arrays.fill(parts, (byte) 0);
		}
	}

	private Cipher cipher(int mode, byte[] iv, int offset, String id) throws GeneralSecurityException {
		Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
		cipher.init(mode, this.wrappingKey, new GCMParameterSpec(TAG_BITS, iv, offset, IV_LENGTH));
		cipher.updateAAD(id.getBytes(StandardCharsets.US_ASCII));
		return cipher;
	}

}
