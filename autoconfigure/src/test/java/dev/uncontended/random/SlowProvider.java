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

package dev.uncontended.random;

import java.security.Provider;
import java.security.ProviderException;
import java.security.SecureRandomSpi;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A JCA provider whose algorithm {@value #ALGORITHM} takes at least 10 ms of CPU time for
 * the refill of a buffer, and fails on request.
 */
public final class SlowProvider extends Provider {

	/** The algorithm. */
	public static final String ALGORITHM = "Slow";

	private static final long serialVersionUID = 1L;

	private static final long NANOS = 10_000_000;

	private volatile boolean failing;

	/** Creates a provider that does not fail. */
	public SlowProvider() {
		super(ALGORITHM, "1", "A slow generator");
		putService(new Service(this, "SecureRandom", ALGORITHM, SlowRandom.class.getName(), List.of(), Map.of()) {
			@Override
			public Object newInstance(Object parameters) {
				return new SlowRandom(SlowProvider.this);
			}
		});
	}

	/**
	 * Lets all further refills fail.
	 */
	public void fail() {
		this.failing = true;
	}

	private static final class SlowRandom extends SecureRandomSpi {

		private static final long serialVersionUID = 1L;

		private final SlowProvider provider;

		SlowRandom(SlowProvider provider) {
			this.provider = provider;
		}

		@Override
		protected void engineSetSeed(byte[] seed) {
		}

		@Override
		protected void engineNextBytes(byte[] bytes) {
			if (this.provider.failing) {
				throw new ProviderException("Failed on request");
			}
			long start = System.nanoTime();
			do {
				ThreadLocalRandom.current().nextBytes(bytes);
			}
			while (System.nanoTime() - start < NANOS);
		}

		@Override
		protected byte[] engineGenerateSeed(int length) {
			return new byte[length];
		}

	}

}
