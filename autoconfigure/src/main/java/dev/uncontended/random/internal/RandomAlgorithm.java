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

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;

import dev.uncontended.random.UnavailableAlgorithmException;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.CtrDrbg;
import dev.uncontended.random.prng.JcaPrng;
import dev.uncontended.random.prng.OperatingSystemSeedSource;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of a JCA random number generator, with its provider. Immutable.
 */
public final class RandomAlgorithm {

	/**
	 * The algorithm of {@link UncontendedProvider}, which need not be installed.
	 * Generators are created without the JCA, because the JCA cannot wipe a generator.
	 */
	static final RandomAlgorithm CTR_DRBG = new RandomAlgorithm(UncontendedProvider.CTR_DRBG, null);

	private final String name;

	/** The provider, or {@code null} for {@link #CTR_DRBG}. */
	private final @Nullable Provider provider;

	private RandomAlgorithm(String name, @Nullable Provider provider) {
		this.name = name;
		this.provider = provider;
	}

	/**
	 * Finds an algorithm, and generates bytes to verify that the algorithm works.
	 * {@value UncontendedProvider#CTR_DRBG} of {@link UncontendedProvider} is not
	 * verified.
	 * @param algorithm an algorithm name, case-insensitive
	 * @param provider a provider name, case-sensitive; {@code null} selects the first
	 * provider that offers the algorithm, or {@link UncontendedProvider} for
	 * {@code CTR_DRBG}
	 * @throws UnavailableAlgorithmException if no such algorithm works in this JVM
	 */
	public static RandomAlgorithm of(String algorithm, @Nullable String provider) {
		if (algorithm.equalsIgnoreCase(UncontendedProvider.CTR_DRBG)
				&& (provider == null || provider.equals(UncontendedProvider.NAME))) {
			return CTR_DRBG;
		}
		RandomAlgorithm found = find(algorithm, provider);
		try {
			found.check();
			return found;
		}
		catch (RuntimeException | LinkageError | AssertionError ex) {
			throw new UnavailableAlgorithmException(algorithm, provider, "the implementation of the provider '"
					+ found.provider() + "' does not work in this JVM: " + ex.getMessage(), ex);
		}
	}

	private static RandomAlgorithm find(String algorithm, @Nullable String provider) {
		for (Provider candidate : Security.getProviders()) {
			String name = candidate.getName();
			// By name, because the UncontendedProvider may be another class loader's
			// copy.
			if (!name.equals(UncontendedProvider.NAME) && (provider == null || provider.equals(name))) {
				Provider.Service service = candidate.getService("SecureRandom", algorithm);
				if (service != null) {
					return new RandomAlgorithm(service.getAlgorithm(), service.getProvider());
				}
			}
		}
		throw new UnavailableAlgorithmException(algorithm, provider, "this JVM does not offer it", null);
	}

	/**
	 * Generates bytes, and throws an exception or error if the algorithm does not work.
	 */
	void check() {
		Prng prng = newPrng();
		try {
			prng.nextBytes(new byte[16]);
		}
		finally {
			prng.wipe();
		}
	}

	/**
	 * Returns the name of the algorithm in the provider's spelling.
	 */
	public String name() {
		return this.name;
	}

	public String provider() {
		return (this.provider != null) ? this.provider.getName() : UncontendedProvider.NAME;
	}

	Prng newPrng() {
		if (this.provider == null) {
			return new CtrDrbg(OperatingSystemSeedSource.INSTANCE);
		}
		try {
			return new JcaPrng(SecureRandom.getInstance(this.name, this.provider), OperatingSystemSeedSource.INSTANCE);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new UnavailableAlgorithmException(this.name, provider(),
					"the provider no longer offers it: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns the object that serializes a pool's first refills. For algorithms other
	 * than CTR_DRBG, the object does nothing.
	 */
	ColdStart coldStart(int stripes) {
		return (this.provider == null) ? ColdStart.of(stripes) : ColdStart.none();
	}

	@Override
	public String toString() {
		return this.name + " of " + provider();
	}

}
