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

import com.fasterxml.uuid.Generators;
import com.github.f4b6a3.uuid.UuidCreator;
import dev.uncontended.uuid.UuidGenerator;
import io.github.robsonkades.uuidv7.UUIDv7;
import org.hibernate.id.uuid.UuidVersion7Strategy;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Measures version 7 UUIDs, created one by one and in bulk.
 */
public class TimeOrderedUuidBenchmark extends UuidBenchmark {

	private static final int COUNT = 1024;

	private final UuidGenerator generator = UuidGenerator.builder().build();

	/**
	 * Creates a UUID.
	 * @param library creates the UUID
	 * @return the UUID
	 */
	@Benchmark
	public UUID timeOrderedUuid(Library library) {
		return library.uuids.get();
	}

	/**
	 * Creates UUIDs in bulk. The array is new each time, as for callers that need many
	 * ids. With an old array, the garbage collector's write barrier would dominate.
	 * @return the UUIDs
	 */
	@Benchmark
	@OperationsPerInvocation(COUNT)
	public UUID[] fillTimeOrdered() {
		UUID[] uuids = new UUID[COUNT];
		this.generator.fillTimeOrdered(uuids);
		return uuids;
	}

	/** A source of version 7 UUIDs. */
	@State(Scope.Benchmark)
	public static class Library {

		/** The implementation. */
		@Param
		Implementation implementation = Implementation.UNCONTENDED;

		private Supplier<UUID> uuids = UUID::randomUUID;

		/** Creates the implementation. */
		@Setup
		public void setUp() {
			this.uuids = this.implementation.factory.get();
		}

	}

	/**
	 * Implementations of version 7 UUIDs.
	 */
	public enum Implementation {

		/** Uncontended's pool with default settings. */
		UNCONTENDED(() -> UuidGenerator.builder().build()::timeOrderedUuid),

		/** java-uuid-generator, which counts by one within a millisecond. */
		JAVA_UUID_GENERATOR(() -> Generators.timeBasedEpochGenerator()::generate),

		/** java-uuid-generator, with new random bits for each UUID. */
		JAVA_UUID_GENERATOR_RANDOM(() -> Generators.timeBasedEpochRandomGenerator()::generate),

		/** uuid-creator. */
		UUID_CREATOR(() -> UuidCreator::getTimeOrderedEpoch),

		/** uuid-creator, which counts by one within a millisecond: no bits are new. */
		UUID_CREATOR_PLUS_1(() -> UuidCreator::getTimeOrderedEpochPlus1),

		/** uuid-creator over ThreadLocalRandom, not secure. */
		UUID_CREATOR_FAST_INSECURE(() -> UuidCreator::getTimeOrderedEpochFast),

		/** uuidv7, which adds a secure random number within a millisecond. */
		UUIDV7_SECURE(() -> UUIDv7::secureRandomUUID),

		/** uuidv7, which adds a step without secure bits within a millisecond. */
		UUIDV7_INSECURE(() -> UUIDv7::randomUUID),

		/** Hibernate's {@code @UuidGenerator(style = VERSION_7)}. */
		HIBERNATE(() -> () -> UuidVersion7Strategy.INSTANCE.generateUuid(null));

		@SuppressWarnings("ImmutableEnumChecker")
		private final Supplier<Supplier<UUID>> factory;

		Implementation(Supplier<Supplier<UUID>> factory) {
			this.factory = factory;
		}

	}

}
