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

package dev.uncontended.bench.cache;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures the operations of the JDK's {@code CacheBench} on a full cache, a part of
 * which has expired, as requested in the review of JDK-8259886.
 * <p>
 * Operations change the part that has expired, so each batch of operations gets a new
 * cache. An iteration in the mode {@link Mode#SingleShotTime} is one batch of one thread.
 * A JVM loads one implementation.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5)
@Measurement(iterations = 20)
@Fork(value = 5,
		jvmArgs = { "-Xms3g", "-Xmx3g", "-XX:+UseParallelGC", "--add-opens=java.base/sun.security.util=ALL-UNNAMED" })
public class SessionCacheBenchmark {

	/** The operations of a batch. */
	private static final int BATCH = 2048;

	private static final int SMALL = 20_480;

	private static final Duration TIMEOUT = Duration.ofDays(1);

	/**
	 * The cache.
	 */
	@Param
	public SessionCacheType type;

	/**
	 * The number of entries, which is also the maximum size.
	 */
	@Param({ "20480", "204800" })
	public int entries;

	/**
	 * The part of the entries that has expired.
	 */
	@Param({ "0", "1/10", "1/4", "1/3", "1/2" })
	public String expired;

	private SessionCache cache;

	private SessionKey[] keys;

	private SessionKey[] knownKeys;

	private SessionKey[] newKeys;

	/**
	 * Creates the keys, and compiles the operations with a small cache, because filling a
	 * large one takes seconds.
	 * @param blackhole consumes the values
	 */
	@Setup
	public void warmUp(Blackhole blackhole) {
		this.newKeys = SessionKey.range(1L << 40, BATCH);
		int measured = this.entries;
		this.entries = SMALL;
		createKeys();
		for (int i = 0; i < 20; i++) {
			fill();
			get(blackhole);
			remove();
			fill();
			put();
		}
		this.entries = measured;
		createKeys();
	}

	private void createKeys() {
		this.keys = SessionKey.range(0, this.entries);
		this.knownKeys = this.keys.clone();
		Collections.shuffle(Arrays.asList(this.knownKeys), new Random(42));
	}

	/**
	 * Fills a new cache.
	 */
	@Setup(Level.Iteration)
	public void fill() {
		int first = this.expired.startsWith("1/") ? this.entries / Integer.parseInt(this.expired.substring(2)) : 0;
		this.cache = this.type.create(this.entries, TIMEOUT);
		put(0, first);
		this.cache.advance(TIMEOUT.dividedBy(2));
		put(first, this.entries);
		this.cache.advance(TIMEOUT.dividedBy(2));
	}

	private void put(int from, int to) {
		for (int i = from; i < to; i++) {
			this.cache.put(this.keys[i], this.keys[i]);
		}
		this.cache.settle();
	}

	/**
	 * Looks up sessions.
	 * @param blackhole consumes the values
	 */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public void get(Blackhole blackhole) {
		for (int i = 0; i < BATCH; i++) {
			blackhole.consume(this.cache.get(this.knownKeys[i]));
		}
	}

	/**
	 * Puts new sessions, as each full handshake does.
	 */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public void put() {
		for (int i = 0; i < BATCH; i++) {
			this.cache.put(this.newKeys[i], this.newKeys[i]);
		}
	}

	/**
	 * Removes sessions.
	 */
	@Benchmark
	@OperationsPerInvocation(BATCH)
	public void remove() {
		for (int i = 0; i < BATCH; i++) {
			this.cache.remove(this.knownKeys[i]);
		}
	}

}
