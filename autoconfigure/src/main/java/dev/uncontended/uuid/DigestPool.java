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
import java.security.NoSuchAlgorithmException;
import java.security.ProviderException;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;

import dev.uncontended.random.internal.Striping;
import org.jspecify.annotations.Nullable;

/**
 * Creates name-based UUIDs with reusable message digests. Thread-safe.
 * <p>
 * A thread's id selects a {@link Place}, which holds at most one digest. The thread
 * leases the place by a compare-and-set of its state from an even number to the next,
 * hashes, and returns the place by setting the next even number. Only the thread in
 * between accesses the digest, and sees what the previous one has written. If the place
 * is leased, the thread hashes with a digest of its own. Digests are cloned from a
 * prototype, which never hashes, or created if that is impossible.
 * <p>
 * A leased digest stays in its place, because storing a reference would also write to the
 * card table of most garbage collectors, where the places share a cache line.
 */
final class DigestPool {

	private final MessageDigest prototype;

	private final Place[] places;

	private final int shift;

	private final int hashLength;

	private final LongAdder clones = new LongAdder();

	/** The number of hashes without a place. */
	private final LongAdder withoutPlace = new LongAdder();

	/**
	 * Creates a pool.
	 * @param prototype a digest whose hashes are at least as long as a UUID
	 * @param places the number of places, rounded up to a power of two
	 */
	DigestPool(MessageDigest prototype, int places) {
		this.prototype = prototype;
		// Not getDigestLength, which digests need not implement.
		this.hashLength = newMessageDigest().digest().length;
		int rounded = Striping.powerOfTwo(places);
		this.shift = Striping.shift(rounded);
		this.places = new Place[rounded];
		Arrays.setAll(this.places, (i) -> new Place());
	}

	UUID nameUuid(int version, @Nullable UUID namespace, byte[] name) {
		Place place = this.places[Striping.probe(this.shift)];
		long state = place.state;
		if ((state & 1) != 0 || !Place.STATE.compareAndSet(place, state, state + 1)) {
			UUID uuid = newDigest().nameUuid(version, namespace, name);
			this.withoutPlace.increment();
			return uuid;
		}
		try {
			Digest digest = place.digest;
			if (digest == null) {
				digest = newDigest();
				place.digest = digest;
			}
			UUID uuid = digest.nameUuid(version, namespace, name);
			Place.STATE.setRelease(place, state + 2);
			return uuid;
		}
		catch (Throwable ex) {
			// A digest must not be reused after an exception. After a stack overflow, a
			// call here could overflow again, and the place would stay leased.
			place.digest = null;
			place.state = state;
			throw ex;
		}
	}

	private Digest newDigest() {
		this.clones.increment();
		return new Digest(newMessageDigest(), this.hashLength);
	}

	private MessageDigest newMessageDigest() {
		try {
			return (MessageDigest) this.prototype.clone();
		}
		catch (CloneNotSupportedException ex) {
			return newInstance();
		}
	}

	private MessageDigest newInstance() {
		try {
			return MessageDigest.getInstance(this.prototype.getAlgorithm(), this.prototype.getProvider());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new ProviderException(
					"Failed to create a message digest: the provider no longer offers " + this.prototype.getAlgorithm(),
					ex);
		}
	}

	NameUuidStats stats() {
		long hashed = this.withoutPlace.sum();
		for (Place place : this.places) {
			hashed += place.state / 2;
		}
		return new NameUuidStats(hashed, this.clones.sum());
	}

	/**
	 * Keeps the fields of adjacent places 128 bytes apart, because processors prefetch
	 * pairs of cache lines. The JVM places the fields of a superclass first, except that
	 * it fills the gap after the object's header, here with the {@code int}.
	 */
	@SuppressWarnings("unused")
	private abstract static class Padding {

		int gap;

		long p0;

		long p1;

		long p2;

		long p3;

		long p4;

		long p5;

		long p6;

		long p7;

		long p8;

		long p9;

		long p10;

		long p11;

		long p12;

		long p13;

		long p14;

	}

	private static final class Place extends Padding {

		static final VarHandle STATE;

		static {
			try {
				STATE = MethodHandles.lookup().findVarHandle(Place.class, "state", long.class);
			}
			catch (ReflectiveOperationException ex) {
				throw new ExceptionInInitializerError(ex);
			}
		}

		/** Twice the number of hashes; odd while leased. */
		volatile long state;

		@Nullable Digest digest;

	}

	private static final class Digest {

		private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

		private final MessageDigest digest;

		/**
		 * The padding in bytes at each end of {@link #scratch}, against false sharing.
		 */
		private static final int ROOM = 128;

		private final int hashLength;

		/** Holds the namespace, and then the hash. */
		private final byte[] scratch;

		Digest(MessageDigest digest, int hashLength) {
			this.digest = digest;
			this.hashLength = hashLength;
			this.scratch = new byte[ROOM + this.hashLength + ROOM];
		}

		UUID nameUuid(int version, @Nullable UUID namespace, byte[] name) {
			try {
				if (namespace != null) {
					LONGS.set(this.scratch, ROOM, namespace.getMostSignificantBits());
					LONGS.set(this.scratch, ROOM + Long.BYTES, namespace.getLeastSignificantBits());
					this.digest.update(this.scratch, ROOM, 2 * Long.BYTES);
				}
				this.digest.update(name);
				this.digest.digest(this.scratch, ROOM, this.hashLength);
				return UuidGenerator.uuid(version, (long) LONGS.get(this.scratch, ROOM),
						(long) LONGS.get(this.scratch, ROOM + Long.BYTES));
			}
			catch (DigestException ex) {
				throw new ProviderException("Failed to hash a name with " + this.digest.getAlgorithm(), ex);
			}
		}

	}

}
