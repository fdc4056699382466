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

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Random;
import java.util.UUID;
import java.util.function.Function;
import java.util.function.Supplier;

import com.fasterxml.uuid.Generators;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.uuid.NameUuidFactory;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures version 3 UUIDs of 16-byte names, as OpenJDK's
 * {@code UUIDBench.fromType3Bytes} does.
 */
public class NameUuidBenchmark extends UuidBenchmark {

	private static final int NAMES = 1 << 12;

	/** The implementation. */
	@Param
	Implementation implementation = Implementation.JDK;

	private Function<byte[], UUID> uuids = UUID::nameUUIDFromBytes;

	private final byte[][] names = new byte[NAMES][16];

	/** Creates the implementation and the names. */
	@Setup
	public void setUp() {
		this.uuids = this.implementation.factory.get();
		Random random = new Random(42);
		for (byte[] name : this.names) {
			random.nextBytes(name);
		}
	}

	/**
	 * Creates the UUID of 16 bytes.
	 * @param cursor the position of the name
	 * @return the UUID
	 */
	@Benchmark
	public UUID fromType3Bytes(Cursor cursor) {
		return this.uuids.apply(this.names[cursor.next()]);
	}

	/** A thread's position in the names. */
	@State(Scope.Thread)
	public static class Cursor {

		private int position;

		int next() {
			this.position = (this.position + 1) & (NAMES - 1);
			return this.position;
		}

	}

	/**
	 * Implementations of version 3 UUIDs.
	 */
	public enum Implementation {

		/** The JDK's method. */
		JDK(() -> UUID::nameUUIDFromBytes),

		/** A digest cloned for each name. */
		CLONE(Implementation::cloned),

		/** A thread-local digest. */
		THREAD_LOCAL(() -> {
			ThreadLocal<MessageDigest> digests = ThreadLocal.withInitial(Implementation::md5);
			return (name) -> version3(digests.get().digest(name));
		}),

		/** Uncontended's clones of a digest, which threads lease. */
		UNCONTENDED(() -> NameUuidFactory.md5()::nameUuid),

		/** java-uuid-generator, with one synchronized digest. */
		JAVA_UUID_GENERATOR(() -> Generators.nameBasedGenerator(null, md5())::generate),

		/** uuid-creator. */
		UUID_CREATOR(() -> UuidCreator::getNameBasedMd5);

		@SuppressWarnings("ImmutableEnumChecker")
		private final Supplier<Function<byte[], UUID>> factory;

		Implementation(Supplier<Function<byte[], UUID>> factory) {
			this.factory = factory;
		}

		private static Function<byte[], UUID> cloned() {
			MessageDigest prototype = md5();
			return (name) -> {
				try {
					return version3(((MessageDigest) prototype.clone()).digest(name));
				}
				catch (CloneNotSupportedException ex) {
					throw new IllegalStateException(ex);
				}
			};
		}

		private static MessageDigest md5() {
			try {
				return MessageDigest.getInstance("MD5");
			}
			catch (NoSuchAlgorithmException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static UUID version3(byte[] hash) {
			ByteBuffer buffer = ByteBuffer.wrap(hash);
			return new UUID((buffer.getLong() & 0xFFFFFFFFFFFF0FFFL) | 0x3000L,
					(buffer.getLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L);
		}

	}

}
