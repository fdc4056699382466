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
 * Compares {@code UuidGenerator.fill} and {@code fillTimeOrdered} with single calls that
 * fill an array of the same size, and with other libraries' version 7 UUIDs. An operation
 * is one UUID. The array is new each time, as for callers that need many ids. With an old
 * array, the garbage collector's write barrier would dominate.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(2)
public class BulkUuidBenchmark {

	private static final int COUNT = 1024;

	private static final UuidGenerator GENERATOR = UuidGenerator.builder().build();

	/**
	 * Fills an array in bulk.
	 * @return the array
	 */
	@Benchmark
	@OperationsPerInvocation(COUNT)
	public UUID[] fill() {
		UUID[] uuids = new UUID[COUNT];
		GENERATOR.fill(uuids);
		return uuids;
	}

	/**
	 * Fills an array by single calls.
	 * @return the array
	 */
	@Benchmark
	@OperationsPerInvocation(COUNT)
	public UUID[] single() {
		UUID[] uuids = new UUID[COUNT];
		for (int i = 0; i < COUNT; i++) {
			uuids[i] = GENERATOR.randomUuid();
		}
		return uuids;
	}

	/**
	 * Fills an array with version 7 UUIDs in bulk.
	 * @return the array
	 */
	@Benchmark
	@OperationsPerInvocation(COUNT)
	public UUID[] fillTimeOrdered() {
		UUID[] uuids = new UUID[COUNT];
		GENERATOR.fillTimeOrdered(uuids);
		return uuids;
	}

	/**
	 * Fills an array with version 7 UUIDs by single calls.
	 * @param library creates the UUIDs
	 * @return the array
	 */
	@Benchmark
	@OperationsPerInvocation(COUNT)
	public UUID[] singleTimeOrdered(Library library) {
		UUID[] uuids = new UUID[COUNT];
		for (int i = 0; i < COUNT; i++) {
			uuids[i] = library.uuids.get();
		}
		return uuids;
	}

	/** A source of version 7 UUIDs. */
	@State(Scope.Benchmark)
	public static class Library {

		/** The implementation. */
		@Param({ "UNCONTENDED", "JAVA_UUID_GENERATOR_RANDOM", "UUID_CREATOR", "UUID_CREATOR_PLUS_1" })
		TimeOrderedUuids implementation = TimeOrderedUuids.UNCONTENDED;

		private Supplier<UUID> uuids = UUID::randomUUID;

		/** Creates the implementation. */
		@Setup
		public void setUp() {
			this.uuids = this.implementation.create();
		}

	}

}
