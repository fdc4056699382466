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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

import com.amazon.corretto.crypto.provider.AmazonCorrettoCryptoProvider;
import com.fasterxml.uuid.Generators;
import com.fasterxml.uuid.impl.RandomBasedGenerator;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;

import org.springframework.util.AlternativeJdkIdGenerator;

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

	/** The JDK's method with Amazon's provider first. */
	JDK_WITH_ACCP {
		@Override
		Supplier<UUID> create() {
			AmazonCorrettoCryptoProvider.install();
			return UUID::randomUUID;
		}
	},

	/** A thread-local buffer over AES-256 in counter mode. */
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
	},

	/** uuid-creator over ThreadLocalRandom, not secure. */
	UUID_CREATOR_FAST_INSECURE {
		@Override
		Supplier<UUID> create() {
			return UuidCreator::getRandomBasedFast;
		}
	},

	/** Spring's AlternativeJdkIdGenerator over Random, not secure. */
	SPRING_INSECURE {
		@Override
		Supplier<UUID> create() {
			return new AlternativeJdkIdGenerator()::generateId;
		}
	},

	/** ThreadLocalRandom, not secure: an upper bound of the throughput. */
	THREAD_LOCAL_RANDOM_INSECURE {
		@Override
		Supplier<UUID> create() {
			return () -> {
				ThreadLocalRandom random = ThreadLocalRandom.current();
				return new UUID((random.nextLong() & 0xFFFFFFFFFFFF0FFFL) | 0x4000L,
						(random.nextLong() & 0x3FFFFFFFFFFFFFFFL) | 0x8000000000000000L);
			};
		}
	};

	abstract Supplier<UUID> create();

}
