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


package dev.uncontended.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IIII_Result;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Races on a {@link LazyExpiryCache}. In results, 0 means no value.
 */
class LazyExpiryCacheStress {

	private static final int TIMEOUT = 10;

	private static int orZero(@Nullable Integer value) {
		return (value != null) ? value : 0;
	}

	private static LazyExpiryCache<Integer, Integer> cache(int maximumSize, LongSupplier ticker) {
		return LazyExpiryCache.<Integer, Integer>builder()
			.maximumSize(maximumSize)
			.expireAfterWrite(Duration.ofNanos(TIMEOUT))
			.ticker(ticker)
			.build();
	}

	private static long drift(LazyExpiryCache<?, ?> cache) {
		LazyExpiryCache.Stats stats = cache.stats();
		return stats.puts() - stats.evictions() - stats.expirations() - stats.invalidations() - stats.replacements()
				- stats.size();
	}

	@JCStressTest
	@Outcome(id = { "0, 0", "0, 1", "1, 1" }, expect = Expect.ACCEPTABLE, desc = "In the order of the reads")
	@Outcome(expect = Expect.FORBIDDEN, desc = "What was read is gone again")
	@State
	public static class PutAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		@Actor
		public void put() {
			this.cache.put(1, 1);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 1", "1, 2", "2, 2" }, expect = Expect.ACCEPTABLE, desc = "The old value, then the new one")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A gap, or the old value after the new one")
	@State
	public static class ReplaceAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public ReplaceAndGet() {
			this.cache.put(1, 1);
			this.cache.put(17, 17);
		}

		@Actor
		public void put() {
			this.cache.put(1, 2);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 1", "1, 0", "0, 0" }, expect = Expect.ACCEPTABLE, desc = "Once gone, gone")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A removed entry came back")
	@State
	public static class RemoveAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public RemoveAndGet() {
			this.cache.put(1, 1);
		}

		@Actor
		public void remove() {
			this.cache.remove(1);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 0, 0", "0, 1, 0" }, expect = Expect.ACCEPTABLE, desc = "One of them removed it")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Both did, or neither, or the size has drifted")
	@State
	public static class RemoveTwice {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public RemoveTwice() {
			this.cache.put(1, 1);
		}

		@Actor
		public void one(III_Result result) {
			result.r1 = orZero(this.cache.remove(1));
		}

		@Actor
		public void other(III_Result result) {
			result.r2 = orZero(this.cache.remove(1));
		}

		@Arbiter
		public void arbiter(III_Result result) {
			result.r3 = (int) (this.cache.stats().size() + drift(this.cache));
		}

	}

	@JCStressTest
	@Outcome(id = { "0, 1, 2, 0", "2, 0, 1, 0" }, expect = Expect.ACCEPTABLE, desc = "One after the other")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A put was lost, or the size has drifted")
	@State
	public static class PutTwice {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		@Actor
		public void one(IIII_Result result) {
			result.r1 = orZero(this.cache.put(1, 1));
		}

		@Actor
		public void other(IIII_Result result) {
			result.r2 = orZero(this.cache.put(1, 2));
		}

		@Arbiter
		public void arbiter(IIII_Result result) {
			result.r3 = orZero(this.cache.get(1));
			result.r4 = (int) (this.cache.stats().size() - 1 + drift(this.cache));
		}

	}

	/**
	 * Two puts while the cache has room for one entry.
	 */
	@JCStressTest
	@Outcome(id = "2, 0", expect = Expect.ACCEPTABLE, desc = "Full")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Over the bound, below it, or the size has drifted")
	@State
	public static class PutIntoTheLastPlace {

		private final LazyExpiryCache<Integer, Integer> cache = cache(2, () -> 0);

		public PutIntoTheLastPlace() {
			this.cache.put(1, 1);
		}

		@Actor
		public void one() {
			this.cache.put(2, 2);
		}

		@Actor
		public void other() {
			this.cache.put(3, 3);
		}

		@Arbiter
		public void arbiter(II_Result result) {
			int[] held = new int[1];
			this.cache.forEach((key, value) -> held[0]++);
			result.r1 = held[0];
			result.r2 = (int) (this.cache.stats().size() - held[0] + drift(this.cache));
		}

	}

