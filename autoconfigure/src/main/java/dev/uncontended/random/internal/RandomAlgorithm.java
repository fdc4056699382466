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
import java.util.function.Supplier;

import dev.uncontended.random.UnavailableAlgorithmException;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.CtrDrbg;
import dev.uncontended.random.prng.JcaPrng;
import dev.uncontended.random.prng.OperatingSystemSeedSource;
import dev.uncontended.random.prng.Prng;
import org.jspecify.annotations.Nullable;

/**
 * The algorithm of a random number generator, with its provider, which supplies
 * generators. Immutable.
 */
public interface RandomAlgorithm extends Supplier<Prng> {

	/**
	 * Finds an algorithm. For algorithms of the JCA, generates bytes to verify that the
	 * algorithm works.
	 * @param algorithm an algorithm name, case-insensitive
	 * @param provider a provider name, case-sensitive; {@code null} selects the
	 * {@linkplain BuiltIn built-in} algorithm or the first provider that offers the
	 * algorithm
	 * @throws UnavailableAlgorithmException if no such algorithm works in this JVM
	 */
	static RandomAlgorithm of(String algorithm, @Nullable String provider) {
		for (RandomAlgorithm builtIn : BuiltIn.values()) {
			if (builtIn.name().equalsIgnoreCase(algorithm)
					&& (provider == null || provider.equals(builtIn.provider()))) {
				return builtIn;
			}
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
			// By name, because it may be another class loader's copy.
			if (!name.equals(UncontendedProvider.NAME) && (provider == null || provider.equals(name))) {
				Provider.Service service = candidate.getService("SecureRandom", algorithm);
				if (service != null) {
					return new Jca(service.getAlgorithm(), service.getProvider());
				}
			}
		}
		throw new UnavailableAlgorithmException(algorithm, provider, "this JVM does not offer it", null);
	}

	/**
	 * Returns the name of the algorithm in the provider's spelling.
	 */
	String name();

	String provider();

	/**
	 * Returns the object that serializes a pool's first refills, or an object that does
	 * nothing.
	 */
	ColdStart coldStart(int stripes);

	/**
	 * Generates bytes, and throws an exception or error if the algorithm does not work.
	 */
	default void check() {
		Prng prng = get();
		try {
			prng.nextBytes(new byte[16]);
		}
		finally {
			prng.wipe();
		}
	}

	/**
	 * The algorithms of {@link UncontendedProvider}, which need not be installed. Their
	 * generators are created without the JCA, because the JCA cannot wipe a generator.
	 */
	enum BuiltIn implements RandomAlgorithm {

		/** The algorithm of {@link CtrDrbg}. */
		CTR_DRBG;

		@Override
		public String provider() {
			return UncontendedProvider.NAME;
		}

		@Override
		public Prng get() {
			return new CtrDrbg(OperatingSystemSeedSource.INSTANCE);
		}

		@Override
		public ColdStart coldStart(int stripes) {
			return ColdStart.of(stripes);
		}

	}

	/**
	 * An algorithm of another JCA provider.
	 */
	record Jca(String name, Provider source) implements RandomAlgorithm {

		@Override
		public String provider() {
			return this.source.getName();
		}

		@Override
		public Prng get() {
			try {
				return new JcaPrng(SecureRandom.getInstance(this.name, this.source),
						OperatingSystemSeedSource.INSTANCE);
			}
			catch (NoSuchAlgorithmException ex) {
				throw new UnavailableAlgorithmException(this.name, provider(),
						"the provider no longer offers it: " + ex.getMessage(), ex);
			}
		}

		@Override
		public ColdStart coldStart(int stripes) {
			return ColdStart.none();
		}

	}

}
