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

package dev.uncontended.tls;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * SipHash-2-4 (Aumasson and Bernstein, INDOCRYPT 2012): a hash for tables with keys that
 * a stranger may choose. Without the secret a stranger cannot find inputs that collide.
 */
final class SipHash {

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final long k0;

	private final long k1;

	SipHash(long k0, long k1) {
		this.k0 = k0;
		this.k1 = k1;
	}

	static SipHash withRandomKey() {
		SecureRandom random = new SecureRandom();
		return new SipHash(random.nextLong(), random.nextLong());
	}

	long hash(byte[] input) {
		long v0 = this.k0 ^ 0x736f6d6570736575L;
		long v1 = this.k1 ^ 0x646f72616e646f6dL;
		long v2 = this.k0 ^ 0x6c7967656e657261L;
		long v3 = this.k1 ^ 0x7465646279746573L;
		int words = input.length / Long.BYTES;
		// One round for each word, the last of which holds the rest and the length;
		// each takes two SipRounds. Then one of four finishes.
		for (int i = 0; i <= words + 1; i++) {
			long m = (i < words) ? (long) LONG.get(input, i * Long.BYTES) : (i == words) ? lastWord(input) : 0;
			v3 ^= m;
			if (i > words) {
				v2 ^= 0xff;
			}
			for (int round = (i > words) ? 4 : 2; round > 0; round--) {
				v0 += v1;
				v2 += v3;
				v1 = Long.rotateLeft(v1, 13) ^ v0;
				v3 = Long.rotateLeft(v3, 16) ^ v2;
				v0 = Long.rotateLeft(v0, 32);
				v2 += v1;
				v0 += v3;
				v1 = Long.rotateLeft(v1, 17) ^ v2;
				v3 = Long.rotateLeft(v3, 21) ^ v0;
				v2 = Long.rotateLeft(v2, 32);
			}
			v0 ^= m;
		}
		return v0 ^ v1 ^ v2 ^ v3;
	}

	private static long lastWord(byte[] input) {
		long word = (long) input.length << 56;
		int whole = input.length & -Long.BYTES;
		for (int i = whole; i < input.length; i++) {
			word |= (input[i] & 0xffL) << ((i - whole) * Byte.SIZE);
		}
		return word;
	}

}
