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

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures version 4 UUIDs for each algorithm and number of stripes, as discussed in
 * OpenJDK's pull request 14135. JMH's option {@code -t} sets the number of threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 4, time = 1)
@Fork(1)
public class AlgorithmBenchmark {

	/** The algorithm of the generator, or the drop-in. */
	@Param({ "CTR_DRBG", "DRBG", "SHA1PRNG", "NativePRNG", "drop-in" })
	String algorithm = "CTR_DRBG";

	/** The number of stripes. */
	@Param({ "1", "2", "8", "16", "32" })
	int stripes = 1;

	private Supplier<UUID> uuids = UUID::randomUUID;

	/** Creates the generator. */
	@Setup
	public void setUp() {
		if (this.algorithm.equals("drop-in")) {
			UncontendedProvider.install(this.stripes, 8192, Duration.ofHours(1));
			if (!UncontendedProvider.isEffective()) {
				throw new IllegalStateException("The provider was installed too late");
			}
		}
		else {
			this.uuids = UuidGenerator.builder().algorithm(this.algorithm).stripes(this.stripes).build()::randomUuid;
		}
	}

	/**
	 * Creates a UUID.
	 * @return the UUID
	 */
	@Benchmark
	public UUID randomUuid() {
		return this.uuids.get();
	}

}
