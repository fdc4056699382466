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

package dev.uncontended.random.internal;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.CountDownLatch;

import dev.uncontended.random.prng.Prng;

/**
 * Numbers its slots instead of creating random ones, so that each identifies its
 * generator and position: the first half is the number of the generator, the second the
 * number of the slot. Both start at 1, because zeros must never be drawn.
 */
class NumberingPrng implements Prng {

	private final long generator;

	private long slot;

	NumberingPrng(long generator) {
		this.generator = generator;
	}

	@Override
	public void nextBytes(byte[] bytes) {
		ByteBuffer buffer = ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder());
		while (buffer.remaining() >= Batch.SLOT) {
			buffer.putLong(this.generator).putLong(++this.slot);
		}
	}

	@Override
	public void reseed() {
	}

	@Override
	public void addSeed(byte[] seed) {
	}

	@Override
	public void wipe() {
	}

	/**
	 * Waits for a test during an operation of the generator.
	 */
	static void awaitUninterruptibly(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
