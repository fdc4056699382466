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
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * Measures version 4 UUIDs, created one by one, as OpenJDK's {@code UUIDBench.randomUUID}
 * does.
 */
public class RandomUuidBenchmark extends UuidBenchmark {

	/** The implementation. */
	@Param
	Implementation implementation = Implementation.JDK;

	private Supplier<UUID> uuids = UUID::randomUUID;

	/** Creates the implementation. */
	@Setup
	public void setUp() {
		this.uuids = this.implementation.factory.get();
	}

	/**
	 * Creates a UUID.
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid() {
		return this.uuids.get();
	}

	/**
	 * Implementations of version 4 UUIDs.
	 */
	public enum Implementation {

		/** The JDK's method. */
		JDK(() -> UUID::randomUUID),

		/** The drop-in: the JDK's method with Uncontended's JCA provider installed. */
		DROP_IN(Implementation::dropIn),

		/** Uncontended's pool with default settings. */
		UNCONTENDED(() -> UuidGenerator.builder().build()::randomUuid),

		/** A thread-local buffer over the pool's generator. */
		THREAD_LOCAL_BUFFER(ThreadLocalUuids::new),

		/** The JDK's method with Amazon's provider first. */
		JDK_WITH_ACCP(() -> {
			AmazonCorrettoCryptoProvider.install();
			return UUID::randomUUID;
		}),

		/** java-uuid-generator. */
		JAVA_UUID_GENERATOR(() -> Generators.randomBasedGenerator()::generate),

		/** uuid-creator over SecureRandom. */
		UUID_CREATOR(() -> UuidCreator::getRandomBased);

		@SuppressWarnings("ImmutableEnumChecker")
		final Supplier<Supplier<UUID>> factory;

		Implementation(Supplier<Supplier<UUID>> factory) {
			this.factory = factory;
		}

		private static Supplier<UUID> dropIn() {
			UncontendedProvider.install();
			if (!UncontendedProvider.isEffective()) {
				throw new IllegalStateException("The provider was installed too late");
			}
			return UUID::randomUUID;
		}

	}

}
