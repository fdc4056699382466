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
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * The JCA provider {@value #NAME}, with two algorithms of {@code SecureRandom}:
 * <ul>
 * <li>{@value #CTR_DRBG}: CTR_DRBG of NIST SP 800-90A Rev. 1 with AES-256 and no
 * derivation function, one generator an instance. Takes
 * {@link java.security.DrbgParameters}.</li>
 * <li>{@value #STRIPED_CTR_DRBG}: thread-safe without a lock. All instances in a JVM
 * share one {@link StripedPool} of such generators.</li>
 * </ul>
 * <p>
 * {@linkplain #install() Installed} it is first in the list, and then {@code new
 * SecureRandom()}, and with it {@code UUID.randomUUID()}, runs on
 * {@value #STRIPED_CTR_DRBG}. Algorithms that are asked for by name, like
 * {@code NativePRNG}, stay what they are.
 */
public final class UncontendedProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Uncontended";

	/** The algorithm with one generator an instance. */
	public static final String CTR_DRBG = "CTR_DRBG";

	/** The thread-safe algorithm. */
	public static final String STRIPED_CTR_DRBG = "StripedCTR_DRBG";

	private static final long serialVersionUID = 1L;

	private static final String TYPE = "SecureRandom";

	/**
	 * Makes a provider that is not installed.
	 */
	public UncontendedProvider() {
		super(NAME, "0.1", "CTR_DRBG (NIST SP 800-90A Rev. 1, AES-256, no derivation function), single and striped");
		// new SecureRandom() takes the first algorithm of the first provider: the
		// thread-safe one. Aliases would lose the ThreadSafe attribute on JDK 17.
		putService(new RandomService(this, STRIPED_CTR_DRBG, StripedCtrDrbgSpi.class, true));
		putService(new RandomService(this, CTR_DRBG, CtrDrbgSpi.class, false));
	}

	/**
	 * Puts the provider first in the list of this JVM. Does nothing if one is there
	 * already.
	 * <p>
	 * {@code UUID} takes its generator when {@code UUID.randomUUID()} is first called,
	 * and keeps it: {@link #isEffective()} tells whether this came in time.
	 */
	public static void install() {
		if (!isInstalled()) {
			Security.removeProvider(NAME);
			Security.insertProviderAt(new UncontendedProvider(), 1);
		}
	}

	/**
	 * Takes the provider off the list. Whoever has a generator of it, like {@code UUID},
	 * keeps that, and it goes on to work. Does nothing if there is no such provider in
	 * the list.
	 */
	public static void uninstall() {
		Security.removeProvider(NAME);
	}

	/**
	 * Tells whether {@code new SecureRandom()} is a generator of this provider.
	 * @return whether the provider is the first in the list that has a generator
	 */
	public static boolean isInstalled() {
		for (Provider provider : Security.getProviders()) {
			if (provider.getServices().stream().anyMatch((service) -> service.getType().equals(TYPE))) {
				return provider.getName().equals(NAME);
			}
		}
		return false;
	}

	/**
	 * Tells whether {@code UUID.randomUUID()} runs on this provider. As long as the
	 * provider is not installed this does not touch {@code UUID}; if it is, this may be
	 * what makes {@code UUID} take its generator.
	 * @return {@code true} if the provider was installed before {@code UUID} took its
	 * generator, also after it was taken off the list again
	 */
	public static boolean isEffective() {
		return StripedCtrDrbgSpi.wasObserved()
				|| (isInstalled() && StripedCtrDrbgSpi.observes(() -> UUID.randomUUID()));
	}

	/**
	 * Wipes every buffer and drops all state of the shared pool. Draws go on, but slowly.
	 *
	 * @see StripedPool#suspend()
	 */
	public static void suspend() {
		StripedCtrDrbgSpi.pool().suspend();
	}

	/**
	 * Seeds the shared pool anew from the operating system.
	 *
	 * @see StripedPool#resume()
	 */
	public static void resume() {
		StripedCtrDrbgSpi.pool().resume();
	}

	/**
	 * A service that needs no reflection.
	 */
	private static final class RandomService extends Service {

		private final boolean striped;

		RandomService(Provider provider, String algorithm, Class<?> type, boolean striped) {
			super(provider, TYPE, algorithm, type.getName(), List.of(), attributes(striped));
			this.striped = striped;
		}

		private static Map<String, String> attributes(boolean striped) {
			return striped ? Map.of("ThreadSafe", "true", "ImplementedIn", "Software")
					: Map.of("ImplementedIn", "Software");
		}

		@Override
		public Object newInstance(Object parameters) throws NoSuchAlgorithmException {
			try {
				return this.striped ? new StripedCtrDrbgSpi(parameters) : new CtrDrbgSpi(parameters);
			}
			catch (IllegalArgumentException ex) {
				throw new NoSuchAlgorithmException(ex.getMessage(), ex);
			}
		}

	}

}
