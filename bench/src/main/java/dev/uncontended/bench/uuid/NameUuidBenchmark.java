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

import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

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
 * Measures version 3 UUIDs of 16-byte names, as OpenJDK's
 * {@code UUIDBench.fromType3Bytes} does. JMH's option {@code -t} sets the number of
 * threads.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 5, jvmArgs = { "-Xms1g", "-Xmx1g", "-XX:+UseParallelGC" })
public class NameUuidBenchmark {

	private static final int NAMES = 1 << 12;

	/** The implementation. */
	@Param
	NameUuids implementation = NameUuids.JDK;

	private NameUuids.NameUuid uuids = NameUuids.JDK.create();

	private final byte[][] names = new byte[NAMES][16];

	/** Creates the implementation and the names. */
	@Setup
	public void setUp() {
		this.uuids = this.implementation.create();
		Random random = new Random(42);
		for (int i = 0; i < NAMES; i++) {
			random.nextBytes(this.names[i]);
		}
	}

	/**
	 * Creates the UUID of 16 bytes.
	 * @param cursor the position of the name
	 * @return the UUID
	 */
	@Benchmark
	public UUID fromType3Bytes(Cursor cursor) {
		return this.uuids.of(this.names[cursor.next()]);
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

}
