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

package dev.uncontended.sample.demo;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;

import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Draws UUIDs with many threads and measures the rate. A warm-up comes first, because a
 * JVM draws slowly until the code is compiled. The warm-up ends when the rate is steady,
 * or after a maximum duration.
 *
 * @param source the source of the UUIDs
 * @param threads the number of threads
 * @param seconds the duration of the measurement in seconds, without the pauses
 * @param warmUpSeconds the maximum duration of the warm-up in seconds
 */
record Load(Source source, int threads, int seconds, int warmUpSeconds) {

	private static final Duration SAMPLE = Duration.ofMillis(250);

	/**
	 * All threads pause between samples. Otherwise, hundreds of busy threads starve the
	 * JIT compiler and the requests to the application.
	 */
	private static final Duration PAUSE = Duration.ofMillis(100);

	/**
	 * The number of UUIDs between two readings of the clock.
	 */
	static final int CHUNK = 256;

	private static final int STEADY_SAMPLES = 8;

	private static final double STEADY_SPREAD = 0.25;

	/**
	 * Runs the load.
	 * @param listener receives each sample
	 * @return the measurement
	 * @throws IOException if the listener throws it, which ends the load
	 */
	Measurement run(Listener listener) throws InterruptedException, IOException {
		ExecutorService executor = Executors.newFixedThreadPool(this.threads,
				new CustomizableThreadFactory("load-" + this.source.name() + "-"));
		try {
			List<Sample> warmUp = new ArrayList<>();
			long start = System.nanoTime();
			while (secondsSince(start) < this.warmUpSeconds && !isSteady(warmUp)) {
				warmUp.add(sample(executor, true, listener));
			}
			double warmUpSeconds = secondsSince(start);
			List<Sample> samples = new ArrayList<>();
			do {
				samples.add(sample(executor, false, listener));
			}
			while (secondsOf(samples) < this.seconds);
			return new Measurement(this.source.name(), this.source.description(), this.threads,
					new WarmUp(warmUpSeconds, isSteady(warmUp)), secondsOf(samples),
					samples.stream().mapToLong(Sample::generated).sum(), spread(samples), Machine.current());
		}
		finally {
			executor.shutdownNow();
		}
	}

	private Sample sample(ExecutorService executor, boolean isWarmUp, Listener listener)
			throws InterruptedException, IOException {
		long start = System.nanoTime();
		Callable<Long> draws = () -> draw(start + SAMPLE.toNanos());
		long generated = 0;
		for (Future<Long> drawn : executor.invokeAll(Collections.nCopies(this.threads, draws))) {
			generated += get(drawn);
		}
		double seconds = secondsSince(start);
		Sample sample = new Sample(isWarmUp, seconds, generated, generated / seconds);
		listener.sampled(sample);
		Thread.sleep(PAUSE.toMillis());
		return sample;
	}

	/**
	 * Draws until the given time and returns the number of UUIDs.
	 */
	private long draw(long end) {
		UUID last = new UUID(0, 0);
		long drawn = 0;
		while (System.nanoTime() - end < 0) {
			for (int i = 0; i < CHUNK; i++) {
				UUID uuid = this.source.uuids().apply(i);
				if (uuid.equals(last)) {
					throw new IllegalStateException("The same UUID was drawn twice");
				}
				last = uuid;
			}
			drawn += CHUNK;
		}
		return drawn;
	}

	private static long get(Future<Long> drawn) throws InterruptedException {
		try {
			return drawn.get();
		}
		catch (ExecutionException ex) {
			throw new IllegalStateException("Failed to draw a UUID", ex.getCause());
		}
	}

	private static boolean isSteady(List<Sample> samples) {
		int size = samples.size();
		return size >= STEADY_SAMPLES && spread(samples.subList(size - STEADY_SAMPLES, size)).isWithin(STEADY_SPREAD);
	}

	private static Spread spread(List<Sample> samples) {
		return Spread.of(samples.stream().mapToDouble(Sample::perSecond));
	}

	private static double secondsOf(List<Sample> samples) {
		return samples.stream().mapToDouble(Sample::seconds).sum();
	}

	private static double secondsSince(long nanoTime) {
		return (System.nanoTime() - nanoTime) / 1e9;
	}

	/**
	 * A source of UUIDs.
	 *
	 * @param name the name
	 * @param description the description
	 * @param uuids creates a UUID. Its argument is less than {@link #CHUNK}, and differs
	 * from the argument of the thread's previous call
	 */
	record Source(String name, String description, IntFunction<UUID> uuids) {
	}

	/**
	 * Receives the samples of a load.
	 */
	@FunctionalInterface
	interface Listener {

		void sampled(Sample sample) throws IOException;

	}

	/**
	 * The UUIDs drawn by all threads between two pauses.
	 *
	 * @param warmUp whether the sample belongs to the warm-up
	 * @param seconds the duration in seconds
	 * @param generated the number of UUIDs
	 * @param perSecond the rate in UUIDs per second
	 */
	record Sample(boolean warmUp, double seconds, long generated, double perSecond) {
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
	 * @param perSecond the spread of the rates of the samples in UUIDs per second
	 * @param machine the machine
	 */
	record Measurement(String source, String description, int threads, WarmUp warmUp, double seconds, long generated,
			Spread perSecond, Machine machine) {
	}

	/**
	 * The warm-up of a load.
	 *
	 * @param seconds the duration in seconds
	 * @param steady whether the rate was steady at the end
	 */
	record WarmUp(double seconds, boolean steady) {
	}

}
