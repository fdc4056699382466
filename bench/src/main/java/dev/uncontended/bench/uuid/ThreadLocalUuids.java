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

package dev.uncontended.bench.uuid;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Supplier;

import javax.crypto.Cipher;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A baseline: version 4 UUIDs from a thread-local buffer. As in CTR_DRBG, AES-256 in
 * counter mode fills the buffer, with a new key each time. As in the pool, returned bytes
 * are zeroed.
 */
final class ThreadLocalUuids implements Supplier<UUID> {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private final ThreadLocal<Buffer> buffers = ThreadLocal.withInitial(Buffer::new);

	@Override
	public UUID get() {
		return this.buffers.get().next();
	}

	private static final class Buffer {

		private static final byte[] ZEROS = new byte[8192 + 48];

		private final Cipher cipher;

		/** The ids, followed by the next key and counter. */
		private final byte[] bytes = new byte[ZEROS.length];

		private int position = 8192;

		Buffer() {
			try {
				this.cipher = Cipher.getInstance("AES/CTR/NoPadding");
				byte[] seed = new SecureRandom().generateSeed(48);
				System.arraycopy(seed, 0, this.bytes, 8192, seed.length);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private void fill() {
			try {
				this.cipher.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(this.bytes, 8192, 32, "AES"),
						new IvParameterSpec(this.bytes, 8192 + 32, 16));
				this.cipher.doFinal(ZEROS, 0, ZEROS.length, this.bytes, 0);
			}
			catch (GeneralSecurityException ex) {
				throw new IllegalStateException(ex);
			}
		}

		UUID next() {
			if (this.position == 8192) {
				fill();
				this.position = 0;
			}
			int position = this.position;
			long first = (long) LONGS.get(this.bytes, position);
			long second = (long) LONGS.get(this.bytes, position + Long.BYTES);
			LONGS.set(this.bytes, position, 0L);
			LONGS.set(this.bytes, position + Long.BYTES, 0L);
			this.position = position + 2 * Long.BYTES;
			return new UUID((first & 0xFFFFFFFFFFFF0FFFL) | 0x4000L,
					(second & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L);
		}

	}

}
