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
package dev.uncontended.tls.tickets.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.function.Function;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and authenticates records with AES-256-GCM, under a key derived from a
 * {@link TicketSecret}, the same for all generations. The context of a record is
 * additional data, so a record is invalid in any other context.
 *
 * @param secret the secret
 * @param random the generator of nonces
 */
public record SecretBox(TicketSecret secret, SecureRandom random) {

	private static final int IV_LENGTH = 12;

	private static final int TAG_LENGTH = 16;

	/**
	 * Seals a record, and overwrites the unencrypted record with zeros.
	 */
	public String seal(String context, byte[] record) {
		byte[] iv = new byte[IV_LENGTH];
		this.random.nextBytes(iv);
		try {
			byte[] sealed = cipher(Cipher.ENCRYPT_MODE, iv, context).doFinal(record);
			byte[] value = Arrays.copyOf(iv, IV_LENGTH + sealed.length);
			System.arraycopy(sealed, 0, value, IV_LENGTH, sealed.length);
			return Base64.getEncoder().encodeToString(value);
		}
		catch (GeneralSecurityException ex) {
			throw new IllegalStateException("Failed to use AES-GCM, which every Java platform must support", ex);
		}
		finally {
			Arrays.fill(record, (byte) 0);
		}
	}

	/**
	 * Opens a sealed record of at least {@code minimum} and at most {@code maximum}
	 * bytes, and overwrites it with zeros after {@code reader} has returned.
	 * @return the result of the reader, or {@code null} if the record is invalid
	 */
	public <T> @Nullable T open(String context, String value, int minimum, int maximum,
			Function<ByteBuffer, T> reader) {
		byte[] record = {};
		try {
			byte[] bytes = Base64.getDecoder().decode(value);
			int length = bytes.length - IV_LENGTH - TAG_LENGTH;
			if (length < minimum || length > maximum) {
				return null;
			}
			record = cipher(Cipher.DECRYPT_MODE, bytes, context).doFinal(bytes, IV_LENGTH, bytes.length - IV_LENGTH);
			return reader.apply(ByteBuffer.wrap(record));
		}
		catch (GeneralSecurityException | IllegalArgumentException ex) {
			return null;
		}
		finally {
			Arrays.fill(record, (byte) 0);
		}
	}

	/**
	 * Creates a cipher. The derived key is not stored, so that this object cannot decrypt
	 * records after the secret has been destroyed. The JDK may keep copies of the key in
	 * memory.
	 */
	private Cipher cipher(int mode, byte[] iv, String context) throws GeneralSecurityException {
		byte[] key = this.secret.deriveForAllGenerations("sealing of records", 32);
		try {
			Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
			cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_LENGTH, iv, 0, IV_LENGTH));
			cipher.updateAAD(context.getBytes(StandardCharsets.UTF_8));
			return cipher;
		}
		finally {
			Arrays.fill(key, (byte) 0);
		}
	}

}
