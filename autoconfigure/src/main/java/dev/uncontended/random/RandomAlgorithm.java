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
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * A random number generator of the JCA: an algorithm and the provider that has it.
 * Immutable.
 * <p>
 * The algorithms of {@link UncontendedProvider} are found whether it is installed or not.
 */
public final class RandomAlgorithm {

	private static final String SERVICE_TYPE = "SecureRandom";

	private final String name;

	private final Provider provider;

	private RandomAlgorithm(String name, Provider provider) {
		this.name = name;
		this.provider = provider;
	}

	/**
	 * Finds an algorithm and makes sure that it works by drawing from a first instance.
	 * @param algorithm a name like {@code CTR_DRBG} or {@code NativePRNG}; case does not
	 * matter
	 * @param provider the name of a provider, or {@code null} for the first that has the
	 * algorithm
	 * @return the algorithm
	 * @throws UnavailableAlgorithmException if there is no such provider or no such
	 * algorithm, or if it does not work in this JVM
	 */
	public static RandomAlgorithm of(String algorithm, @Nullable String provider) {
		if (provider != null && providers().stream().noneMatch(provider::equals)) {
			throw new UnavailableAlgorithmException(algorithm, provider, "Unknown provider '" + provider
					+ "' for the algorithm '" + algorithm + "': must be one of " + providers(), null);
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
		throw new UnavailableAlgorithmException(algorithm, provider,
				"Unknown algorithm '" + algorithm + "'"
						+ ((provider != null) ? " of the provider '" + provider + "'" : "") + ": must be one of "
						+ available(provider),
				null);
	}

	private static RandomAlgorithm checked(RandomAlgorithm found, String algorithm, @Nullable String provider) {
		try {
			Prng prng = found.newPrng();
			prng.nextBytes(new byte[16]);
			prng.wipe();
			return found;
		}
		catch (RuntimeException ex) {
			throw new UnavailableAlgorithmException(algorithm, provider,
					"The algorithm '" + found.name + "' of the provider '" + found.provider()
							+ "' does not work in this JVM: " + ex.getMessage() + ". The alternatives are "
							+ available(provider),
					ex);
		}
	}

	/**
	 * Returns the algorithms that this JVM offers.
	 * @param provider the name of a provider, or {@code null} for all
	 * @return the names, sorted; those of all providers if there is no such provider
	 */
	public static List<String> available(@Nullable String provider) {
		boolean known = provider != null && providers().contains(provider);
		TreeSet<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
		for (Provider candidate : candidates()) {
			if (!known || candidate.getName().equals(provider)) {
				names.addAll(algorithms(candidate));
			}
		}
		return List.copyOf(names);
	}

	/**
	 * Returns the providers that have a random number generator.
	 * @return the names, in order of preference
	 */
	public static List<String> providers() {
		return candidates().stream()
			.filter((provider) -> !algorithms(provider).isEmpty())
			.map(Provider::getName)
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

	private static List<String> algorithms(Provider provider) {
		return provider.getServices()
			.stream()
			.filter((service) -> service.getType().equals(SERVICE_TYPE))
			.map(Provider.Service::getAlgorithm)
			.toList();
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
		return this.provider.getName();
	}

	/**
	 * Makes a generator that is seeded from the operating system.
	 */
	Prng newPrng() {
		if (this.provider instanceof UncontendedProvider && this.name.equals(UncontendedProvider.CTR_DRBG)) {
			// Without the JCA in between, because the JCA cannot wipe a generator.
			return new CtrDrbg(SeedSource.operatingSystem(), null);
		}
		try {
			return new JcaPrng(SecureRandom.getInstance(this.name, this.provider), SeedSource.operatingSystem());
		}
		catch (NoSuchAlgorithmException ex) {
			throw new UnavailableAlgorithmException(this.name, provider(),
					"The provider " + provider() + " no longer offers " + this.name, ex);
		}
	}

	@Override
	public String toString() {
		return this.name + " of " + provider();
	}

}
