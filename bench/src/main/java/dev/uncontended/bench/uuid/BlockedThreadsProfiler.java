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

import java.util.List;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.ScalarResult;

/**
 * A profiler of JMH: the percentage of samples in which a thread of the benchmark waits
 * for a monitor. A sample reads the states of the threads, and stops none of them.
 */
public final class BlockedThreadsProfiler implements InternalProfiler {

	/** The name of the result. */
	public static final String BLOCKED = "blocked";

	private static final int INTERVAL_MILLIS = 5;

	private static final String WORKER = "-jmh-worker-";

	private volatile boolean running;

	private volatile long samples;

	private volatile long blocked;

	@SuppressWarnings("NullAway.Init")
	private Thread sampler;

	@Override
	public String getDescription() {
		return "The percentage of samples in which a thread waits for a monitor";
	}

	@Override
	public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
		this.running = true;
		this.samples = 0;
		this.blocked = 0;
		this.sampler = new Thread(this::sample, "sampler");
		this.sampler.start();
	}

	private void sample() {
		ThreadGroup all = Thread.currentThread().getThreadGroup();
		while (all.getParent() != null) {
			all = all.getParent();
		}
		Thread[] threads = new Thread[1024];
		long samples = 0;
		long blocked = 0;
		while (this.running) {
			int count = all.enumerate(threads);
			for (int i = 0; i < count; i++) {
				if (threads[i].getName().contains(WORKER)) {
					samples++;
					blocked += (threads[i].getState() == Thread.State.BLOCKED) ? 1 : 0;
				}
			}
			sleep();
		}
		this.samples = samples;
		this.blocked = blocked;
	}

	private static void sleep() {
		try {
			Thread.sleep(INTERVAL_MILLIS);
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	@Override
	public List<ScalarResult> afterIteration(BenchmarkParams benchmark, IterationParams iteration,
			IterationResult result) {
		this.running = false;
		try {
			this.sampler.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		return List.of(new ScalarResult(BLOCKED, 100.0 * this.blocked / Math.max(1, this.samples), "%",
				AggregationPolicy.AVG));
	}

}
