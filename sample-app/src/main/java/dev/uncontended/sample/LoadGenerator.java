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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Draws UUIDs from many threads for a while. One load runs at a time.
 */
@Component
class LoadGenerator {

	private final AtomicReference<@Nullable Load> running = new AtomicReference<>();

	/**
	 * Run a load.
	 * @param source what to draw from
	 * @param threads number of threads
	 * @param seconds how long they draw
	 * @param client asked now and then whether anybody still wants to know
	 * @return what was measured, or empty if another load is running
	 * @throws IOException if the client has gone; the load is stopped then
	 */
	Optional<Measurement> run(Source source, int threads, int seconds, Client client)
			throws InterruptedException, IOException {
		Load load = new Load(source, threads, seconds);
		if (!this.running.compareAndSet(null, load)) {
			return Optional.empty();
		}
		try {
			return Optional.of(load.run(client));
		}
		finally {
			this.running.set(null);
		}
	}

	/**
	 * Return how far the running load is.
	 * @return what was measured until now, or empty if no load is running
	 */
	Optional<Progress> progress() {
		return Optional.ofNullable(this.running.get()).map(Load::progress);
	}

	/**
	 * Something to draw from.
	 *
	 * @param name its name
	 * @param description what it is
	 * @param supplier draws a UUID
	 */
	record Source(String name, String description, Supplier<UUID> supplier) {

	}

	/**
	 * The one that waits for the measurement.
	 */
	@FunctionalInterface
	interface Client {

		/**
		 * Make sure that the client is there.
		 * @throws IOException if it is not
		 */
		void check() throws IOException;

	}

	/**
	 * What was measured.
	 *
	 * @param source name of what was drawn from
	 * @param description what that is
	 * @param threads number of threads
	 * @param seconds how long they drew
	 * @param generated number of UUIDs drawn
	 * @param perSecond UUIDs a second
	 */
	record Measurement(String source, String description, int threads, double seconds, long generated,
			double perSecond) {

	}

	/**
	 * How far a load is.
	 *
	 * @param planned how long it is to draw, in seconds
	 * @param measured what was measured until now
	 */
	record Progress(int planned, Measurement measured) {

	}

	private static final class Load {

		private static final long CHECK_MILLIS = 200;

		private final Source source;

		private final int threads;

		private final int seconds;

		private final long start = System.nanoTime();

		private final LongAdder generated = new LongAdder();

		Load(Source source, int threads, int seconds) {
			this.source = source;
			this.threads = threads;
			this.seconds = seconds;
		}

		Measurement run(Client client) throws InterruptedException, IOException {
			ExecutorService executor = Executors.newFixedThreadPool(this.threads,
					new CustomizableThreadFactory("load-" + this.source.name() + "-"));
			try {
				List<Future<?>> drawing = new ArrayList<>();
				for (int i = 0; i < this.threads; i++) {
					drawing.add(executor.submit(this::draw));
				}
				for (Future<?> each : drawing) {
					await(each, client);
				}
				return measure();
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("A UUID could not be drawn", ex.getCause());
			}
			finally {
				executor.shutdownNow();
			}
		}

		private static void await(Future<?> drawing, Client client)
				throws InterruptedException, ExecutionException, IOException {
			while (true) {
				try {
					drawing.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
					return;
				}
				catch (TimeoutException ex) {
					client.check();
				}
			}
		}

		Progress progress() {
			return new Progress(this.seconds, measure());
		}

		private Measurement measure() {
			double elapsed = elapsed();
			long count = this.generated.sum();
			return new Measurement(this.source.name(), this.source.description(), this.threads, elapsed, count,
					count / elapsed);
		}

		private double elapsed() {
			return (System.nanoTime() - this.start) / 1e9;
		}

		/**
		 * Reads the clock and counts once for many draws: either costs more than a draw.
		 */
		private void draw() {
			UUID last = new UUID(0, 0);
			while (elapsed() < this.seconds && !Thread.currentThread().isInterrupted()) {
				for (int i = 0; i < 256; i++) {
					UUID uuid = this.source.supplier().get();
					if (uuid.equals(last)) {
						throw new IllegalStateException("The same UUID was drawn twice");
					}
					last = uuid;
				}
				this.generated.add(256);
			}
		}

	}

}