	/**
	 * The maximum size is lowered while two entries are put.
	 */
	@JCStressTest
	@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "Full")
	@Outcome(expect = Expect.FORBIDDEN, desc = "Over the bound, below it, or the size has drifted")
	@State
	public static class PutWhileTheBoundFalls {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public PutWhileTheBoundFalls() {
			this.cache.put(3, 3);
		}

		@Actor
		public void put() {
			this.cache.put(1, 1);
			this.cache.put(2, 2);
		}

		@Actor
		public void fall() {
			this.cache.setMaximumSize(1);
		}

		@Arbiter
		public void arbiter(II_Result result) {
			result.r1 = (int) this.cache.stats().size();
			result.r2 = (int) drift(this.cache);
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 2, 0", "0, 2, 0" }, expect = Expect.ACCEPTABLE, desc = "Evicted sooner or later")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The new entry is not there, or the evicted one is")
	@State
	public static class EvictAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(1, () -> 0);

		public EvictAndGet() {
			this.cache.put(1, 1);
		}

		@Actor
		public void put() {
			this.cache.put(2, 2);
		}

		@Actor
		public void get(III_Result result) {
			result.r1 = orZero(this.cache.get(1));
		}

		@Arbiter
		public void arbiter(III_Result result) {
			result.r2 = orZero(this.cache.get(2));
			result.r3 = orZero(this.cache.get(1)) + (int) drift(this.cache);
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 1", "1, 0", "0, 0" }, expect = Expect.ACCEPTABLE, desc = "Once expired, expired")
	@Outcome(expect = Expect.FORBIDDEN, desc = "An expired entry came back")
	@State
	public static class ExpireAndGet {

		private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 3);

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, this.time::get);

		public ExpireAndGet() {
			this.cache.put(1, 1);
		}

		@Actor
		public void pass() {
			this.time.addAndGet(TIMEOUT);
			this.cache.put(2, 2);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	/**
	 * An expired entry is replaced: its old value must not be returned under the new
	 * write time.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0", "0, 2", "2, 2" }, expect = Expect.ACCEPTABLE, desc = "Nothing, then the new value")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The expired value")
	@State
	public static class PutExpiredAndGet {

		private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 3);

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, this.time::get);

		public PutExpiredAndGet() {
			this.cache.put(1, 1);
			this.time.addAndGet(TIMEOUT);
		}

		@Actor
		public void put() {
			this.cache.put(1, 2);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	@JCStressTest
	@Outcome(id = { "0, 0", "0, 1", "1, 1" }, expect = Expect.ACCEPTABLE, desc = "What had expired stays away")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The longer timeout brought the entry back")
	@State
	public static class LongerTimeoutAndGet {

		private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 3);

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, this.time::get);

		public LongerTimeoutAndGet() {
			this.cache.put(1, 1);
			this.time.addAndGet(TIMEOUT);
		}

		@Actor
		public void change() {
			this.cache.setExpireAfterWrite(Duration.ofNanos(10 * TIMEOUT));
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = (this.cache.get(1) != null) ? 1 : result.r1;
		}

	}

	@JCStressTest
	@Outcome(id = { "true, true, 0", "false, true, 0", "true, false, 0", "false, false, 0" },
			expect = Expect.ACCEPTABLE, desc = "Cleared before or after each put")
	@Outcome(expect = Expect.FORBIDDEN, desc = "The size has drifted")
	@State
	public static class ClearAndPut {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public ClearAndPut() {
			this.cache.put(1, 1);
		}

		@Actor
		public void clear() {
			this.cache.forEach((key, value) -> this.cache.remove(key));
		}

		@Actor
		public void put() {
			this.cache.put(2, 2);
			this.cache.put(1, 3);
		}

		@Arbiter
		public void arbiter(ZZI_Result result) {
			boolean first = this.cache.get(1) != null;
			boolean second = this.cache.get(2) != null;
			result.r1 = first;
			result.r2 = second;
			result.r3 = (int) (this.cache.stats().size() - (first ? 1 : 0) - (second ? 1 : 0) + drift(this.cache));
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 1", "1, 2", "1, 3", "2, 2", "2, 3", "3, 3" }, expect = Expect.ACCEPTABLE,
			desc = "In the order of the puts")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A gap, or an older value after a newer one")
	@State
	public static class ReplaceTwiceAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, () -> 0);

		public ReplaceTwiceAndGet() {
			this.cache.put(1, 1);
		}

		@Actor
		public void put() {
			this.cache.put(1, 2);
			this.cache.put(1, 3);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	@JCStressTest
	@Outcome(id = { "1, 1", "1, 0", "0, 0", "1, 3", "0, 3", "3, 3" }, expect = Expect.ACCEPTABLE,
			desc = "In the order of the puts")
	@Outcome(expect = Expect.FORBIDDEN, desc = "A value that was gone, or of another key")
	@State
	public static class EvictTwiceAndGet {

		private final LazyExpiryCache<Integer, Integer> cache = cache(1, () -> 0);

		public EvictTwiceAndGet() {
			this.cache.put(1, 1);
		}

		@Actor
		public void put() {
			this.cache.put(2, 2);
			this.cache.put(1, 3);
		}

		@Actor
		public void get(II_Result result) {
			result.r1 = orZero(this.cache.get(1));
			result.r2 = orZero(this.cache.get(1));
		}

	}

	/**
	 * The timeout is lengthened during a put: either timeout applies.
	 */
	@JCStressTest
	@Outcome(id = { "0, 0", "1, 1" }, expect = Expect.ACCEPTABLE, desc = "The shorter timeout, or the longer one")
	@Outcome(expect = Expect.FORBIDDEN, desc = "It came back, or went before its time")
	@State
	public static class PutWhileTheTimeoutGrows {

		private final AtomicLong time = new AtomicLong(Long.MAX_VALUE - 3);

		private final LazyExpiryCache<Integer, Integer> cache = cache(4, this.time::get);

		@Actor
		public void put() {
			this.cache.put(1, 1);
		}

		@Actor
		public void grow() {
			this.cache.setExpireAfterWrite(Duration.ofNanos(10 * TIMEOUT));
		}

		@Arbiter
		public void arbiter(II_Result result) {
			this.time.addAndGet(TIMEOUT);
			result.r1 = orZero(this.cache.get(1));
			this.cache.setExpireAfterWrite(Duration.ZERO);
			result.r2 = orZero(this.cache.get(1));
		}

	}

}
