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

package dev.uncontended.uuid;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.security.DigestException;
import java.security.MessageDigest;
import java.security.ProviderException;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A clone of the prototype with the arrays that a call needs. Whoever leased it owns it.
 */
final class LeasedDigest {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle COUNT;

	static {
		try {
			COUNT = MethodHandles.lookup().findVarHandle(LeasedDigest.class, "count", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	private final MessageDigest digest;

	private final byte[] namespaceBytes = new byte[16];

	private final byte[] hash;

	private long count;

	LeasedDigest(MessageDigest digest) {
		this.digest = digest;
		// A provider need not tell the length; none of the digests used here is longer.
		this.hash = new byte[Math.max(20, digest.getDigestLength())];
	}

	/**
	 * Hashes a name.
	 * @return at least 16 bytes, valid until the next call
	 */
	byte[] hash(@Nullable UUID namespace, byte[] name) {
		if (namespace != null) {
			LONGS.set(this.namespaceBytes, 0, namespace.getMostSignificantBits());
			LONGS.set(this.namespaceBytes, Long.BYTES, namespace.getLeastSignificantBits());
			this.digest.update(this.namespaceBytes);
		}
		this.digest.update(name);
		try {
			this.digest.digest(this.hash, 0, this.hash.length);
		}
		catch (DigestException ex) {
			throw new ProviderException(this.digest.getAlgorithm() + " failed", ex);
		}
		// Only the owner writes; opaque, because statistics are read by others meanwhile.
		COUNT.setOpaque(this, this.count + 1);
		return this.hash;
	}

	/**
	 * Returns the number of names hashed.
	 */
	long count() {
		return (long) COUNT.getOpaque(this);
	}

}
