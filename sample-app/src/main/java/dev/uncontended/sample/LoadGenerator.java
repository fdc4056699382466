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

	private final ConcurrentMap<String, AtomicLong> drawn = new ConcurrentHashMap<>();

	/**
	 * Runs a load.
	 * @param source what to draw from
	 * @param plan how to draw
	 * @param client asked now and then whether it is still there
	 * @return what was measured, or empty if another load is running
	 * @throws IOException if the client has gone; the load is stopped then
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
	 * Returns how far the running load is.
	 * @return what was measured until now, or empty if no load is running
	 */
	Optional<Progress> progress() {
		return Optional.ofNullable(this.running.get()).map(Load::progress);
	}

	/**
	 * Returns how many UUIDs all loads together have drawn from a source.
	 * @param source the name of the source
	 * @return the number of UUIDs, zero if no load has used the source
	 */
	long drawn(String source) {
		return counter(source).get();
	}

	private AtomicLong counter(String source) {
		return this.drawn.computeIfAbsent(source, (name) -> new AtomicLong());
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
	 * @param perSecond UUIDs a second, the mean
	 * @param spread the spread of the samples, {@code null} during the warm-up
	 * @param samples the rates since the load began, with those of the warm-up
	 * @param machine the JVM and the number of processors
	 */
	record Measurement(String source, String description, int threads, WarmUp warmUp, double seconds, long generated,
			double perSecond, @Nullable Spread spread, List<Sample> samples, Machine machine) {
	}

	/**
	 * How a load warmed up.
	 *
	 * @param seconds how long it took
	 * @param steady whether the rate was steady when the warm-up ended
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
	 * @param plan how it draws
	 * @param measured what was measured until now
	 */
	record Progress(boolean warmingUp, Plan plan, Measurement measured) {
	}

	private static final class Load {

		private static final long SAMPLE_MILLIS = 250;

		private static final long REST_MILLIS = 150;

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

		private volatile CountDownLatch gate = new CountDownLatch(1);

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
				// A thread that starts next to hundreds that draw waits for a processor.
				this.gate.countDown();
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
		 * Returns whether the mean of the last samples is within a tenth of the mean of
		 * as many samples before them, and no sample is far from its mean.
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
			Mark warm = this.warm;
			return new Progress(warm == null, this.plan, measure((warm != null) ? warm : mark()));
		}

		private Measurement measure(Mark warm) {
			Mark now = mark();
			double warmUp = warm.secondsSince(this.start);
			List<Sample> samples = List.copyOf(this.samples);
			List<Sample> measured = samples.stream().filter((sample) -> sample.seconds() > warmUp).toList();
			return new Measurement(this.source.name(), this.source.description(), this.plan.threads(),
					new WarmUp(warmUp, this.steady), now.secondsSince(warm), now.generated - warm.generated,
					now.rateSince(warm), measured.isEmpty() ? null : spread(measured), samples, Machine.current());
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
