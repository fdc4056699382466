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

import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures version 4 UUIDs, created by 10,000 virtual threads. Each thread creates 100,
 * and yields after every ten. An operation is one UUID. Requires JDK 21. The benchmarks
 * are compiled for JDK 17, so the executor is created reflectively.
 */
public class VirtualThreadBenchmark extends UuidBenchmark {

	private static final int THREADS = 10_000;

	private static final int UUIDS = 100;

	private static final int TURN = 10;

	/** The implementation. */
	@Param({ "JDK", "DROP_IN", "UNCONTENDED", "THREAD_LOCAL_BUFFER" })
	RandomUuidBenchmark.Implementation implementation = RandomUuidBenchmark.Implementation.JDK;

	private Supplier<UUID> uuids = UUID::randomUUID;

	private ExecutorService executor;

	/**
	 * Creates the implementation and the executor.
	 * @throws ReflectiveOperationException if this JDK does not support virtual threads
	 */
	@Setup
	public void setUp() throws ReflectiveOperationException {
		this.uuids = this.implementation.factory.get();
		this.executor = (ExecutorService) Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
	}

	/** Closes the executor. */
	@TearDown
	public void tearDown() {
		this.executor.shutdown();
	}

	/**
	 * Creates the UUIDs of all threads.
	 * @param blackhole consumes the UUIDs
	 * @throws InterruptedException if the benchmark is interrupted
	 */
	@Benchmark
	@OperationsPerInvocation(THREADS * UUIDS)
	public void randomUuid(Blackhole blackhole) throws InterruptedException {
		CountDownLatch done = new CountDownLatch(THREADS);
		for (int i = 0; i < THREADS; i++) {
			this.executor.execute(() -> {
				draw(blackhole);
				done.countDown();
			});
		}
		done.await();
	}

	private void draw(Blackhole blackhole) {
		for (int i = 1; i <= UUIDS; i++) {
			blackhole.consume(this.uuids.get());
			if (i % TURN == 0) {
				Thread.yield();
			}
		}
	}

}
