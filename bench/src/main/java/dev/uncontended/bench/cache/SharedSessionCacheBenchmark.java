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

import org.jspecify.annotations.Nullable;
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
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Measures a full cache that threads share for seconds: lookups of its sessions, and puts
 * of new sessions, each of which evicts one. Nothing expires.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 2, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 5,
		jvmArgs = { "-Xms3g", "-Xmx3g", "-XX:+UseParallelGC", "--add-opens=java.base/sun.security.util=ALL-UNNAMED" })
public class SharedSessionCacheBenchmark {

	/**
	 * The cache.
	 */
	@Param({ "UNCONTENDED", "CAFFEINE", "CAFFEINE_SAME_THREAD", "JDK" })
	public SessionCacheType type;

	/**
	 * The number of entries, which is also the maximum size.
	 */
	@Param({ "20480", "204800" })
	public int entries;

	private SessionCache cache;

	/**
	 * Fills the cache.
	 */
	@Setup
	public void fill() {
		this.cache = this.type.create(this.entries, Duration.ofDays(1));
		for (SessionKey key : SessionKey.range(0, this.entries)) {
			this.cache.put(key, key);
		}
		this.cache.settle();
	}

	/**
	 * Looks up a session.
	 * @param keys the keys of the thread
	 * @return the session
	 */
	@Benchmark
	public @Nullable Object get(Keys keys) {
		return this.cache.get(keys.next(keys.known));
	}

	/**
	 * Puts a new session.
	 * @param keys the keys of the thread
	 */
	@Benchmark
	public void put(Keys keys) {
		SessionKey key = keys.next(keys.unknown);
		this.cache.put(key, key);
	}

	/**
	 * The keys of a thread.
	 */
	@State(Scope.Thread)
	public static class Keys {

		private SessionKey[] known;

		/**
		 * More than the cache keeps, so that it has evicted a key before its next use.
		 */
		private SessionKey[] unknown;

		private int next;

		/**
		 * Creates the keys.
		 * @param benchmark the benchmark
		 * @param threads the threads
		 */
		@Setup
		public void create(SharedSessionCacheBenchmark benchmark, ThreadParams threads) {
			this.known = SessionKey.range(0, benchmark.entries);
			Collections.shuffle(Arrays.asList(this.known), new Random(threads.getThreadIndex()));
			this.unknown = SessionKey.range((threads.getThreadIndex() + 1L) << 40, 8 * benchmark.entries);
		}

		private SessionKey next(SessionKey[] keys) {
			this.next = (this.next + 1 < keys.length) ? this.next + 1 : 0;
			return keys[this.next];
		}

	}

}
