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

package dev.uncontended.tls.tickets;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

/**
 * Runs a task in steps, on a thread of its own. Either this thread runs or the thread
 * that uses this object, so that each schedule is repeatable.
 */
final class Coroutine {

	private static final Executor threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "coroutine");
		thread.setDaemon(true);
		return thread;
	});

	private final Runnable task;

	private final Semaphore resumed = new Semaphore(0);

	private final Semaphore paused = new Semaphore(0);

	private CompletableFuture<Void> run = CompletableFuture.completedFuture(null);

	private int steps;

	private boolean killed;

	Coroutine(Runnable task) {
		this.task = task;
	}

	boolean isRunning() {
		return !this.run.isDone();
	}

	/**
	 * Starts or continues the task, until it has called {@link #pause()} for a number of
	 * times or ends.
	 */
	void resume(int steps) {
		this.steps = steps;
		if (isRunning()) {
			this.resumed.release();
		}
		else {
			this.run = CompletableFuture.runAsync(this.task, threads);
			this.run.whenComplete((result, failure) -> this.paused.release());
		}
		this.paused.acquireUninterruptibly();
		if (!isRunning()) {
			this.run.join();
		}
	}

	/**
	 * Pauses if the task has used up its steps.
	 */
	void pause() {
		if (this.steps-- <= 0) {
			this.paused.release();
			this.resumed.acquireUninterruptibly();
			if (this.killed) {
				throw new AssertionError("killed");
			}
		}
	}

	/**
	 * Ends the task at its next step. From then on, there are no pauses.
	 */
	void kill() {
		this.killed = true;
		if (isRunning()) {
			this.resumed.release();
			this.paused.acquireUninterruptibly();
		}
		this.steps = Integer.MAX_VALUE;
	}

}
