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

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

import com.sun.management.ThreadMXBean;
import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.uuid.UuidGenerator;

/**
 * Measures what version 4 UUIDs cost in a service that creates few of them. Eight threads
 * draw at random times. After a warm-up, the program measures the CPU time of all Java
 * threads, without the compiler's, and the duration of each draw. The source {@code NONE}
 * only wakes the threads up. Each source runs in a JVM of its own, and the JVMs of a
 * round run at the same time.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code java},
 * homes of JDKs; {@code rates}, ids per second; {@code warmup} and {@code seconds};
 * {@code rounds}; {@code results}, a file to which the raw results are appended.
 */
public final class LowRate {

	private static final String HEADER = "java\tids/s\tsource\tround\tCPU ms/s\tp50 us\tp99 us\tmax us";

	private static final int THREADS = 8;

	private LowRate() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a JVM does not start
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 5 && args[0].equals("draw")) {
			draw(Source.valueOf(args[1]), Integer.parseInt(args[2]), Integer.parseInt(args[3]),
					Integer.parseInt(args[4]));
			return;
		}
		Options options = Options.parse(args, Map.of("java", System.getProperty("java.home"), "rates", "100,1000",
				"warmup", "30", "seconds", "30", "rounds", "5", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1; round <= options.number("rounds"); round++) {
			for (String java : options.list("java")) {
				for (String rate : options.list("rates")) {
					List<Process> processes = new ArrayList<>();
					for (Source source : Source.values()) {
						processes.add(new ProcessBuilder(Path.of(java, "bin", "java").toString(), "-Xmx256m", "-cp",
								System.getProperty("java.class.path"), LowRate.class.getName(), "draw", source.name(),
								rate, options.text("warmup"), options.text("seconds"))
							.redirectError(ProcessBuilder.Redirect.INHERIT)
							.start());
					}
					for (Source source : Source.values()) {
						String figures = new String(processes.get(source.ordinal()).getInputStream().readAllBytes(),
								StandardCharsets.US_ASCII);
						String[] cells = figures.strip().split("\t", 2);
						results.add(String.join("\t", cells[0], rate, source.name(), String.valueOf(round), cells[1]));
					}
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static void draw(Source source, int rate, int warmup, int seconds) throws InterruptedException {
		Supplier<UUID> uuids = source.uuids();
		long start = System.nanoTime() + TimeUnit.SECONDS.toNanos(warmup);
		long end = start + TimeUnit.SECONDS.toNanos(seconds);
		List<long[]> durations = new ArrayList<>();
		List<Thread> threads = new ArrayList<>();
		for (int i = 0; i < THREADS; i++) {
			long[] of = new long[2 * seconds * rate / THREADS + 1000];
			durations.add(of);
			threads.add(new Thread(new Draws(uuids, new Random(i), (double) THREADS / rate, start, end, of)));
		}
		threads.forEach(Thread::start);
		TimeUnit.NANOSECONDS.sleep(start - System.nanoTime());
		long cpu = cpuNanos();
		// The drawing threads must still run.
		TimeUnit.NANOSECONDS.sleep(end - TimeUnit.SECONDS.toNanos(1) - System.nanoTime());
		cpu = cpuNanos() - cpu;
		for (Thread thread : threads) {
			thread.join();
		}
		long[] sorted = durations.stream()
			.flatMapToLong(Arrays::stream)
			.filter((nanos) -> nanos > 0)
			.sorted()
			.toArray();
		System.out.println(String.join("\t", String.valueOf(Runtime.version().feature()),
				String.valueOf(cpu / 1e6 / (seconds - 1)), String.valueOf(percentile(sorted, 50)),
				String.valueOf(percentile(sorted, 99)), String.valueOf(percentile(sorted, 100))));
	}

	private static long cpuNanos() {
		ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
		return Arrays.stream(threads.getThreadCpuTime(threads.getAllThreadIds())).filter((nanos) -> nanos > 0).sum();
	}

	private static double percentile(long[] sorted, int percent) {
		return sorted[Math.max(0, (int) ((long) sorted.length * percent / 100) - 1)] / 1e3;
	}

	/**
	 * The draws of a thread.
	 *
	 * @param interval the average time between two draws in seconds
	 * @param durations the durations of draws after the warm-up in nanoseconds
	 */
	private record Draws(Supplier<UUID> uuids, Random random, double interval, long start, long end,
			long[] durations) implements Runnable {

		@Override
		@SuppressWarnings("ReturnValueIgnored") // Only the duration counts.
		public void run() {
			int count = 0;
			long next = System.nanoTime();
			while (next < this.end && count < this.durations.length) {
				next += (long) (-Math.log(1 - this.random.nextDouble()) * this.interval * 1e9);
				for (long left = next - System.nanoTime(); left > 0; left = next - System.nanoTime()) {
					LockSupport.parkNanos(left);
				}
				long before = System.nanoTime();
				this.uuids.get();
				if (before > this.start) {
					this.durations[count++] = System.nanoTime() - before;
				}
			}
		}

	}

	/**
	 * A source of UUIDs.
	 */
	private enum Source {

		/** No UUIDs. */
		NONE,

		/** The JDK's method. */
		JDK,

		/** The JDK's method with Uncontended's provider. */
		DROP_IN,

		/** Uncontended's generator. */
		GENERATOR;

		Supplier<UUID> uuids() {
			return switch (this) {
				case NONE -> () -> new UUID(0, 0);
				case JDK -> UUID::randomUUID;
				case DROP_IN -> {
					UncontendedProvider.install();
					yield UUID::randomUUID;
				}
				case GENERATOR -> UuidGenerator.builder().build()::randomUuid;
			};
		}

	}

}
