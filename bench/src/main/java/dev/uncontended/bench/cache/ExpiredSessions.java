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

import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;

/**
 * Measures lookups, removals and puts in a full cache with expired entries, as requested
 * in the review of JDK-8259886. JMH cannot be used, because operations change the
 * fraction of expired entries: each pass requires new caches.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code types}: names of {@link SessionCacheType}s
 * <li>{@code entries}, {@code passes}
 * <li>{@code shares}: fractions of expired entries; {@code none} for caches without a
 * timeout
 * <li>{@code results}: a file to which the raw results are appended
 * </ul>
 * The types alternate in passes. With the arguments {@code table FILE}, prints the table
 * of raw results.
 */
public final class ExpiredSessions {

	private static final String HEADER = "type\tentries\toperation\tshare\tpass\tns\tcollection ms";

	private static final String NONE = "none";

	/**
	 * If a cache has fewer entries, a pass uses several caches with about this number of
	 * entries in total.
	 */
	private static final int LEAST_OPERATIONS = 200_000;

	private static final int MOST_OPERATIONS = 2_000_000;

	private static final int WARMUP_ENTRIES = 20_480;

	private static final int WARMUP_PASSES = 2;

	private final SessionCacheType type;

	private final int entries;

	private final SessionKey[] keys;

	private final SessionKey[] newKeys;

	private ExpiredSessions(SessionCacheType type, int entries) {
		this.type = type;
		this.entries = entries;
		this.keys = SessionKey.range(0, entries);
		this.newKeys = SessionKey.range(1L << 40, entries / 4);
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws IOException if the file of the results cannot be read or written
	 */
	public static void main(String[] args) throws IOException {
		if (args.length == 2 && args[0].equals("table")) {
			table(Files.readAllLines(Path.of(args[1]))).forEach(System.out::println);
			return;
		}
		Options options = Options.parse(args, Map.of("types", "UNCONTENDED,CAFFEINE,JDK", "entries", "20480", "passes",
				"5", "shares", "none,0,0.1,0.25,0.333,0.5", "results", ""));
		List<SessionCacheType> types = options.list("types").stream().map(SessionCacheType::valueOf).toList();
		List<String> shares = options.list("shares");
		for (int pass = 0; pass < WARMUP_PASSES; pass++) {
			measure(types, WARMUP_ENTRIES, List.of(NONE, "0", "0.5"), pass);
		}
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (int pass = 1; pass <= options.number("passes"); pass++) {
			List<String> lines = measure(types, options.number("entries"), shares, pass);
			results.addAll(lines);
			options.append(Stream.concat(Stream.of(HEADER), lines.stream()).toList());
		}
		table(results).forEach(System.out::println);
	}

	private static List<String> measure(List<SessionCacheType> types, int entries, List<String> shares, int pass) {
		List<String> results = new ArrayList<>();
		for (SessionCacheType type : types) {
			ExpiredSessions sessions = new ExpiredSessions(type, entries);
			for (Operation operation : Operation.values()) {
				for (String share : shares) {
					results.add(String.join("\t", type.toString(), String.valueOf(entries), operation.toString(), share,
							String.valueOf(pass), sessions.measure(operation, share)));
				}
			}
		}
		return results;
	}

	/**
	 * Returns the table of raw results.
	 * @param results the lines of the file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		Map<String, Map<String, List<Double>>> rows = new LinkedHashMap<>();
		Set<String> shares = new LinkedHashSet<>();
		results.stream().skip(1).map((line) -> line.split("\t")).forEach((cells) -> {
			shares.add(cells[3]);
			rows.computeIfAbsent("| %s | %s | %s | ".formatted(cells[1], cells[2], cells[0]),
					(row) -> new LinkedHashMap<>())
				.computeIfAbsent(cells[3], (share) -> new ArrayList<>())
				.add(Double.parseDouble(cells[5]));
		});
		List<String> lines = new ArrayList<>();
		lines.add("| entries | operation | cache | " + String.join(" | ", shares).replace(NONE, "no timeout") + " |");
		lines.add("|---|---|---|" + "---|".repeat(shares.size()));
		rows.forEach((row,
				nanos) -> lines.add(row + shares.stream()
					.map((share) -> nanos.containsKey(share) ? new Rounds(nanos.get(share)).formatIfSteady("%.0f") : "")
					.collect(Collectors.joining(" | ")) + " |"));
		return lines;
	}

	private String measure(Operation operation, String share) {
		SessionKey[] order = order(operation);
		List<SessionCache> caches = fill(share);
		System.gc();
		long collectionBefore = collectionTime();
		long start = System.nanoTime();
		for (SessionCache cache : caches) {
			run(operation, cache, order);
		}
		double nanos = (double) (System.nanoTime() - start) / ((long) caches.size() * order.length);
		return String.format(Locale.ROOT, "%.1f\t%d", nanos, collectionTime() - collectionBefore);
	}

	private SessionKey[] order(Operation operation) {
		SessionKey[] order = (operation == Operation.PUT) ? this.newKeys.clone() : this.keys.clone();
		Collections.shuffle(Arrays.asList(order), new Random(42));
		return Arrays.copyOf(order, Math.min(order.length, MOST_OPERATIONS));
	}

	private static void run(Operation operation, SessionCache cache, SessionKey[] keys) {
		switch (operation) {
			case GET -> {
				int found = 0;
				for (SessionKey key : keys) {
					found += (cache.get(key) != null) ? 1 : 0;
				}
				if (found > keys.length) {
					throw new IllegalStateException();
				}
			}
			case REMOVE -> {
				for (SessionKey key : keys) {
					cache.remove(key);
				}
			}
			case PUT -> {
				for (SessionKey key : keys) {
					cache.put(key, key);
				}
			}
		}
	}

	private List<SessionCache> fill(String share) {
		boolean hasTimeout = !share.equals(NONE);
		List<AgeingCache> caches = new ArrayList<>();
		for (int i = 0; i < Math.max(1, LEAST_OPERATIONS / this.entries); i++) {
			caches.add(new AgeingCache(this.type, this.entries, hasTimeout));
		}
		int expired = hasTimeout ? (int) (this.entries * Double.parseDouble(share)) : 0;
		caches.forEach((cache) -> cache.putShortLived(this.keys, 0, expired));
		caches.forEach((cache) -> cache.put(this.keys, expired, this.entries));
		caches.forEach(AgeingCache::age);
		return caches.stream().map(AgeingCache::cache).toList();
	}

	private static long collectionTime() {
		return ManagementFactory.getGarbageCollectorMXBeans()
			.stream()
			.mapToLong(GarbageCollectorMXBean::getCollectionTime)
			.sum();
	}

	private enum Operation {

		GET, REMOVE, PUT

	}

}
