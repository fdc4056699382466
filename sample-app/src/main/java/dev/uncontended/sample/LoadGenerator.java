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

package dev.uncontended.sample;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.springframework.stereotype.Component;

/**
 * Draws UUIDs from many threads for a while. One load runs at a time.
 */
@Component
class LoadGenerator {

	private final Semaphore permit = new Semaphore(1);

	/**
	 * Run a load.
	 * @param source what to draw from
	 * @param threads number of threads
	 * @param seconds how long they draw
	 * @return what was measured, or empty if another load is running
	 */
	Optional<Result> run(Supplier<UUID> source, int threads, int seconds) throws InterruptedException {
		if (!this.permit.tryAcquire()) {
			return Optional.empty();
		}
		try {
			return Optional.of(draw(source, threads, TimeUnit.SECONDS.toNanos(seconds)));
		}
		finally {
			this.permit.release();
		}
	}

	private Result draw(Supplier<UUID> source, int threads, long nanos) throws InterruptedException {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			long start = System.nanoTime();
			List<Future<Long>> counts = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				counts.add(executor.submit(() -> drawUntil(source, start + nanos)));
			}
			long generated = 0;
			for (Future<Long> count : counts) {
				generated += count.get();
			}
			return new Result(generated, (System.nanoTime() - start) / 1e9);
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("A UUID could not be drawn", ex.getCause());
		}
		finally {
			executor.shutdownNow();
		}
	}

	/**
	 * Reads the clock once for many draws: it costs more than a draw does.
	 */
	private static long drawUntil(Supplier<UUID> source, long deadline) {
		long count = 0;
		UUID last = new UUID(0, 0);
		while (System.nanoTime() - deadline < 0) {
			for (int i = 0; i < 256; i++) {
				UUID uuid = source.get();
				if (uuid.equals(last)) {
					throw new IllegalStateException("The same UUID was drawn twice");
				}
				last = uuid;
			}
			count += 256;
		}
		return count;
	}

	/**
	 * What was measured.
	 *
	 * @param generated number of UUIDs drawn
	 * @param seconds how long that took
	 */
	record Result(long generated, double seconds) {

		double perSecond() {
			return this.generated / this.seconds;
		}

	}

}
