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

package dev.uncontended.random.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Draws numbered slots with many threads while the pool is suspended and resumed, and
 * looks for duplicates. The system property {@code soak.seconds} sets the duration. The
 * profile {@code soak} draws more than a billion.
 */
@Tag("slow")
@Tag("product")
class StripedPoolSoakTests {

	private static final int SECONDS = Integer.getInteger("soak.seconds", 3);

	/** The number of distinguishable slots. */
	private static final long SLOTS = Math.min(1L << 33, SECONDS * 50_000_000L);

	private static final int THREADS = 8;

	private final AtomicLong next = new AtomicLong(1);

	private final AtomicLongArray drawn = new AtomicLongArray((int) (SLOTS / Long.SIZE) + 1);

	@ParameterizedTest
	@ValueSource(ints = { 64, 8192 })
	void drawsEachSlotOnce(int bufferSize) throws Exception {
		StripedPool pool = new StripedPool(GloballyNumberingPrng::new, 4, bufferSize, Duration.ZERO, () -> 0);
		long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS) / 2;
		ExecutorService executor = Executors.newFixedThreadPool(THREADS + 1);
		try {
			List<Future<Long>> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				boolean inBulk = i % 2 == 0;
				threads.add(executor.submit(() -> draw(pool, inBulk, end)));
			}
			Future<Long> operator = executor.submit(() -> suspendAndResume(pool, end));
			long draws = 0;
			for (Future<Long> thread : threads) {
				draws += thread.get();
			}
			assertThat(operator.get()).isPositive();
			assertThat(pool.stats().draws()).isEqualTo(draws).isPositive();
			System.out.println(draws + " slots drawn, " + operator.get() + " times suspended");
		}
		finally {
			executor.shutdown();
		}
	}

	private long draw(StripedPool pool, boolean inBulk, long end) {
		long draws = 0;
		Slot[] slots = new Slot[50];
		while (System.nanoTime() < end && this.next.get() < SLOTS - 1_000_000) {
			if (inBulk) {
				pool.fill(slots, Slot::new);
			}
			else {
				for (int i = 0; i < slots.length; i++) {
					slots[i] = pool.draw(Slot::new);
				}
			}
			for (Slot slot : slots) {
				check(slot);
			}
			draws += slots.length;
		}
		return draws;
	}

	private void check(Slot slot) {
		if (slot.first() != -1 || slot.number() < 1) {
			throw new AssertionError(slot + " was wiped or never written");
		}
		long bit = 1L << slot.number();
		int word = (int) (slot.number() / Long.SIZE);
		if ((this.drawn.getAndAccumulate(word, bit, (before, added) -> before | added) & bit) != 0) {
			throw new AssertionError(slot + " was drawn twice");
		}
	}

	private static long suspendAndResume(StripedPool pool, long end) {
		long times = 0;
		while (System.nanoTime() < end) {
			pool.suspend();
			pool.resume();
			times++;
			long next = System.nanoTime() + TimeUnit.MICROSECONDS.toNanos(500);
			while (System.nanoTime() < next) {
				Thread.yield();
			}
		}
		return times;
	}

	record Slot(long first, long number) {
	}

	/** Numbers slots uniquely across generators. */
	private final class GloballyNumberingPrng extends NumberingPrng {

		GloballyNumberingPrng() {
			super(-1);
		}

		@Override
		public void nextBytes(byte[] bytes) {
			ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
			long number = StripedPoolSoakTests.this.next.getAndAdd(bytes.length / Batch.SLOT);
			while (buffer.hasRemaining()) {
				buffer.putLong(-1).putLong(number++);
			}
		}

	}

}
