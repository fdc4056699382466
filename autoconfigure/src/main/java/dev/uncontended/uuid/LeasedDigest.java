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
import java.util.Objects;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * A place for a clone of the prototype, with the arrays that a call needs. Whoever leased
 * it owns all its fields until it is released.
 */
final class LeasedDigest {

	private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

	private static final VarHandle LEASED;

	private static final VarHandle COUNT;

	static {
		try {
			LEASED = MethodHandles.lookup().findVarHandle(LeasedDigest.class, "leased", boolean.class);
			COUNT = MethodHandles.lookup().findVarHandle(LeasedDigest.class, "count", long.class);
		}
		catch (ReflectiveOperationException ex) {
			throw new ExceptionInInitializerError(ex);
		}
	}

	/**
	 * Keeps the fields of two leases on different cache lines: longs are laid out first.
	 */
	@SuppressWarnings("unused")
	private long p00, p01, p02, p03, p04, p05, p06, p07, p08, p09, p10, p11, p12, p13, p14, p15;

	private long count;

	private boolean leased;

	/** Whether the pool keeps this after the call. */
	final boolean kept;

	private @Nullable MessageDigest digest;

	private final byte[] namespaceBytes = new byte[16];

	/** A provider need not tell the length; none of the digests used here is longer. */
	private final byte[] hash = new byte[20];

	LeasedDigest(boolean kept) {
		this.kept = kept;
	}

	/**
	 * Leases this if it is free. The acquire sees what the release of the last owner
	 * wrote.
	 */
	boolean tryLease() {
		return !(boolean) LEASED.getOpaque(this) && LEASED.compareAndSet(this, false, true);
	}

	void release() {
		LEASED.setRelease(this, false);
	}

	boolean isEmpty() {
		return this.digest == null;
	}

	void put(MessageDigest digest) {
		this.digest = digest;
	}

	/**
	 * Hashes a name. A digest that fails is thrown away, with what it took in.
	 * @return at least 16 bytes, valid until the next call
	 */
	byte[] hash(@Nullable UUID namespace, byte[] name) {
		MessageDigest digest = Objects.requireNonNull(this.digest);
		try {
			if (namespace != null) {
				LONGS.set(this.namespaceBytes, 0, namespace.getMostSignificantBits());
				LONGS.set(this.namespaceBytes, Long.BYTES, namespace.getLeastSignificantBits());
				digest.update(this.namespaceBytes);
			}
			digest.update(name);
			digest.digest(this.hash, 0, this.hash.length);
		}
		catch (DigestException ex) {
			this.digest = null;
			throw new ProviderException(digest.getAlgorithm() + " failed", ex);
		}
		catch (Throwable ex) {
			this.digest = null;
			throw ex;
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
