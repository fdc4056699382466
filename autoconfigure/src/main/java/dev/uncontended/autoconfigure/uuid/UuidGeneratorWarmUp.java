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

package dev.uncontended.autoconfigure.uuid;

import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import dev.uncontended.uuid.UuidGenerator;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.context.SmartLifecycle;

/**
 * Draws from generators of its own, in the background, once the server is open, so that
 * the JVM compiles what a draw runs through before it has much else to do: with more busy
 * threads than processors its compiler hardly gets to run, and AES without the
 * processor's instructions is slow. It holds nothing up, ends after at most a second, and
 * nothing of it is counted.
 */
class UuidGeneratorWarmUp implements SmartLifecycle {

	private static final Log logger = LogFactory.getLog(UuidGeneratorWarmUp.class);

	/**
	 * More than the calls after which HotSpot compiles a method with its best compiler.
	 */
	private static final int REFILLS = 6000;

	private static final int DRAWS = 20_000;

	private static final long LIMIT = TimeUnit.SECONDS.toNanos(1);

	private volatile @Nullable Thread thread;

	@Override
	public void start() {
		Thread thread = new Thread(this::draw, "uncontended-warm-up");
		thread.setDaemon(true);
		this.thread = thread;
		thread.start();
	}

	private void draw() {
		long end = System.nanoTime() + LIMIT;
		UUID[] ids = new UUID[4];
		try (UuidGenerator small = UuidGenerator.builder().stripes(1).bufferSize(64).build();
				UuidGenerator large = UuidGenerator.builder().stripes(1).build()) {
			repeat(REFILLS, end, small, (generator) -> generator.fill(ids));
			repeat(DRAWS, end, large, UuidGenerator::randomUuid);
			repeat(DRAWS, end, large, UuidGenerator::timeOrderedUuid);
		}
		catch (RuntimeException ex) {
			logger.debug("The warm-up ended early", ex);
		}
	}

	private void repeat(int times, long end, UuidGenerator generator, Consumer<UuidGenerator> action) {
		for (int i = 0; i < times && isRunning() && System.nanoTime() - end < 0; i++) {
			action.accept(generator);
		}
	}

	@Override
	public void stop() {
		Thread thread = this.thread;
		this.thread = null;
		if (thread != null) {
			try {
				thread.join();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}
	}

	@Override
	public boolean isRunning() {
		return this.thread != null;
	}

}
