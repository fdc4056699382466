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

import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * A random number generator of the JCA: an algorithm and the provider that has it.
 * Immutable.
 * <p>
 * {@value UncontendedProvider#CTR_DRBG} is found whether {@link UncontendedProvider} is
 * installed or not.
 */
public final class RandomAlgorithm {

	private static final String SERVICE_TYPE = "SecureRandom";

	private final String name;

	/**
	 * {@code null} for {@value UncontendedProvider#CTR_DRBG} of
	 * {@value UncontendedProvider#NAME}, which is made without the JCA: the JCA cannot
	 * wipe a generator, and its machinery takes milliseconds to load.
	 */
	private final @Nullable Provider provider;

	private RandomAlgorithm(String name, @Nullable Provider provider) {
		this.name = name;
		this.provider = (provider instanceof UncontendedProvider && name.equals(UncontendedProvider.CTR_DRBG)) ? null
				: provider;
	}

	/**
	 * Finds an algorithm and makes sure that it works by drawing from a first instance.
	 * {@value UncontendedProvider#CTR_DRBG} is not tried: all it needs is the AES that
	 * every JVM has.
	 * @param algorithm a name like {@code CTR_DRBG} or {@code NativePRNG}; case does not
	 * matter
	 * @param provider the name of a provider, or {@code null} for
	 * {@link UncontendedProvider} if the algorithm is {@code CTR_DRBG} and otherwise for
	 * the first that has the algorithm
	 * @return the algorithm
	 * @throws UnavailableAlgorithmException if there is no such provider or no such
	 * algorithm, or if it does not work in this JVM
	 */
	public static RandomAlgorithm of(String algorithm, @Nullable String provider) {
		if (algorithm.equalsIgnoreCase(UncontendedProvider.CTR_DRBG)
				&& (provider == null || provider.equals(UncontendedProvider.NAME))) {
			return new RandomAlgorithm(UncontendedProvider.CTR_DRBG, null);
		}
		for (Provider candidate : candidates()) {
			if (provider != null && !candidate.getName().equals(provider)) {
				continue;
			}
			Provider.Service service = candidate.getService(SERVICE_TYPE, algorithm);
			if (service != null) {
				return checked(new RandomAlgorithm(service.getAlgorithm(), candidate), algorithm, provider);
			}
		}
		throw new UnavailableAlgorithmException(algorithm, provider, "this JVM does not have it", null);
	}

	private static RandomAlgorithm checked(RandomAlgorithm found, String algorithm, @Nullable String provider) {
		try {
			found.check();
			return found;
		}
		catch (RuntimeException ex) {
			throw new UnavailableAlgorithmException(algorithm, provider, "as the provider '" + found.provider()
					+ "' has it, it does not work in this JVM: " + ex.getMessage(), ex);
		}
	}

	private void check() {
		Prng prng = newPrng();
		prng.nextBytes(new byte[16]);
		prng.wipe();
	}

	private boolean works() {
		try {
			check();
			return true;
		}
		catch (RuntimeException ex) {
			return false;
		}
	}

	/**
	 * Returns the algorithms that work in this JVM, having drawn from an instance of
	 * each.
	 * @return the algorithms of all providers, those of the preferred providers first
	 */
	public static List<RandomAlgorithm> available() {
		return candidates().stream()
			.flatMap((provider) -> provider.getServices()
				.stream()
				.filter((service) -> service.getType().equals(SERVICE_TYPE))
				.map((service) -> new RandomAlgorithm(service.getAlgorithm(), provider)))
			.filter(RandomAlgorithm::works)
			.toList();
	}

	private static List<Provider> candidates() {
		List<Provider> candidates = new ArrayList<>();
		Collections.addAll(candidates, Security.getProviders());
		// One that another class loader has installed is not for this one to use.
		candidates.removeIf((candidate) -> candidate.getName().equals(UncontendedProvider.NAME)
				&& !(candidate instanceof UncontendedProvider));
		if (candidates.stream().noneMatch(UncontendedProvider.class::isInstance)) {
			candidates.add(new UncontendedProvider());
		}
		return candidates;
	}

	/**
	 * Returns the name of the algorithm.
	 * @return the name as the provider spells it
	 */
	public String name() {
		return this.name;
	}

	/**
	 * Returns the name of the provider.
	 * @return the name of the provider in use, also where none was asked for
	 */
	public String provider() {
		return (this.provider != null) ? this.provider.getName() : UncontendedProvider.NAME;
	}

	/**
	 * Makes a generator that is seeded from the operating system.
	 */
	Prng newPrng() {
		if (this.provider == null) {
			return new CtrDrbg(SeedSource.operatingSystem(), null);
		}
		try {
			return new JcaPrng(SecureRandom.getInstance(this.name, this.provider), SeedSource.operatingSystem());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new UnavailableAlgorithmException(this.name, provider(),
					"the provider no longer offers it: " + ex.getMessage(), ex);
		}
	}

	/**
	 * Returns the turns of a pool's first refills. Only CTR_DRBG takes turns: its refills
	 * are fast once they are compiled, and others may be slow for any reason.
	 */
	ColdStart coldStart(int stripes) {
		return (this.provider == null) ? ColdStart.of(stripes) : ColdStart.none();
	}

	@Override
	public String toString() {
		return this.name + " of " + provider();
	}

}
