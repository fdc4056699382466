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
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;

import dev.uncontended.random.internal.Striping;
import org.jspecify.annotations.Nullable;

/**
 * Creates name-based UUIDs with reusable message digests. Thread-safe.
 * <p>
 * A thread's id selects a place, which holds at most one digest. The thread takes the
 * digest from the place, hashes, and puts the digest back. If the place is empty, the
 * thread creates a digest, if possible by cloning a prototype, which never hashes.
 */
final class DigestPool {

	private final MessageDigest prototype;

	private final AtomicReferenceArray<Digest> places;

	private final int shift;

	/** The number of hashes of the threads of each place. */
	private final AtomicLongArray hashed;

	private final int hashLength;

	private final LongAdder clones = new LongAdder();

	/**
	 * Creates a pool.
	 * @param prototype a digest whose hashes are at least as long as a UUID
	 * @param places the number of places, rounded up to a power of two
	 */
	DigestPool(MessageDigest prototype, int places) {
		this.prototype = prototype;
		// Not getDigestLength, which digests need not implement.
		this.hashLength = newDigest().digest().length;
		int rounded = Striping.powerOfTwo(places);
		this.shift = Striping.shift(rounded);
		this.places = new AtomicReferenceArray<>(Striping.length(rounded));
		this.hashed = new AtomicLongArray(Striping.length(rounded));
	}

	UUID nameUuid(int version, @Nullable UUID namespace, byte[] name) {
		int place = Striping.at(Striping.probe(this.shift));
		Digest digest = this.places.getAndSet(place, null);
		if (digest == null) {
			digest = new Digest(newDigest(), this.hashLength);
			this.clones.increment();
		}
		UUID uuid = digest.nameUuid(version, namespace, name);
		// Not in a finally block, because a digest must not be reused after an exception.
		this.places.setRelease(place, digest);
		this.hashed.getAndIncrement(place);
		return uuid;
	}

	private MessageDigest newDigest() {
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
		long hashed = 0;
		for (int i = 0; i < this.hashed.length(); i++) {
			hashed += this.hashed.get(i);
		}
		return new NameUuidStats(hashed, this.clones.sum());
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
