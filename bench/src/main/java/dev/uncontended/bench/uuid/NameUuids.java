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
import java.util.UUID;

import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.NameBasedGenerator;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.uuid.NameUuidFactory;

/**
 * Implementations of version 3 UUIDs.
 */
public enum NameUuids {

	/** The JDK's method. */
	JDK {
		@Override
		NameUuid create() {
			return UUID::nameUUIDFromBytes;
		}
	},

	/** A digest cloned for each name. */
	CLONE {
		@Override
		NameUuid create() {
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
	},

	/** A thread-local digest. */
	THREAD_LOCAL {
		@Override
		NameUuid create() {
			ThreadLocal<MessageDigest> digests = ThreadLocal.withInitial(NameUuids::md5);
			return (name) -> version3(digests.get().digest(name));
		}
	},

	/** Uncontended's clones of a digest, which threads lease. */
	UNCONTENDED {
		@Override
		NameUuid create() {
			NameUuidFactory factory = NameUuidFactory.md5();
			return factory::nameUuid;
		}
	},

	/** java-uuid-generator. */
	JAVA_UUID_GENERATOR {
		@Override
		NameUuid create() {
			NameBasedGenerator generator = Generators.nameBasedGenerator(null, md5());
			return generator::generate;
		}
	},

	/** uuid-creator. */
	UUID_CREATOR {
		@Override
		NameUuid create() {
			return UuidCreator::getNameBasedMd5;
		}
	};

	abstract NameUuid create();

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

	/** Creates the UUID of a name. */
	@FunctionalInterface
	interface NameUuid {

		UUID of(byte[] name);

	}

}
