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

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.internal.RandomAlgorithm;
import dev.uncontended.random.internal.StripedPool;

/**
 * A model of the pool on machines with other numbers of processors. This program measures
 * the costs that the model needs, compares the model to this machine, and prints the
 * model's throughput for 1 to 256 processors.
 * <p>
 * The model: as many threads run at a time as there are processors, chosen at random.
 * Each runs on the stripe that the hash of its id selects, and the ids are consecutive. A
 * thread that has a stripe for itself needs the time of a draw, which includes its share
 * of a refill. A thread that shares its stripe with {@code k - 1} running threads also
 * waits {@code k - 1} times until the cache lines of the stripe arrive from another
 * processor. The model knows neither the limits of memory, heat and hyper-threads on more
 * than two processors, nor slower cache lines from other sockets.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * {@code seconds}, {@code rounds}, {@code results}. With the arguments
 * {@code table FILE}, prints the tables of raw results.
 */
public final class ScalingModel {

	private static final int DRAWS = 1000;

	private static final int SAMPLES = 2000;

	private static final int[] THREADS = { 1, 2, 32, 300 };

	private static final int[] PROCESSORS = { 1, 2, 4, 8, 16, 32, 64, 128, 256 };

	private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

	private final double draw;

	private final double transfer;

	private final double contention;

	/**
	 * Creates a model.
	 * @param draw the nanoseconds of a draw from a stripe that no other thread uses
	 * @param transfer the nanoseconds until the cache lines of a stripe arrive
	 * @param contention how often a draw finds its stripe in use if two threads share it
	 */
	ScalingModel(double draw, double transfer, double contention) {
		this.draw = draw;
		this.transfer = transfer;
		this.contention = contention;
	}

	/**
	 * Measures, and prints the tables.
	 * @param args the arguments
	 * @throws Exception if a measurement fails
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 2 && args[0].equals("table")) {
			table(Files.readAllLines(Path.of(args[1]))).forEach(System.out::println);
			return;
		}
		List<String> results = run(args);
		table(results).forEach(System.out::println);
	}

	/**
	 * Measures.
	 * @param args the arguments
	 * @return the raw results
	 * @throws Exception if a measurement fails
	 */
	public static List<String> run(String... args) throws Exception {
		Options options = Options.parse(args, Map.of("seconds", "2", "rounds", "5", "results", ""));
		int seconds = options.number("seconds");
		List<String> results = new ArrayList<>(
				List.of("pools\tstripes\tthreads\tround\tids/us\tcontended/draw\trefill ns"));
		int stripes = StripedPool.defaultStripes();
		for (int round = 0; round <= options.number("rounds"); round++) {
			List<String> lines = new ArrayList<>();
			for (int threads : THREADS) {
				lines.add(measure(1, stripes, threads, round, seconds));
			}
			lines.add(measure(2, 1, 2, round, seconds));
			lines.add(measure(1, 1, 2, round, seconds));
			if (round > 0) {
				results.addAll(lines);
			}
		}
		if (!options.text("results").isEmpty()) {
			Files.write(Path.of(options.text("results")), results);
		}
		return results;
	}

