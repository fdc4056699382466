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

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static dev.uncontended.tls.wire.Encoding.ascii;
import static dev.uncontended.tls.wire.Encoding.bytes;
import static dev.uncontended.tls.wire.Encoding.concat;
import static dev.uncontended.tls.wire.Encoding.uint16s;
import static dev.uncontended.tls.wire.Encoding.vector8;

/**
 * Key derivation with SHA-256: HKDF as TLS 1.3 uses it (RFC 9846 section 7.1), and the
 * pseudorandom function of TLS 1.2 (RFC 5246 section 5).
 */
final class KeyDerivation {

	private KeyDerivation() {
	}

	static byte[] sha256(byte[] data) throws GeneralSecurityException {
		return MessageDigest.getInstance("SHA-256").digest(data);
	}

	static byte[] hmac(byte[] key, byte[]... data) throws GeneralSecurityException {
		Mac mac = Mac.getInstance("HmacSHA256");
		mac.init(new SecretKeySpec(key, "HmacSHA256"));
		return mac.doFinal(concat(data));
	}

	static byte[] expandLabel(byte[] secret, String label, byte[] context, int length) throws GeneralSecurityException {
		byte[] info = concat(uint16s(length), vector8(ascii("tls13 " + label)), vector8(context));
		return Arrays.copyOf(hmac(secret, info, bytes(1)), length);
	}

	static byte[] prf(byte[] secret, String label, byte[] seed, int length) throws GeneralSecurityException {
		byte[] labelAndSeed = concat(ascii(label), seed);
		byte[] a = labelAndSeed;
		byte[] output = {};
		while (output.length < length) {
			a = hmac(secret, a);
			output = concat(output, hmac(secret, a, labelAndSeed));
		}
		return Arrays.copyOf(output, length);
	}

}
