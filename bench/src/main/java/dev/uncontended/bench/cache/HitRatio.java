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
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;

/**
 * Measures the percentage of return visits that resume a session, in traces of clients.
 * The first million visits show the warm-up of an empty cache. Then the trace continues
 * until the ratio of its last tenth is steady: within {@value #TOLERANCE} points of the
 * ratio after half as many visits.
 * <p>
 * Caffeine's simulator cannot replay such traces: a client whose session was evicted gets
 * a session with a new id, so the ids of a trace depend on the evictions.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default: {@code sizes},
 * {@code limit} of visits in millions, and {@code results}, a file to which the raw
 * results are appended. Requires
 * {@code --add-opens=java.base/sun.security.util=ALL-UNNAMED}.
 */
public final class HitRatio {

	private static final String FIRST_MILLION = "first million, %";

	private static final String STEADY = "steady, %";

	private static final String STEADY_AFTER = "steady after millions";

	private static final String HEADER = String.join("\t", "trace", "size", "cache", FIRST_MILLION, STEADY,
			STEADY_AFTER, "replayed millions");

	private static final int MILLION = 1_000_000;

	private static final int MIN_MILLIONS = 16;

	/** In percentage points. */
	private static final double TOLERANCE = 0.3;

	/** The largest difference to the steady ratio after the warm-up. */
	private static final double WARM = 1;

	/**
	 * On the calling thread, because Caffeine's evictions must keep up with the trace.
	 */
	private static final List<SessionCacheType> CACHES = List.of(SessionCacheType.UNCONTENDED, SessionCacheType.JDK,
			SessionCacheType.CAFFEINE_SAME_THREAD);

	/** Clients that never return, mean returns of the others, mean gap. */
	private static final double[][] CHURN = { { 0.5, 4, 0.1 }, { 0.5, 4, 0.25 }, { 0.5, 4, 0.5 }, { 0.2, 8, 0.5 },
			{ 0.5, 4, 1 }, { 0.9, 2, 0.25 }, { 0.9, 2, 0.5 }, { 0.5, 1, 0.5 }, { 0.2, 40, 0.5 }, { 0.2, 40, 1 } };

	/** Permanent clients, and the part of one-time clients. */
	private static final double[][] FLOODS = { { 0.1, 0.7 }, { 0.25, 0.7 }, { 0.25, 0.9 }, { 0.5, 0.2 }, { 0.5, 0.7 } };

	private final int limit;

	private final Options options;

	private HitRatio(Options options) {
		this.limit = options.number("limit");
		this.options = options;
	}

	/**
	 * Prints the raw results. Numbers of clients and gaps are multiples of the cache's
	 * size.
	 * @param args the arguments
	 * @throws IOException if the results cannot be written
	 */
	public static void main(String[] args) throws IOException {
		Options options = Options.parse(args, Map.of("sizes", "2048,20480", "limit", "64", "results", ""));
		HitRatio ratio = new HitRatio(options);
		for (String text : options.list("sizes")) {
			int size = Integer.parseInt(text);
			for (double[] row : CHURN) {
				ratio.replay(
						String.format(Locale.ROOT, "churn: never %.1f, returns %.0f, gap %.2f", row[0], row[1], row[2]),
						size, ClientTrace.churn(row[0], row[1], row[2] * size));
			}
			for (double[] row : FLOODS) {
				ratio.replay(String.format(Locale.ROOT, "flood: permanent %.2f, one-time %.1f", row[0], row[1]), size,
						ClientTrace.flood((int) (row[0] * size), row[1]));
			}
		}
	}

