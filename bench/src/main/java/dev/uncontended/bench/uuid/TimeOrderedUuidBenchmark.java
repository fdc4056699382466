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
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.uncontended.uuid.UuidGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures version 7 UUIDs, created one by one and in bulk. JMH's option {@code -t} sets
 * the number of threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 5, jvmArgs = { "-Xms1g", "-Xmx1g", "-XX:+UseParallelGC" })
public class TimeOrderedUuidBenchmark {

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
		@Param({ "UNCONTENDED", "JAVA_UUID_GENERATOR", "JAVA_UUID_GENERATOR_RANDOM", "UUID_CREATOR",
				"UUID_CREATOR_PLUS_1", "UUID_CREATOR_FAST_INSECURE", "UUIDV7_SECURE", "UUIDV7_INSECURE", "HIBERNATE" })
		TimeOrderedUuids implementation = TimeOrderedUuids.UNCONTENDED;

		private Supplier<UUID> uuids = UUID::randomUUID;

		/** Creates the implementation. */
		@Setup
		public void setUp() {
			this.uuids = this.implementation.create();
		}

	}

}
