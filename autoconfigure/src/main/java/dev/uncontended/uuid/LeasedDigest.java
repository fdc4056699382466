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
 * A place for a clone of the prototype, with the arrays that a call needs. The thread
 * that leased it owns all its fields until it releases it.
 */
final class LeasedDigest {

	/** Bytes that are on other cache lines than what is next to them. */
	private static final int ROOM = 128;

	private static final int NAMESPACE = ROOM;

	private static final int NAMESPACE_LENGTH = 16;

	private static final int HASH = NAMESPACE + NAMESPACE_LENGTH;

	/** A provider need not tell the length; none of the digests used here is longer. */
	private static final int HASH_LENGTH = 20;

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

	/**
	 * Never used, but in between: so that the arrays inside the digests of two places are
	 * not on the same cache line, wherever the collector moves them.
	 */
	@SuppressWarnings("unused")
	private @Nullable MessageDigest spacer;

	/** What goes into the digest and comes out of it, with room before and after. */
	private final byte[] scratch = new byte[HASH + HASH_LENGTH + ROOM];

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

	void keepApart(MessageDigest spacer) {
		this.spacer = spacer;
	}

	/**
	 * Hashes a name. A digest that fails is thrown away, with what it took in.
	 */
	void hash(@Nullable UUID namespace, byte[] name) {
		MessageDigest digest = Objects.requireNonNull(this.digest);
		byte[] scratch = this.scratch;
		try {
			if (namespace != null) {
				LONGS.set(scratch, NAMESPACE, namespace.getMostSignificantBits());
				LONGS.set(scratch, NAMESPACE + Long.BYTES, namespace.getLeastSignificantBits());
				digest.update(scratch, NAMESPACE, NAMESPACE_LENGTH);
			}
			digest.update(name);
			digest.digest(scratch, HASH, HASH_LENGTH);
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
	}

	/**
	 * Returns the first eight bytes of the last hash.
	 */
	long mostSignificantBits() {
		return (long) LONGS.get(this.scratch, HASH);
	}

	/**
	 * Returns the eight bytes after those.
	 */
	long leastSignificantBits() {
		return (long) LONGS.get(this.scratch, HASH + Long.BYTES);
	}

	/**
	 * Returns the number of names hashed.
	 */
	long count() {
		return (long) COUNT.getOpaque(this);
	}

}
