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
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Runs loads. A load draws UUIDs with many threads and measures the rate. A warm-up comes
 * first, because a JVM draws slowly until the code is compiled. It ends when the rate is
 * steady, or after a maximum duration. The threads pause after each sample, so that the
 * application answers requests meanwhile. Only one load runs at a time.
 */
@Component
class LoadGenerator {

	private final AtomicReference<@Nullable Load> running = new AtomicReference<>();

	private final ConcurrentMap<String, AtomicLong> drawn = new ConcurrentHashMap<>();

	/**
	 * Runs a load.
	 * @param source the source of UUIDs
	 * @param plan the parameters of the load
	 * @param client checked periodically
	 * @return the measurement, or empty if another load is running
	 * @throws IOException if the client has disconnected, which stops the load
	 */
	Optional<Measurement> run(Source source, Plan plan, Client client) throws InterruptedException, IOException {
		Load load = new Load(source, plan, client, counter(source.name()));
		if (!this.running.compareAndSet(null, load)) {
			return Optional.empty();
		}
		try {
			return Optional.of(load.run());
		}
		finally {
			this.running.set(null);
		}
	}

	/**
	 * Returns the progress of the running load.
	 * @return the progress, or empty if no load is running
	 */
	Optional<Progress> progress() {
		return Optional.ofNullable(this.running.get()).map(Load::progress);
	}

	/**
	 * Returns the number of UUIDs that all loads have drawn from a source.
	 * @param source the name of the source
	 * @return the number of UUIDs, 0 for an unused source
	 */
	long drawn(String source) {
		return counter(source).get();
	}

	private AtomicLong counter(String source) {
		return this.drawn.computeIfAbsent(source, (name) -> new AtomicLong());
	}

	/**
	 * A source of UUIDs.
	 *
	 * @param name the name
	 * @param description the description
	 * @param supplier draws a UUID
	 */
	record Source(String name, String description, Supplier<UUID> supplier) {
	}

	/**
	 * The client that waits for the measurement.
	 */
	@FunctionalInterface
	interface Client {

		/**
		 * Verifies that the client is connected.
		 * @throws IOException if it is not
		 */
		void check() throws IOException;

	}

	/**
	 * The parameters of a load.
	 *
	 * @param threads the number of threads
	 * @param seconds the duration of the measurement in seconds, without the pauses
	 * @param warmUpSeconds the maximum duration of the warm-up in seconds; 0 disables it
	 */
	record Plan(int threads, int seconds, int warmUpSeconds) {
	}

	/**
	 * The result of a load.
	 *
	 * @param source the name of the source
	 * @param description the description of the source
	 * @param threads the number of threads
	 * @param warmUp the warm-up
	 * @param seconds the duration of the measurement in seconds, without the pauses
	 * @param generated the number of UUIDs drawn in this time
	 * @param perSecond the mean rate after the warm-up in UUIDs per second
	 * @param spread the spread of the samples after the warm-up, or {@code null} if there
	 * are none yet
	 * @param samples the rates since the start of the load, including the warm-up, or
	 * {@code null} if they were not requested
	 * @param machine the machine
	 */
	record Measurement(String source, String description, int threads, WarmUp warmUp, double seconds, long generated,
			double perSecond, @Nullable Spread spread,
			@JsonInclude(JsonInclude.Include.NON_NULL) @Nullable List<Sample> samples, Machine machine) {

		Measurement withoutSamples() {
			return new Measurement(this.source, this.description, this.threads, this.warmUp, this.seconds,
					this.generated, this.perSecond, this.spread, null, this.machine);
		}

	}

	/**
	 * The warm-up of a load.
	 *
	 * @param seconds the duration in seconds
	 * @param steady whether the rate was steady at the end
	 */
	record WarmUp(double seconds, boolean steady) {
	}

	/**
	 * A rate.
	 *
	 * @param seconds when the sample was taken, in seconds since the start of the load
	 * @param perSecond the rate since the previous sample in UUIDs per second
	 */
	record Sample(double seconds, double perSecond) {
	}

	/**
	 * The progress of a load.
	 *
	 * @param warmingUp whether the load is warming up
	 * @param plan the parameters of the load
	 * @param measured the measurement so far
	 */
	record Progress(boolean warmingUp, Plan plan, Measurement measured) {
	}

	private static final class Load {

		private static final long SAMPLE_MILLIS = 250;

		private static final long WARM_UP_REST_MILLIS = 150;

		private static final long REST_MILLIS = 50;

		private static final int STEADY_SAMPLES = 4;

		private static final double STEADY_SPREAD = 0.25;

		private final Source source;

		private final Plan plan;

		private final Client client;

		private final AtomicLong generated;

		private final Mark start;

		private final List<Sample> samples = new CopyOnWriteArrayList<>();

		private volatile boolean steady;

		private volatile @Nullable Mark warm;

		private volatile Drawn drawn = new Drawn(0, 0);

		private volatile Turn turn = new Turn(System.nanoTime());

		private volatile boolean ended;

		Load(Source source, Plan plan, Client client, AtomicLong generated) {
			this.source = source;
			this.plan = plan;
			this.client = client;
			this.generated = generated;
			this.start = mark();
		}

