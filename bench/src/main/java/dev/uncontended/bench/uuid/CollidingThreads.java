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

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.internal.StripedPool;
import dev.uncontended.random.internal.Striping;
import dev.uncontended.uuid.UuidGenerator;

/**
 * Measures what two threads lose if their ids select the same stripe, until the generator
 * separates them: version 4 UUIDs per microsecond of all threads together. Threads of two
 * stripes, threads of one stripe, threads of one stripe that are not separated, and one
 * thread alternate in rounds. Each round has new threads.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code millis}
 * per round, {@code rounds}, and {@code results}, a file to which the raw results are
 * appended.
 */
public final class CollidingThreads {

	private static final String HEADER = "stripes\tthreads\tround\tids/us\tlost races per 1000 ids";

	private static final int WARM_UP = 4;

	private static final int STRIPES = Striping.powerOfTwo(StripedPool.defaultStripes());

	private CollidingThreads() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws IOException if the results cannot be written
	 */
	public static void main(String[] args) throws IOException {
		Options options = Options.parse(args, Map.of("millis", "500", "rounds", "15", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1 - WARM_UP; round <= options.number("rounds"); round++) {
			for (Threads threads : Threads.values()) {
				// A generator learns which threads share a stripe.
				try (UuidGenerator generator = threads.generator()) {
					String result = measure(generator, threads, options.number("millis"));
					if (round > 0) {
						results.add(String.join("\t", String.valueOf(STRIPES), threads.toString(),
								String.valueOf(round), result));
					}
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static String measure(UuidGenerator generator, Threads threads, int millis) {
		long contended = contended(generator);
		List<Drawer> drawers = threads.start(generator);
		long start = System.nanoTime();
		long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
		drawers.forEach((drawer) -> drawer.end.complete(end));
		long ids = drawers.stream().mapToLong((drawer) -> drawer.drawn.join()).sum();
		double micros = (System.nanoTime() - start) / 1e3;
		return String.format(Locale.ROOT, "%.2f\t%.3f", ids / micros, 1e3 * (contended(generator) - contended) / ids);
	}

	private static long contended(UuidGenerator generator) {
		return generator.stats().pools().values().stream().mapToLong(PoolStats::contended).sum();
	}

	/**
	 * The threads of a round.
	 */
	private enum Threads {

		TWO_STRIPES, ONE_STRIPE, ONE_STRIPE_KEPT, ONE_THREAD;

		UuidGenerator generator() {
			UuidGenerator.Builder builder = UuidGenerator.builder();
			if (this == ONE_STRIPE_KEPT) {
				// Threads are separated at the end of a reseed interval.
				builder.reseedInterval(Duration.ZERO);
			}
			return builder.build();
		}

		List<Drawer> start(UuidGenerator generator) {
			Drawer first = Drawer.start(generator);
			if (this == ONE_THREAD) {
				return List.of(first);
			}
			Drawer second = Drawer.start(generator);
			while (first.stripe.join().equals(second.stripe.join()) == (this == TWO_STRIPES)) {
				second.end.complete(System.nanoTime());
				second = Drawer.start(generator);
			}
			return List.of(first, second);
		}

		@Override
		public String toString() {
			return name().toLowerCase(Locale.ROOT).replace('_', ' ');
		}

	}

	/**
	 * A thread that draws UUIDs until a time of {@code System.nanoTime()}.
	 */
	private static final class Drawer {

		private final CompletableFuture<Integer> stripe = new CompletableFuture<>();

		private final CompletableFuture<Long> end = new CompletableFuture<>();

		private final CompletableFuture<Long> drawn = new CompletableFuture<>();

		static Drawer start(UuidGenerator generator) {
			Drawer drawer = new Drawer();
			new Thread(() -> drawer.draw(generator)).start();
			return drawer;
		}

		private void draw(UuidGenerator generator) {
			this.stripe.complete(Striping.probe(Striping.shift(STRIPES)));
			long end = this.end.join();
			UUID[] ids = new UUID[1024];
			long drawn = 0;
			while (System.nanoTime() < end) {
				for (int i = 0; i < ids.length; i++) {
					ids[i] = generator.randomUuid();
				}
				drawn += ids.length;
			}
			this.drawn.complete(drawn);
		}

	}

}