	/**
	 * Returns the table: the steady ratios, the ratios of the first million visits, and
	 * the millions of visits after which the ratios are steady.
	 * @param results the lines of a file with raw results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		Map<String, List<Map<String, String>>> traces = Rounds.rows(results)
			.stream()
			.collect(Collectors.groupingBy((row) -> row.get("trace") + " | " + row.get("size"), LinkedHashMap::new,
					Collectors.toList()));
		List<String> lines = new ArrayList<>();
		traces.forEach((trace, rows) -> {
			if (lines.isEmpty()) {
				String caches = rows.stream().map((row) -> row.get("cache")).collect(Collectors.joining(" | "));
				lines.add("| trace | size | %s | first million: %s | steady after millions: %s |".formatted(caches,
						caches, caches));
				lines.add(lines.get(0).replaceAll("[^|]+", "---"));
			}
			lines.add(Stream.of(STEADY, FIRST_MILLION, STEADY_AFTER)
				.flatMap((column) -> rows.stream().map((row) -> row.get(column)))
				.collect(Collectors.joining(" | ", "| " + trace + " | ", " |")));
		});
		return lines;
	}

	private void replay(String name, int size, ClientTrace trace) throws IOException {
		List<Replay> replays = CACHES.stream().map((type) -> new Replay(type, size)).toList();
		int millions = 1;
		replay(trace, replays, millions);
		while (millions < this.limit && (millions < MIN_MILLIONS || !replays.stream().allMatch(Replay::isSteady))) {
			replay(trace, replays, millions);
			millions *= 2;
		}
		List<String> lines = new ArrayList<>(List.of(HEADER));
		for (Replay replay : replays) {
			lines.add(String.join("\t", name, String.valueOf(size), replay.result(), String.valueOf(millions)));
			System.out.println(lines.get(lines.size() - 1));
		}
		this.options.append(lines);
	}

	/*
	 * Doubles the visits of the trace, or begins it. Then notes the ratio of its last
	 * tenth.
	 */
	private static void replay(ClientTrace trace, List<Replay> replays, int millions) {
		boolean begins = replays.get(0).ratios.isEmpty();
		long tenth = (begins ? 1L : 2L) * millions * MILLION / 10;
		visit(trace, replays, (long) millions * MILLION - tenth);
		replays.forEach(Replay::beginTenth);
		visit(trace, replays, tenth);
		replays.forEach(Replay::endTenth);
	}

	private static void visit(ClientTrace trace, List<Replay> replays, long visits) {
		for (long i = 0; i < visits; i++) {
			int client = trace.next();
			for (Replay replay : replays) {
				replay.visit(client, trace.leaves());
			}
		}
	}

	/**
	 * The replay of a trace with a cache. Each full handshake creates a session with a
	 * new id.
	 */
	private static final class Replay {

		private final SessionCacheType type;

		private final SessionCache cache;

		private final Map<Integer, Long> sessions = new HashMap<>();

		private final List<Double> ratios = new ArrayList<>();

		private long sessionsCreated;

		private long hits;

		private long returns;

		private long hitsBefore;

		private long returnsBefore;

		private double firstMillion;

		Replay(SessionCacheType type, int size) {
			this.type = type;
			this.cache = type.create(size, Duration.ofDays(1));
		}

		void visit(int client, boolean leaves) {
			Long offered = this.sessions.get(client);
			boolean resumed = false;
			if (offered != null) {
				this.returns++;
				resumed = this.cache.get(new SessionKey(offered)) != null;
			}
			if (resumed) {
				this.hits++;
			}
			else {
				SessionKey key = new SessionKey(this.sessionsCreated);
				this.cache.put(key, key);
			}
			if (leaves) {
				this.sessions.remove(client);
			}
			else if (!resumed) {
				this.sessions.put(client, this.sessionsCreated);
			}
			this.sessionsCreated += resumed ? 0 : 1;
		}

		void beginTenth() {
			this.hitsBefore = this.hits;
			this.returnsBefore = this.returns;
		}

		void endTenth() {
			if (this.ratios.isEmpty()) {
				this.firstMillion = 100.0 * this.hits / this.returns;
			}
			this.ratios.add(100.0 * (this.hits - this.hitsBefore) / (this.returns - this.returnsBefore));
		}

		boolean isSteady() {
			int last = this.ratios.size() - 1;
			return Math.abs(this.ratios.get(last) - this.ratios.get(last - 1)) <= TOLERANCE;
		}

		private int steadyAfter() {
			double steady = this.ratios.get(this.ratios.size() - 1);
			int first = this.ratios.size() - 1;
			while (first > 0 && Math.abs(this.ratios.get(first - 1) - steady) <= WARM) {
				first--;
			}
			return 1 << first;
		}

		String result() {
			return String.format(Locale.ROOT, "%s\t%.1f\t%.1f\t%d", this.type, this.firstMillion,
					this.ratios.get(this.ratios.size() - 1), steadyAfter());
		}

	}

}
