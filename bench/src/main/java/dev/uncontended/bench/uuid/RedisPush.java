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

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import dev.uncontended.uuid.UuidGenerator;
import org.jspecify.annotations.Nullable;
import redis.clients.jedis.Jedis;
import redis.clients.jedis.exceptions.JedisConnectionException;

/**
 * Measures the end-to-end benefit of faster ids: threads push batches of ids to lists in
 * a real Redis. Prints a table with thousands of ids per second, the median of the
 * rounds:
 * {@code java -cp benchmarks.jar dev.uncontended.bench.uuid.RedisPush [seconds [rounds]]}.
 * {@code UUID.randomUUID()} and {@code UuidGenerator} alternate between rounds. If
 * {@code redis-server} is not on the path, the program prints a message and ends.
 */
public final class RedisPush {

	private static final int[] THREADS = { 1, 32, 300 };

	private static final int[] IDS_A_PUSH = { 1, 10, 100 };

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
	 * @param args the seconds per round and the number of rounds, 3 by default
	 * @throws Exception if Redis fails
	 */
	public static void main(String[] args) throws Exception {
		int seconds = (args.length > 0) ? Integer.parseInt(args[0]) : 3;
		int rounds = (args.length > 1) ? Integer.parseInt(args[1]) : 3;
		int port = freePort();
		Process redis = start(port);
		if (redis == null) {
			System.out.println("Skipped: redis-server is not on the path");
			return;
		}
		try (UuidGenerator generator = UuidGenerator.builder().build()) {
			awaitRedis(port);
			new RedisPush(port, seconds).printTable(rounds, generator);
		}
		finally {
			redis.destroy();
			redis.waitFor();
		}
	}

	private static @Nullable Process start(int port) {
		try {
			return new ProcessBuilder("redis-server", "--bind", "127.0.0.1", "--port", String.valueOf(port), "--save",
					"", "--appendonly", "no")
				.redirectOutput(ProcessBuilder.Redirect.DISCARD)
				.start();
		}
		catch (IOException ex) {
			return null;
		}
	}

	private static int freePort() throws IOException {
		try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
			return socket.getLocalPort();
		}
	}

	private static void awaitRedis(int port) throws InterruptedException {
		for (int attempt = 1;; attempt++) {
			try (Jedis jedis = new Jedis("127.0.0.1", port)) {
				jedis.ping();
				return;
			}
			catch (JedisConnectionException ex) {
				if (attempt == 100) {
					throw ex;
				}
				TimeUnit.MILLISECONDS.sleep(50);
			}
		}
	}

	private void printTable(int rounds, UuidGenerator generator) throws Exception {
		System.out.println("| threads | ids a push | `UUID.randomUUID()` | `UuidGenerator` | gain |");
		System.out.println("|---|---|---|---|---|");
		push(UUID::randomUUID, 2, 10);
		push(generator::randomUuid, 2, 10);
		for (int threads : THREADS) {
			for (int ids : IDS_A_PUSH) {
				double[] jdk = new double[rounds];
				double[] uncontended = new double[rounds];
				for (int round = 0; round < rounds; round++) {
					jdk[round] = push(UUID::randomUUID, threads, ids);
					uncontended[round] = push(generator::randomUuid, threads, ids);
				}
				Arrays.sort(jdk);
				Arrays.sort(uncontended);
				double before = jdk[rounds / 2];
				double after = uncontended[rounds / 2];
				System.out.printf("| %d | %d | %.0f | %.0f | %.2f |%n", threads, ids, before / 1000, after / 1000,
						after / before);
			}
		}
	}

	private double push(Supplier<UUID> source, int threads, int ids) throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(threads);
		try {
			long start = System.nanoTime();
			long end = start + TimeUnit.SECONDS.toNanos(this.seconds);
			List<Future<Long>> pushing = new ArrayList<>();
			for (int i = 0; i < threads; i++) {
				String list = "ids:" + i;
				pushing.add(executor.submit(() -> push(source, list, ids, end)));
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

	private long push(Supplier<UUID> source, String list, int ids, long end) {
		try (Jedis jedis = new Jedis("127.0.0.1", this.port)) {
			String[] values = new String[ids];
			long pushes = 0;
			while (System.nanoTime() < end) {
				for (int i = 0; i < ids; i++) {
					values[i] = source.get().toString();
				}
				jedis.rpush(list, values);
				if (++pushes % PUSHES_A_LIST == 0) {
					jedis.unlink(list);
				}
			}
			jedis.unlink(list);
			return pushes * ids;
		}
	}

}
