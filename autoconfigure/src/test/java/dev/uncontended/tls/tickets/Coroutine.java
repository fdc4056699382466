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

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;

import org.jspecify.annotations.Nullable;

/**
 * Runs a task in steps, on a thread of its own. Either this thread runs or the thread
 * that uses this object, so that each schedule is repeatable.
 */
final class Coroutine {

	private static final ExecutorService threads = Executors.newCachedThreadPool((task) -> {
		Thread thread = new Thread(task, "coroutine");
		thread.setDaemon(true);
		return thread;
	});

	private final Runnable task;

	private final Semaphore resumed = new Semaphore(0);

	private final Semaphore paused = new Semaphore(0);

	private volatile int steps;

	private volatile boolean running;

	private volatile boolean killed;

	private volatile @Nullable Throwable failure;

	Coroutine(Runnable task) {
		this.task = task;
	}

	boolean isRunning() {
		return this.running;
	}

	/**
	 * Starts or continues the task, until it has called {@link #pause()} for a number of
	 * times or ends.
	 */
	void resume(int steps) {
		this.steps = steps;
		if (this.running) {
			this.resumed.release();
		}
		else {
			this.running = true;
			threads.execute(this::run);
		}
		this.paused.acquireUninterruptibly();
		if (this.failure != null) {
			throw new IllegalStateException(this.failure);
		}
	}

	private void run() {
		try {
			this.task.run();
		}
		catch (Killed ex) {
			// Expected.
		}
		catch (Throwable ex) {
			this.failure = ex;
		}
		this.running = false;
		this.paused.release();
	}

	/**
	 * Pauses if the task has used up its steps.
	 */
	void pause() {
		if (this.running && this.steps-- <= 0) {
			this.paused.release();
			this.resumed.acquireUninterruptibly();
			if (this.killed) {
				throw new Killed();
			}
		}
	}

	/**
	 * Ends the task at its next step.
	 */
	void kill() {
		this.killed = true;
		if (this.running) {
			this.resumed.release();
			this.paused.acquireUninterruptibly();
		}
	}

	private static final class Killed extends Error {

		private static final long serialVersionUID = 1L;

		Killed() {
			super("killed", null, false, false);
		}

	}

}