	private static String measure(int pools, int stripes, int threads, int round, int seconds) throws Exception {
		List<StripedPool> measured = new ArrayList<>();
		for (int i = 0; i < pools; i++) {
			measured.add(new StripedPool(RandomAlgorithm.of(UncontendedProvider.CTR_DRBG, null), stripes, 8192,
					Duration.ofHours(1)));
		}
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			long start = System.nanoTime();
			long end = start + TimeUnit.SECONDS.toNanos(seconds);
			List<Future<Long>> drawing = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				StripedPool pool = measured.get(i % pools);
				drawing.add(executor.submit(() -> draw(pool, end)));
			}
			long draws = 0;
			for (Future<Long> future : drawing) {
				draws += future.get();
			}
			double micros = (System.nanoTime() - start) / 1e3;
			PoolStats stats = measured.get(0).stats();
			return String.format(Locale.ROOT, "%d\t%d\t%d\t%d\t%.2f\t%.5f\t%.0f", pools, stripes, threads, round,
					draws / micros, (double) stats.contended() * pools / draws,
					(double) stats.refillNanos() / stats.refills());
		}
		finally {
			executor.shutdown();
			measured.forEach(StripedPool::close);
		}
	}

	/*
	 * Keeps the ids of a while in an array, so that the compiler has to create them.
	 */
	private static long draw(StripedPool pool, long end) {
		long draws = 0;
		while (System.nanoTime() < end) {
			UUID[] uuids = new UUID[DRAWS];
			for (int i = 0; i < DRAWS; i++) {
				uuids[i] = pool.draw(UUID::new);
			}
			draws += (uuids[DRAWS - 1] != null) ? DRAWS : 0;
		}
		return draws;
	}

	/**
	 * Returns the stripe that a pool selects for a thread.
	 * @param threadId the thread's id
	 * @param stripes the number of stripes, a power of two
	 */
	static int stripe(long threadId, int stripes) {
		return (int) ((threadId * GOLDEN_RATIO) >>> 1 >>> (63 - Integer.numberOfTrailingZeros(stripes)));
	}

	/**
	 * Returns the default number of stripes of a machine.
	 */
	private static int defaultStripes(int processors) {
		int stripes = Math.min(256, 8 * processors);
		return (Integer.bitCount(stripes) == 1) ? stripes : Integer.highestOneBit(stripes) << 1;
	}

	/**
	 * Computes throughput and contention.
	 * @param processors the number of processors
	 * @param stripes the number of stripes
	 * @param threads the number of threads
	 */
	Prediction predict(int processors, int stripes, int threads) {
		Random random = new Random(1);
		int running = Math.min(processors, threads);
		double rate = 0;
		double contended = 0;
		for (int sample = 0; sample < SAMPLES; sample++) {
			long firstId = random.nextInt(10_000);
			int[] shared = new int[stripes];
			boolean[] chosen = new boolean[threads];
			for (int i = 0; i < running;) {
				int thread = (running == threads) ? i : random.nextInt(threads);
				if (!chosen[thread]) {
					chosen[thread] = true;
					shared[stripe(firstId + thread, stripes)]++;
					i++;
				}
			}
			double draws = 0;
			double contendedDraws = 0;
			for (int count : shared) {
				if (count > 0) {
					double ofStripe = count / (this.draw + (count - 1) * this.transfer) * 1000;
					draws += ofStripe;
					contendedDraws += (count > 1) ? ofStripe * this.contention : 0;
				}
			}
			rate += draws;
			contended += contendedDraws / draws;
		}
		return new Prediction(rate / SAMPLES, contended / SAMPLES);
	}

	/**
	 * Returns the tables of raw results.
	 * @param results the lines of the file with raw results
	 * @return the lines of the tables
	 */
	public static List<String> table(List<String> results) {
		Map<String, List<String[]>> measured = new LinkedHashMap<>();
		results.stream()
			.skip(1)
			.map((line) -> line.split("\t"))
			.forEach((cells) -> measured
				.computeIfAbsent(cells[0] + " " + cells[1] + " " + cells[2], (key) -> new ArrayList<>())
				.add(cells));
		List<String[]> all = new ArrayList<>(measured.values()).get(0);
		int stripes = Integer.parseInt(all.get(0)[1]);
		List<String[]> apart = measured.getOrDefault("2 1 2", List.of());
		List<String[]> together = measured.getOrDefault("1 1 2", List.of());
		double alone = 1000 / column(all, 4).median();
		double draw = 2000 / column(apart, 4).median();
		double transfer = 2000 / column(together, 4).median() - draw;
		ScalingModel onOne = new ScalingModel(alone, transfer, column(together, 5).median());
		ScalingModel model = new ScalingModel(draw, transfer, column(together, 5).median());
		List<String> lines = new ArrayList<>();
		lines.add(String.format(Locale.ROOT,
				"A draw takes %.1f ns on one processor and %.1f ns on each of two, a refill %.1f \u00b5s per %d draws, "
						+ "the transfer of a stripe's cache lines %.1f ns.",
				alone, draw, column(all, 6).median() / 1000, 512, transfer));
		lines.addAll(List.of("", "| threads on two processors | measured, ids/\u00b5s | model, ids/\u00b5s"
				+ " | measured, contended | model, contended |", "|---|---|---|---|---|"));
		for (int threads : THREADS) {
			List<String[]> rows = measured.getOrDefault("1 " + stripes + " " + threads, List.of());
			Prediction prediction = ((threads == 1) ? onOne : model).predict(2, stripes, threads);
			lines.add(String.format(Locale.ROOT, "| %d | %s | %.0f | %.2f%% | %.2f%% |", threads,
					column(rows, 4).formatIfSteady("%.0f"), prediction.rate, 100 * column(rows, 5).median(),
					100 * prediction.contended));
		}
		lines.addAll(List.of("", "| processors | stripes | threads = processors, ids/\u00b5s | contended"
				+ " | 256 threads, ids/\u00b5s | contended |", "|---|---|---|---|---|---|"));
		for (int processors : PROCESSORS) {
			ScalingModel scaled = (processors == 1) ? onOne : model;
			int defaultStripes = defaultStripes(processors);
			Prediction equal = scaled.predict(processors, defaultStripes, processors);
			Prediction many = scaled.predict(processors, defaultStripes, 256);
			lines.add(String.format(Locale.ROOT, "| %d | %d | %.0f | %.2f%% | %.0f | %.2f%% |", processors,
					defaultStripes, equal.rate, 100 * equal.contended, many.rate, 100 * many.contended));
		}
		return lines;
	}

	private static Rounds column(List<String[]> rows, int column) {
		return new Rounds(rows.stream().map((cells) -> Double.parseDouble(cells[column])).toList());
	}

	/**
	 * What the model predicts.
	 *
	 * @param rate the ids per microsecond
	 * @param contended the share of draws that found their stripe in use
	 */
	record Prediction(double rate, double contended) {
	}

}
