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

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.function.Function;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import dev.uncontended.tls.tickets.TicketKey;
import dev.uncontended.tls.tickets.TicketSecret;
import org.jspecify.annotations.Nullable;

/**
 * Encrypts and decrypts the records in one secret's Redis hash. A record is the value of
 * a field: a ticket key with its times, or the last end of all sessions. The cipher is
 * AES-256-GCM, with a key derived from the {@linkplain TicketSecret secret}. The names of
 * the hash and the field are additional data, so a record is invalid in another hash or
 * field.
 */
final class SealedRecords {

	private static final int ID_LENGTH = 16;

	private static final int IV_LENGTH = 12;

	private static final int TAG_LENGTH = 16;

	private static final int END_LENGTH = Long.BYTES + ID_LENGTH;

	private static final int KEY_LENGTH = END_LENGTH + 2 * Long.BYTES + TicketKey.LENGTH;

	private final TicketSecret secret;

	private final String hash;

	private final SecureRandom random;

	SealedRecords(TicketSecret secret, String keyPrefix, SecureRandom random) {
		this.secret = secret;
		this.hash = keyPrefix + ":2:" + HexFormat.of().formatHex(secret.derive("fingerprint", 16));
		this.random = random;
	}

	String hash() {
		return this.hash;
	}

	static String randomId(SecureRandom random) {
		byte[] bytes = new byte[ID_LENGTH];
		random.nextBytes(bytes);
		return HexFormat.of().formatHex(bytes);
	}

	String sealKey(String id, End end, long activation, long expiry, TicketKey key) {
		ByteBuffer record = ByteBuffer.allocate(KEY_LENGTH);
		put(end, record).putLong(activation).putLong(expiry);
		byte[] parts = key.parts();
		record.put(parts);
		Arrays.fill(parts, (byte) 0);
		return seal(id, record.array());
	}

	@Nullable SharedKey openKey(String id, String value) {
		return open(id, value, KEY_LENGTH, (record) -> {
			End end = end(record);
			long activation = record.getLong();
			long expiry = record.getLong();
			byte[] parts = new byte[TicketKey.LENGTH];
			record.get(parts);
			TicketKey key = new TicketKey(parts);
			Arrays.fill(parts, (byte) 0);
			return new SharedKey(id, value, end, activation, expiry, key);
		});
	}

	String sealEnd(End end) {
		return seal(TicketKeyHash.END, put(end, ByteBuffer.allocate(END_LENGTH)).array());
	}

	@Nullable End openEnd(String value) {
		return open(TicketKeyHash.END, value, END_LENGTH, SealedRecords::end);
	}

	private static ByteBuffer put(End end, ByteBuffer record) {
		return record.putLong(end.number()).put(HexFormat.of().parseHex(end.id()));
	}

	private static End end(ByteBuffer record) {
		long number = record.getLong();
		byte[] id = new byte[ID_LENGTH];
		record.get(id);
		return new End(number, HexFormat.of().formatHex(id));
	}

	private String seal(String field, byte[] record) {
		byte[] iv = new byte[IV_LENGTH];
		this.random.nextBytes(iv);
		try {
			byte[] sealed = cipher(Cipher.ENCRYPT_MODE, iv, field).doFinal(record);
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

	private <T> @Nullable T open(String field, String value, int length, Function<ByteBuffer, T> reader) {
		byte[] record = {};
		try {
			byte[] bytes = Base64.getDecoder().decode(value);
			if (bytes.length != IV_LENGTH + length + TAG_LENGTH) {
				return null;
			}
			record = cipher(Cipher.DECRYPT_MODE, bytes, field).doFinal(bytes, IV_LENGTH, bytes.length - IV_LENGTH);
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
	private Cipher cipher(int mode, byte[] iv, String field) throws GeneralSecurityException {
		byte[] key = this.secret.derive("sealing of records", 32);
		try {
			Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
			cipher.init(mode, new SecretKeySpec(key, "AES"), new GCMParameterSpec(8 * TAG_LENGTH, iv, 0, IV_LENGTH));
			cipher.updateAAD((this.hash + '\n' + field).getBytes(StandardCharsets.UTF_8));
			return cipher;
		}
		finally {
			Arrays.fill(key, (byte) 0);
		}
	}

}