		Measurement run() throws InterruptedException, IOException {
			ExecutorService executor = Executors.newFixedThreadPool(this.plan.threads(),
					new CustomizableThreadFactory("load-" + this.source.name() + "-"));
			try {
				CompletionService<?> drawing = new ExecutorCompletionService<>(executor);
				for (int i = 0; i < this.plan.threads(); i++) {
					drawing.submit(this::draw, null);
				}
				warmUp(drawing);
				this.warm = mark();
				while (this.drawn.seconds() < this.plan.seconds()) {
					this.drawn = this.drawn.plus(sample(drawing));
					Thread.sleep(REST_MILLIS);
				}
				end();
				for (int i = 0; i < this.plan.threads(); i++) {
					drawing.take().get();
				}
				return measure();
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("Failed to draw a UUID", ex.getCause());
			}
			finally {
				end();
				executor.shutdownNow();
			}
		}

		/**
		 * Pauses between the samples, which leaves the processors to the JIT compiler.
		 * Without pauses, the compiler is starved and the rate stays low for many
		 * seconds.
		 */
		private void warmUp(CompletionService<?> drawing) throws InterruptedException, ExecutionException, IOException {
			while (mark().secondsSince(this.start) < this.plan.warmUpSeconds() && !this.steady) {
				sample(drawing);
				this.steady = isSteady();
				Thread.sleep(WARM_UP_REST_MILLIS);
			}
		}

		/**
		 * Lets the threads draw for one sampling period and records the rate. Throws an
		 * exception as soon as a thread fails.
		 */
		private Drawn sample(CompletionService<?> drawing)
				throws InterruptedException, ExecutionException, IOException {
			Mark last = mark();
			Turn before = this.turn;
			this.turn = new Turn(last.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SAMPLE_MILLIS));
			before.next.countDown();
			Future<?> failed = drawing.poll(SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
			Mark now = mark();
			if (failed != null) {
				failed.get();
			}
			this.client.check();
			Drawn drawn = now.since(last);
			this.samples.add(new Sample(now.secondsSince(this.start), drawn.perSecond()));
			return drawn;
		}

		private void end() {
			this.ended = true;
			this.turn.next.countDown();
		}

		/**
		 * Returns whether the last samples and as many samples before them vary little,
		 * and whether their means differ by less than 10%.
		 */
		private boolean isSteady() {
			int size = this.samples.size();
			if (size < 2 * STEADY_SAMPLES) {
				return false;
			}
			Spread before = spread(this.samples.subList(size - 2 * STEADY_SAMPLES, size - STEADY_SAMPLES));
			Spread after = spread(this.samples.subList(size - STEADY_SAMPLES, size));
			return Math.abs(after.mean() - before.mean()) < before.mean() / 10 && before.isWithin(STEADY_SPREAD)
					&& after.isWithin(STEADY_SPREAD);
		}

		private static Spread spread(List<Sample> samples) {
			return Spread.of(samples.stream().mapToDouble(Sample::perSecond));
		}

		Progress progress() {
			return new Progress(this.warm == null, this.plan, measure());
		}

		private Measurement measure() {
			Mark warm = this.warm;
			double warmUp = ((warm != null) ? warm : mark()).secondsSince(this.start);
			Drawn drawn = this.drawn;
			List<Sample> samples = List.copyOf(this.samples);
			List<Sample> measured = samples.stream().filter((sample) -> sample.seconds() > warmUp).toList();
			return new Measurement(this.source.name(), this.source.description(), this.plan.threads(),
					new WarmUp(warmUp, this.steady), drawn.seconds(), drawn.generated(), drawn.perSecond(),
					measured.isEmpty() ? null : spread(measured), samples, Machine.current());
		}

		private Mark mark() {
			return new Mark(System.nanoTime(), this.generated.get());
		}

		private static void await(CountDownLatch latch) {
			try {
				latch.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		/**
		 * Counts once per 256 draws, because counting is slower than a draw. Uses no
		 * LongAdder, because its first contended update would deoptimize this loop.
		 */
		private void draw() {
			UUID last = new UUID(0, 0);
			while (!this.ended) {
				Turn turn = this.turn;
				if (turn.isOver()) {
					await(turn.next);
					continue;
				}
				for (int i = 0; i < 256; i++) {
					UUID uuid = this.source.supplier().get();
					if (uuid.equals(last)) {
						throw new IllegalStateException("The same UUID was drawn twice");
					}
					last = uuid;
				}
				this.generated.getAndAdd(256);
			}
		}

	}

	/**
	 * The number of UUIDs drawn at a point in time.
	 */
	private record Mark(long nanoTime, long generated) {

		double secondsSince(Mark earlier) {
			return (this.nanoTime - earlier.nanoTime) / 1e9;
		}

		Drawn since(Mark earlier) {
			return new Drawn(secondsSince(earlier), this.generated - earlier.generated);
		}

	}

	/**
	 * The number of UUIDs drawn in a time.
	 */
	private record Drawn(double seconds, long generated) {

		Drawn plus(Drawn other) {
			return new Drawn(this.seconds + other.seconds, this.generated + other.generated);
		}

		double perSecond() {
			return (this.seconds > 0) ? this.generated / this.seconds : 0;
		}

	}

	/**
	 * A period in which the threads draw. At its end, they stop by themselves and wait
	 * for the next one: hundreds of busy threads would delay a thread that stops them.
	 */
	private static final class Turn {

		private final long end;

		private final CountDownLatch next = new CountDownLatch(1);

		Turn(long end) {
			this.end = end;
		}

		boolean isOver() {
			return System.nanoTime() - this.end >= 0;
		}

	}

}
