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

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;
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

/**
 * Measures the operations of the JDK's {@code CacheBench} on a full cache, and
 * {@link #putNew}, the operation of each full handshake.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init")
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(value = 1, jvmArgsAppend = { "--add-exports=java.base/sun.security.util=ALL-UNNAMED", "-Xms2g", "-Xmx2g",
		"-XX:+AlwaysPreTouch" })
public class SessionCacheBenchmark {

	/**
	 * The cache.
	 */
	@Param
	public SessionCacheType type;

	/**
	 * The number of sessions, which is also the maximum size.
	 */
	@Param({ "20480", "204800", "5120000" })
	public int size;

	/**
	 * The timeout in seconds; 0 means no limit.
	 */
	@Param({ "86400", "0" })
	public int timeout;

	private SessionCache cache;

	private SessionKey[] keys;

	/**
	 * Fills the cache and shuffles the keys.
	 */
	@Setup
	public void fill() {
		this.cache = this.type.create(this.size, this.timeout);
		this.keys = SessionKey.range(0, this.size);
		for (SessionKey key : this.keys) {
			this.cache.put(key, key);
		}
		this.cache.settle();
		Collections.shuffle(Arrays.asList(this.keys), new Random(42));
	}

	@Benchmark
	public @Nullable Object get(Cursor cursor) {
		return this.cache.get(cursor.next(this.keys));
	}

	/**
	 * Puts a known session again.
	 */
	@Benchmark
	public void put(Cursor cursor) {
		SessionKey key = cursor.next(this.keys);
		this.cache.put(key, key);
	}

	/**
	 * Puts a new session.
	 */
	@Benchmark
	public void putNew(Cursor cursor) {
		SessionKey key = cursor.fresh();
		this.cache.put(key, key);
	}

	/**
	 * Removes a session and puts it back.
	 */
	@Benchmark
	public void remove(Cursor cursor) {
		SessionKey key = cursor.next(this.keys);
		this.cache.remove(key);
		this.cache.put(key, key);
	}

	/**
	 * A thread's position in the keys.
	 */
	@State(Scope.Thread)
	public static class Cursor {

		private int next = ThreadLocalRandom.current().nextInt(1 << 20);

		private long fresh = ThreadLocalRandom.current().nextLong(1L << 40, 1L << 62);

		SessionKey next(SessionKey[] keys) {
			if (this.next >= keys.length) {
				this.next = 0;
			}
			return keys[this.next++];
		}

		SessionKey fresh() {
			return new SessionKey(this.fresh++);
		}

	}

}
