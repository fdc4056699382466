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

package dev.uncontended.bench.cache;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;

/**
 * Measures lookups, puts and removals in full caches of millions of entries, a part of
 * which has expired, as requested in the review of JDK-8259886. Filling such a cache
 * takes up to a minute, so one cache serves all operations: lookups, then puts of new
 * sessions, then removals, in batches of {@value #BATCH} that change hardly any of the
 * entries. The figures are the median of the batches, the slowest batch, and the heap
 * that the full cache occupies with its keys. Each cache is in a JVM of its own, and
 * caches alternate in rounds.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code caches},
 * {@code entries}, {@code expired}, the {@code heap} of a JVM, {@code rounds}, and
 * {@code results}, a file to which the raw results are appended.
 */
public final class LargeSessionCache {

	private static final String HEADER = "operation\tentries\texpired\tcache\tround\tns\tslowest batch, ms\theap, GB";

	private static final int BATCH = 2048;

	private static final int BATCHES = 20;

	private static final int SMALL = 20_480;

	private static final Duration TIMEOUT = Duration.ofDays(1);

	private final SessionCache cache;

	private final int entries;

	private final Random random = new Random(42);

	private LargeSessionCache(SessionCacheType type, int entries, String expired) {
		this.entries = entries;
		this.cache = type.create(entries, TIMEOUT);
		int first = expired.startsWith("1/") ? entries / Integer.parseInt(expired.substring(2)) : 0;
		fill(0, first);
		if (first > 0) {
			this.cache.advance(TIMEOUT.dividedBy(2));
		}
		fill(first, entries);
		if (first > 0) {
			this.cache.advance(TIMEOUT.dividedBy(2));
		}
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a JVM fails
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 5 && args[0].equals("measure")) {
			measure(Integer.parseInt(args[1]), args[2], SessionCacheType.valueOf(args[3]), args[4]);
			return;
		}
		Options options = Options.parse(args, Map.of("caches", "JDK,CAFFEINE,UNCONTENDED", "entries", "2000000",
				"expired", "0,1/2", "heap", "3g", "rounds", "5", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int round = 1; round <= options.number("rounds"); round++) {
			for (String entries : options.list("entries")) {
				for (String expired : options.list("expired")) {
					for (String cache : options.list("caches")) {
						results.addAll(run(options.text("heap"), entries, expired, cache, String.valueOf(round)));
					}
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private static List<String> run(String heap, String... arguments) throws Exception {
		List<String> command = new ArrayList<>(
				List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xms" + heap,
						"-Xmx" + heap, "-XX:+UseParallelGC", "--add-opens=java.base/sun.security.util=ALL-UNNAMED",
						"-cp", System.getProperty("java.class.path"), LargeSessionCache.class.getName(), "measure"));
		command.addAll(List.of(arguments));
		Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
		String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
		if (process.waitFor() != 0) {
			throw new IllegalStateException("The JVM failed: " + String.join(" ", command));
		}
		return output.lines().toList();
	}

	private static void measure(int entries, String expired, SessionCacheType type, String round) {
		for (int i = 0; i < 20; i++) {
			LargeSessionCache small = new LargeSessionCache(type, SMALL, expired);
			small.batch(small.known(), small::get);
			small.batch(unknown(i), small::put);
			small.batch(small.known(), small::remove);
		}
		LargeSessionCache large = new LargeSessionCache(type, entries, expired);
		System.gc();
		String heap = String.format(Locale.ROOT, "%.2f",
				ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() / 1e9);
		List<Double> gets = new ArrayList<>();
		List<Double> puts = new ArrayList<>();
		List<Double> removals = new ArrayList<>();
		for (int i = 0; i < BATCHES; i++) {
			gets.add(large.batch(large.known(), large::get));
		}
		for (int i = 0; i < BATCHES; i++) {
			puts.add(large.batch(unknown(i), large::put));
		}
		for (int i = 0; i < BATCHES; i++) {
			removals.add(large.batch(large.known(), large::remove));
		}
		String row = String.join("\t", String.valueOf(entries), expired, type.name(), round);
		print("get", row, gets, heap);
		print("put", row, puts, heap);
		print("remove", row, removals, heap);
	}

	private static void print(String operation, String row, List<Double> nanos, String heap) {
		double slowest = nanos.stream().mapToDouble(Double::doubleValue).max().orElseThrow();
		System.out.printf(Locale.ROOT, "%s\t%s\t%.1f\t%.2f\t%s%n", operation, row, new Rounds(nanos).median(),
				slowest * BATCH / 1e6, heap);
	}

	private void fill(int from, int to) {
		for (int i = from; i < to; i++) {
			put(new SessionKey(i));
		}
		this.cache.settle();
	}

	private SessionKey[] known() {
		return this.random.ints(BATCH, 0, this.entries).mapToObj(SessionKey::new).toArray(SessionKey[]::new);
	}

	private static SessionKey[] unknown(int batch) {
		return SessionKey.range((1L << 40) + (long) batch * BATCH, BATCH);
	}

	private double batch(SessionKey[] keys, Consumer<SessionKey> operation) {
		long start = System.nanoTime();
		for (SessionKey key : keys) {
			operation.accept(key);
		}
		return (double) (System.nanoTime() - start) / keys.length;
	}

	private void get(SessionKey key) {
		Object value = this.cache.get(key);
		if (value != null && !value.equals(key)) {
			throw new IllegalStateException("The value is another key's");
		}
	}

	private void put(SessionKey key) {
		this.cache.put(key, key);
	}

	private void remove(SessionKey key) {
		this.cache.remove(key);
	}

}
