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

import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandomSpi;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A JCA provider whose generator fails as set by a test. It writes an increasing count
 * without zero bytes, so that unwritten bytes are recognizable. Each seed repeats the
 * number of the seed.
 */
public final class FaultyProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Faulty";

	private static final long serialVersionUID = 1L;

	private final AtomicInteger seeds = new AtomicInteger();

	private volatile Fault fault = Fault.NONE;

	/** Creates a provider without a fault. */
	public FaultyProvider() {
		super(NAME, "1", "A generator that fails on request");
		putService(new Service(this, "SecureRandom", "Faulty", FaultyRandom.class.getName(), List.of(), Map.of()) {
			@Override
			public Object newInstance(Object parameters) {
				return new FaultyRandom(FaultyProvider.this);
			}
		});
	}

	/**
	 * Sets the fault of all generators of this provider.
	 * @param fault the fault
	 */
	public void fail(Fault fault) {
		this.fault = fault;
	}

	/** The faults of a generator. */
	public enum Fault {

		/** No fault. */
		NONE,

		/** Throws an exception after half of the bytes. */
		THROWS_HALFWAY,

		/** Does not write the last byte that is handed out. */
		SHORT_BY_A_BYTE,

		/** Does not write the second half. */
		SHORT_BY_HALF,

		/** Writes nothing. */
		WRITES_NOTHING,

		/** Repeats a block from the middle on. */
		STUCK_HALFWAY,

		/** Repeats the same seven blocks. */
		REPEATS_SEVEN_BLOCKS,

		/** Does not write two blocks in the middle. */
		LEAVES_A_HOLE,

		/** Repeats its previous output. */
		REPEATS_ITSELF,

		/** Takes at least 10 ms of CPU time for the refill of a buffer. */
		SLOW

	}

	private static final class FaultyRandom extends SecureRandomSpi {

		private static final long serialVersionUID = 1L;

		/** The number of bytes that the pool requests but does not hand out. */
		private static final int GUARD = 16;

		private final FaultyProvider provider;

		FaultyRandom(FaultyProvider provider) {
			this.provider = provider;
		}

		@Override
		protected void engineSetSeed(byte[] seed) {
		}

		@Override
		protected void engineNextBytes(byte[] bytes) {
			int half = bytes.length / 2 / 16 * 16;
			switch (this.provider.fault) {
				case NONE -> write(bytes, bytes.length);
				case THROWS_HALFWAY -> {
					write(bytes, half);
					throw new ProviderException("Broken on purpose");
				}
				case SHORT_BY_A_BYTE -> write(bytes, bytes.length - GUARD - 1);
				case SHORT_BY_HALF -> write(bytes, half);
				case WRITES_NOTHING -> {
				}
				case STUCK_HALFWAY -> {
					write(bytes, bytes.length);
					for (int i = half; i < bytes.length; i++) {
						bytes[i] = bytes[i - 16];
					}
				}
				case REPEATS_SEVEN_BLOCKS -> {
					write(bytes, bytes.length);
					for (int i = 7 * 16; i < bytes.length; i++) {
						bytes[i] = bytes[i - 7 * 16];
					}
				}
				case LEAVES_A_HOLE -> {
					write(bytes, bytes.length);
					Arrays.fill(bytes, half, half + 32, (byte) 0);
				}
				case SLOW -> {
					long start = System.nanoTime();
					do {
						write(bytes, bytes.length);
					}
					while (System.nanoTime() - start < 10_000_000);
				}
				case REPEATS_ITSELF -> {
					for (int i = 0; i < bytes.length; i++) {
						bytes[i] = (byte) (1 + i / 16);
					}
				}
			}
		}

		private static void write(byte[] bytes, int length) {
			for (int i = 0; i < length; i++) {
				bytes[i] = (byte) ThreadLocalRandom.current().nextInt(1, 128);
			}
		}

		@Override
		protected byte[] engineGenerateSeed(int length) {
			byte[] seed = new byte[length];
			Arrays.fill(seed, (byte) this.provider.seeds.incrementAndGet());
			return seed;
		}

	}

}
