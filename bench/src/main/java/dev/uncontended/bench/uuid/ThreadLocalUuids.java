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
import java.util.UUID;
import java.util.function.Supplier;

import dev.uncontended.random.prng.CtrDrbg;
import dev.uncontended.random.prng.OperatingSystemSeedSource;

/**
 * A baseline: version 4 UUIDs from a thread-local buffer, which the pool's generator
 * fills. As in the pool, returned bytes are zeroed.
 */
final class ThreadLocalUuids implements Supplier<UUID> {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

	private final ThreadLocal<Buffer> buffers = ThreadLocal.withInitial(Buffer::new);

	@Override
	public UUID get() {
		return this.buffers.get().next();
	}

	private static final class Buffer {

		private final CtrDrbg drbg = new CtrDrbg(OperatingSystemSeedSource.INSTANCE);

		private final byte[] bytes = new byte[8192];

		private int position = this.bytes.length;

		UUID next() {
			if (this.position == this.bytes.length) {
				this.drbg.nextBytes(this.bytes);
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
