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

import java.util.UUID;
import java.util.function.Supplier;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.RandomBasedGenerator;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;

/**
 * Implementations of version 4 UUIDs.
 */
public enum RandomUuids {

	/** The JDK's method. */
	JDK {
		@Override
		Supplier<UUID> create() {
			return UUID::randomUUID;
		}
	},

	/** The drop-in: the JDK's method with Uncontended's JCA provider installed. */
	DROP_IN {
		@Override
		Supplier<UUID> create() {
			UncontendedProvider.install();
			if (!UncontendedProvider.isEffective()) {
				throw new IllegalStateException("The provider was installed too late");
			}
			return UUID::randomUUID;
		}
	},

	/** Uncontended's pool with default settings. */
	UNCONTENDED {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().build()::randomUuid;
		}
	},

	/** Uncontended's pool with one stripe. */
	UNCONTENDED_ONE_STRIPE {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().stripes(1).build()::randomUuid;
		}
	},

	/** Uncontended's pool over SUN's DRBG. */
	UNCONTENDED_DRBG {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().algorithm("DRBG").build()::randomUuid;
		}
	},

	/** Uncontended's pool over SUN's SHA1PRNG. */
	UNCONTENDED_SHA1PRNG {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().algorithm("SHA1PRNG").build()::randomUuid;
		}
	},

	/** Uncontended's pool over SUN's NativePRNG. */
	UNCONTENDED_NATIVE_PRNG {
		@Override
		Supplier<UUID> create() {
			return UuidGenerator.builder().algorithm("NativePRNG").build()::randomUuid;
		}
	},

	/** The JDK's method with Amazon's provider first. */
	JDK_WITH_ACCP {
		@Override
		Supplier<UUID> create() {
			AmazonCorrettoCryptoProvider.install();
			return UUID::randomUUID;
		}
	},

	/** A thread-local buffer over the pool's generator. */
	THREAD_LOCAL_BUFFER {
		@Override
		Supplier<UUID> create() {
			return new ThreadLocalUuids();
		}
	},

	/** java-uuid-generator. */
	JAVA_UUID_GENERATOR {
		@Override
		Supplier<UUID> create() {
			RandomBasedGenerator generator = Generators.randomBasedGenerator();
			return generator::generate;
		}
	},

	/** uuid-creator over SecureRandom. */
	UUID_CREATOR {
		@Override
		Supplier<UUID> create() {
			return UuidCreator::getRandomBased;
		}
	};

	abstract Supplier<UUID> create();

}
