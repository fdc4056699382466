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

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;

import javax.crypto.Cipher;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

import static dev.uncontended.tls.wire.Encoding.bytes;
import static dev.uncontended.tls.wire.Encoding.concat;
import static dev.uncontended.tls.wire.Encoding.uint16s;
import static dev.uncontended.tls.wire.Encoding.vector16;

/**
 * AES-128-GCM for the records of one direction.
 */
final class RecordProtection {

	private final boolean tls13;

	private final SecretKeySpec key;

	private final byte[] iv;

	private long sequence;

	RecordProtection(boolean tls13, byte[] key, byte[] iv) {
		this.tls13 = tls13;
		this.key = new SecretKeySpec(key, "AES");
		this.iv = iv;
	}

	static RecordProtection ofSecret(byte[] secret) throws GeneralSecurityException {
		return new RecordProtection(true, KeyDerivation.expandLabel(secret, "key", bytes(), 16),
				KeyDerivation.expandLabel(secret, "iv", bytes(), 12));
	}

	/**
	 * Returns the record.
	 */
	byte[] seal(int type, byte[] content, int padding) throws GeneralSecurityException {
		if (this.tls13) {
			byte[] header = concat(bytes(23, 3, 3), uint16s(content.length + 1 + padding + 16));
			byte[] sealed = crypt(Cipher.ENCRYPT_MODE, nonce(), header,
					concat(content, bytes(type), new byte[padding]));
			return concat(header, sealed);
		}
		byte[] explicit = number();
		byte[] additional = concat(explicit, bytes(type, 3, 3), uint16s(content.length));
		byte[] sealed = crypt(Cipher.ENCRYPT_MODE, concat(this.iv, explicit), additional, content);
		return concat(bytes(type, 3, 3), vector16(explicit, sealed));
	}

	/**
	 * Returns the content, followed by its type.
	 */
	byte[] open(byte[] header, byte[] sealed) throws GeneralSecurityException {
		if (this.tls13) {
			byte[] content = crypt(Cipher.DECRYPT_MODE, nonce(), header, sealed);
			int end = content.length;
			while (content[end - 1] == 0) {
				end--;
			}
			return Arrays.copyOf(content, end);
		}
		byte[] additional = concat(number(), bytes(header[0], 3, 3), uint16s(sealed.length - 24));
		byte[] content = crypt(Cipher.DECRYPT_MODE, concat(this.iv, Arrays.copyOf(sealed, 8)), additional,
				Arrays.copyOfRange(sealed, 8, sealed.length));
		return concat(content, bytes(header[0]));
	}

	private byte[] number() {
		return ByteBuffer.allocate(8).putLong(this.sequence++).array();
	}

	private byte[] nonce() {
		byte[] nonce = this.iv.clone();
		byte[] number = number();
		for (int i = 0; i < 8; i++) {
			nonce[4 + i] ^= number[i];
		}
		return nonce;
	}

	private byte[] crypt(int mode, byte[] nonce, byte[] additional, byte[] input) throws GeneralSecurityException {
		Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
		cipher.init(mode, this.key, new GCMParameterSpec(128, nonce));
		cipher.updateAAD(additional);
		return cipher.doFinal(input);
	}

}
