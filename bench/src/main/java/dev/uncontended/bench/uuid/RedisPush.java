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

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.bench.tls.ServerProcess;
import dev.uncontended.uuid.UuidGenerator;
import redis.clients.jedis.Jedis;

/**
 * Measures the end-to-end benefit of faster ids: threads push batches of ids to lists in
 * a real Redis. {@code UUID.randomUUID()} and {@code UuidGenerator} alternate in rounds,
 * each of which begins with the other source than the round before. Needs
 * {@code redis-server} on the path.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * {@code threads}, {@code batches}, {@code seconds} per round, {@code rounds}, and
 * {@code results}, a file to which the raw results are appended.
 */
public final class RedisPush {

	private static final String HEADER = "threads\tids a push\tsource\tround\t1000 ids/s";

	/** A list is dropped after this number of pushes to keep Redis small. */
	private static final int PUSHES_A_LIST = 500;

	private final int port;

	private final int seconds;

	private RedisPush(int port, int seconds) {
		this.port = port;
		this.seconds = seconds;
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if Redis fails
	 */
	public static void main(String[] args) throws Exception {
		Options options = Options.parse(args,
				Map.of("threads", "1,32,300", "batches", "1,10,100", "seconds", "1", "rounds", "11", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		try (UuidGenerator generator = UuidGenerator.builder().build(); ServerProcess redis = ServerProcess.redis()) {
			List<Source> sources = List.of(new Source("JDK", UUID::randomUUID),
					new Source("UNCONTENDED", generator::randomUuid));
			RedisPush push = new RedisPush(redis.port(), options.number("seconds"));
			for (String threads : options.list("threads")) {
				for (String batch : options.list("batches")) {
					results.addAll(push.rounds(sources, options.number("rounds"), threads, batch));
				}
			}
		}
		options.append(results);
		Rounds.table(results).forEach(System.out::println);
	}

	private List<String> rounds(List<Source> sources, int rounds, String threads, String batch) throws Exception {
		List<String> results = new ArrayList<>();
		// Round 0 is the warm-up.
		for (int round = 0; round <= rounds; round++) {
			for (int i = 0; i < sources.size(); i++) {
				Source source = sources.get((round + 1 + i) % sources.size());
				double rate = rate(source.uuids, Integer.parseInt(threads), Integer.parseInt(batch));
				if (round > 0) {
					results.add(String.join("\t", threads, batch, source.name, String.valueOf(round),
							String.format(Locale.ROOT, "%.2f", rate / 1e3)));
				}
			}
		}
		return results;
	}

	private double rate(Supplier<UUID> source, int threads, int batch) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			long start = System.nanoTime();
			long end = start + TimeUnit.SECONDS.toNanos(this.seconds);
			List<Future<Long>> pushing = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				String list = "ids:" + i;
				pushing.add(executor.submit(() -> push(source, list, batch, end)));
			}
			long pushed = 0;
			for (Future<Long> each : pushing) {
				pushed += each.get();
			}
			return pushed / ((System.nanoTime() - start) / 1e9);
		}
		finally {
			executor.shutdownNow();
		}
	}

	private long push(Supplier<UUID> source, String list, int batch, long end) {
		try (Jedis jedis = new Jedis("127.0.0.1", this.port)) {
			String[] values = new String[batch];
			long pushes = 0;
			while (System.nanoTime() < end) {
				for (int i = 0; i < batch; i++) {
					values[i] = source.get().toString();
				}
				jedis.rpush(list, values);
				if (++pushes % PUSHES_A_LIST == 0) {
					jedis.unlink(list);
				}
			}
			jedis.unlink(list);
			return pushes * batch;
		}
	}

	private record Source(String name, Supplier<UUID> uuids) {
	}

}
