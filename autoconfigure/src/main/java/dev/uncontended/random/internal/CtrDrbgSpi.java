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

import java.security.SecureRandomSpi;
import java.util.Objects;

import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.OperatingSystemSeedSource;

/**
 * Implements the {@code SecureRandom} algorithm {@code CTR_DRBG} of
 * {@link UncontendedProvider}. Instances have no state: all draw from the {@link DropIn}.
 */
public final class CtrDrbgSpi extends SecureRandomSpi {

	private static final long serialVersionUID = 1L;

	@Override
	protected void engineNextBytes(byte[] bytes) {
		DropIn.INSTANCE.nextBytes(bytes);
	}

	@Override
	protected void engineSetSeed(byte[] seed) {
		DropIn.INSTANCE.addSeed(Objects.requireNonNull(seed, "seed must not be null"));
	}

	@Override
	protected byte[] engineGenerateSeed(int length) {
		return OperatingSystemSeedSource.INSTANCE.generate(length);
	}

	@Override
	public String toString() {
		return UncontendedProvider.CTR_DRBG;
	}

}
