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

import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;
import org.springframework.stereotype.Component;

/**
 * Draws UUIDs from many threads: first until the rate is steady, because a JVM draws
 * slowly until its compiler is done, then for the time that is measured. One load runs at
 * a time.
 */
@Component
class LoadGenerator {

	private final AtomicReference<@Nullable Load> running = new AtomicReference<>();

	/**
	 * Runs a load.
	 * @param source what to draw from
	 * @param plan how to draw
	 * @param client asked now and then whether it is still there
	 * @return what was measured, or empty if another load is running
	 * @throws IOException if the client has gone; the load is stopped then
	 */
	Optional<Measurement> run(Source source, Plan plan, Client client) throws InterruptedException, IOException {
		Load load = new Load(source, plan, client);
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
	 * Returns how far the running load is.
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
		 * Makes sure that the client is there.
		 * @throws IOException if it is not
		 */
		void check() throws IOException;

	}

	/**
	 * How to draw.
	 *
	 * @param threads number of threads
	 * @param seconds how long to measure
	 * @param warmUpSeconds how long to warm up at most, 0 not to
	 */
	record Plan(int threads, int seconds, int warmUpSeconds) {
	}

	/**
	 * What was measured.
	 *
	 * @param source name of what was drawn from
	 * @param description what that is
	 * @param threads number of threads
	 * @param warmUp what came before and is not measured
	 * @param seconds how long they drew
	 * @param generated number of UUIDs drawn
	 * @param perSecond UUIDs a second
	 * @param samples the rates since the load began, with those of the warm-up
	 */
	record Measurement(String source, String description, int threads, WarmUp warmUp, double seconds, long generated,
			double perSecond, List<Sample> samples) {
	}

	/**
	 * How a load warmed up.
	 *
	 * @param seconds how long it took
	 * @param steady whether the rate was steady at its end
	 */
	record WarmUp(double seconds, boolean steady) {
	}

	/**
	 * A rate.
	 *
	 * @param seconds when it was taken, in seconds since the load began
	 * @param perSecond UUIDs a second since the sample before
	 */
	record Sample(double seconds, double perSecond) {
	}

	/**
	 * How far a load is.
	 *
	 * @param warmingUp whether it warms up
	 * @param planned how long it is measured, in seconds
	 * @param measured what was measured until now
	 */
	record Progress(boolean warmingUp, int planned, Measurement measured) {
	}

	private static final class Load {

		private static final long SAMPLE_MILLIS = 250;

		private static final long REST_MILLIS = 150;

		private static final int STEADY_SAMPLES = 4;

		private final Source source;

		private final Plan plan;

		private final Client client;

		private final AtomicLong generated = new AtomicLong();

		private final Mark start = new Mark(System.nanoTime(), 0);

		private final List<Sample> samples = new CopyOnWriteArrayList<>();

		private volatile boolean steady;

		private volatile @Nullable Mark warm;

		private volatile CountDownLatch gate = new CountDownLatch(0);

		private volatile boolean ended;

		Load(Source source, Plan plan, Client client) {
			this.source = source;
			this.plan = plan;
			this.client = client;
		}

		Measurement run() throws InterruptedException, IOException {
			ExecutorService executor = Executors.newFixedThreadPool(this.plan.threads(),
					new CustomizableThreadFactory("load-" + this.source.name() + "-"));
			try {
				CompletionService<?> drawing = new ExecutorCompletionService<>(executor);
				for (int i = 0; i < this.plan.threads(); i++) {
					drawing.submit(this::draw, null);
				}
				Mark warm = warmUp(drawing);
				this.warm = warm;
				Mark last = warm;
				while (last.secondsSince(warm) < this.plan.seconds()) {
					last = sample(drawing, last);
				}
				this.ended = true;
				for (int i = 0; i < this.plan.threads(); i++) {
					drawing.take().get();
				}
				return measure(warm);
			}
			catch (ExecutionException ex) {
				throw new IllegalStateException("A UUID could not be drawn", ex.getCause());
			}
			finally {
				this.ended = true;
				executor.shutdownNow();
			}
		}

		private Mark warmUp(CompletionService<?> drawing) throws InterruptedException, ExecutionException, IOException {
			Mark last = this.start;
			while (last.secondsSince(this.start) < this.plan.warmUpSeconds() && !this.steady) {
				sample(drawing, last);
				this.steady = isSteady();
				last = rest();
			}
			return last;
		}

		/**
		 * Stops the threads for a moment, in which the JVM's compiler has the processors
		 * to itself. Beside threads that draw without a rest it gets so little time that
		 * the rate stays low for many seconds, and steady.
		 */
		private Mark rest() throws InterruptedException {
			CountDownLatch gate = new CountDownLatch(1);
			this.gate = gate;
			try {
				Thread.sleep(REST_MILLIS);
				return mark();
			}
			finally {
				gate.countDown();
			}
		}

		/**
		 * Waits for a while, or until a thread fails, and notes the rate meanwhile.
		 */
		private Mark sample(CompletionService<?> drawing, Mark last)
				throws InterruptedException, ExecutionException, IOException {
			Future<?> failed = drawing.poll(SAMPLE_MILLIS, TimeUnit.MILLISECONDS);
			if (failed != null) {
				failed.get();
			}
			this.client.check();
			Mark now = mark();
			this.samples.add(new Sample(now.secondsSince(this.start), now.rateSince(last)));
			return now;
		}

		/**
		 * Returns whether the mean of the last samples is within a tenth of that of as
		 * many before them.
		 */
		private boolean isSteady() {
			int size = this.samples.size();
			if (size < 2 * STEADY_SAMPLES) {
				return false;
			}
			double before = meanRate(size - 2 * STEADY_SAMPLES, size - STEADY_SAMPLES);
			double after = meanRate(size - STEADY_SAMPLES, size);
			return Math.abs(after - before) < before / 10;
		}

		private double meanRate(int from, int to) {
			return this.samples.subList(from, to).stream().mapToDouble(Sample::perSecond).average().orElse(0);
		}

		Progress progress() {
			Mark warm = this.warm;
			return new Progress(warm == null, this.plan.seconds(), measure((warm != null) ? warm : mark()));
		}

		private Measurement measure(Mark warm) {
			Mark now = mark();
			return new Measurement(this.source.name(), this.source.description(), this.plan.threads(),
					new WarmUp(warm.secondsSince(this.start), this.steady), now.secondsSince(warm),
					now.generated - warm.generated, now.rateSince(warm), List.copyOf(this.samples));
		}

		private Mark mark() {
			return new Mark(System.nanoTime(), this.generated.get());
		}

		private static void await(CountDownLatch gate) {
			try {
				gate.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		/**
		 * Counts once for many draws: counting costs more than a draw. And without a
		 * LongAdder: when two threads first meet in one, the JVM's compiler throws away
		 * what it has made of this loop.
		 */
		private void draw() {
			UUID last = new UUID(0, 0);
			while (!this.ended) {
				await(this.gate);
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
	 * How many UUIDs had been drawn at a time.
	 */
	private record Mark(long nanoTime, long generated) {

		double secondsSince(Mark earlier) {
			return (this.nanoTime - earlier.nanoTime) / 1e9;
		}

		double rateSince(Mark earlier) {
			double seconds = secondsSince(earlier);
			return (seconds > 0) ? (this.generated - earlier.generated) / seconds : 0;
		}

	}

}
