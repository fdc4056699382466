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

import java.io.Serializable;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.jspecify.annotations.Nullable;

/**
 * The JCA provider {@value #NAME}, with one algorithm of {@code SecureRandom},
 * {@value #CTR_DRBG}: CTR_DRBG of NIST SP 800-90A Rev. 1 with AES-256 and no derivation
 * function. It is thread-safe without a lock: all instances in a JVM share one
 * {@link StripedPool} of such generators. Instances take no parameters, and can be
 * serialized, which writes no state of a generator.
 * <p>
 * {@linkplain #install() Installed} it is first in the list, and then {@code new
 * SecureRandom()}, and with it {@code UUID.randomUUID()}, runs on {@value #CTR_DRBG}.
 * Algorithms that are asked for by name, like {@code NativePRNG}, stay what they are.
 * <p>
 * The list is the JVM's, so those that want the provider there are counted, across class
 * loaders: the last one takes it out. A second class loader uses the provider of the
 * first and shares nothing but types of the JDK with it, which are in the provider's map.
 * If {@code UUID} has taken its generator from the provider it keeps that for good, and
 * with it the class loader that the provider came from; what it draws then comes from the
 * JDK's own generator.
 */
public final class UncontendedProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Uncontended";

	/** The name of the algorithm. */
	public static final String CTR_DRBG = "CTR_DRBG";

	private static final long serialVersionUID = 1L;

	private static final String TYPE = "SecureRandom";

	/** Keys of the provider's map. They have no dot, so that none is a service. */
	private static final String USERS = "Users";

	private static final String START = "Start";

	private static final String STOP = "Stop";

	private static final String EFFECTIVE = "Effective";

	/**
	 * Makes a provider that is not installed.
	 */
	public UncontendedProvider() {
		super(NAME, "0.1", "CTR_DRBG (NIST SP 800-90A Rev. 1, AES-256, no derivation function) from a striped pool");
		// No alias: it would lose the ThreadSafe attribute on JDK 17.
		putService(new RandomService(this));
		put(USERS, new AtomicInteger());
		put(START, (Runnable) CtrDrbgSpi::start);
		put(STOP, (Consumer<SecureRandom>) CtrDrbgSpi::stop);
		put(EFFECTIVE, (BooleanSupplier) () -> CtrDrbgSpi.observes(() -> UUID.randomUUID()));
	}

	/**
	 * Puts the provider first in the list of this JVM, if it is not there already. Each
	 * call is to be followed by one of {@link #uninstall()}.
	 * <p>
	 * {@code UUID} takes its generator when {@code UUID.randomUUID()} is first called,
	 * and keeps it: {@link #isEffective()} tells whether this came in time.
	 * @throws java.security.ProviderException if the generator does not work in this JVM;
	 * the list stays as it is
	 */
	public static void install() {
		// The list's own lock, for other class loaders come here through classes of their
		// own.
		synchronized (Security.class) {
			Provider listed = Security.getProvider(NAME);
			Provider provider = (listed != null) ? listed : new UncontendedProvider();
			if (!(provider.get(USERS) instanceof AtomicInteger users
					&& provider.get(START) instanceof Runnable start)) {
				throw new IllegalStateException("There is a provider " + NAME + " of another version in this JVM");
			}
			start.run();
			if (!isInstalled()) {
				Security.removeProvider(NAME);
				Security.insertProviderAt(provider, 1);
			}
			users.getAndIncrement();
		}
	}

	/**
	 * Takes the provider off the list, wipes its generators and drops their state, if
	 * {@link #install()} was called no more often than this method. Those that have a
	 * generator of the provider, like {@code UUID}, draw from the JDK's own from then on.
	 * Does nothing if there is no such provider in the list.
	 */
	@SuppressWarnings("unchecked")
	public static void uninstall() {
		synchronized (Security.class) {
			Provider listed = Security.getProvider(NAME);
			if (listed != null && listed.get(USERS) instanceof AtomicInteger users
					&& listed.get(STOP) instanceof Consumer<?> stop
					&& users.updateAndGet((count) -> Math.max(0, count - 1)) == 0) {
				Security.removeProvider(NAME);
				((Consumer<SecureRandom>) stop).accept(new SecureRandom());
			}
		}
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
	 * @return {@code true} if the provider is installed, and was before {@code UUID} took
	 * its generator
	 */
	public static boolean isEffective() {
		Provider listed = Security.getProvider(NAME);
		return listed != null && isInstalled() && listed.get(EFFECTIVE) instanceof BooleanSupplier effective
				&& effective.getAsBoolean();
	}

	/**
	 * Returns what the shared pool of {@value #CTR_DRBG} has done so far. A
	 * {@code UUID.randomUUID()} that runs on it draws one slot of it.
	 * @return the statistics, or {@code null} if nothing has used the pool yet, or if the
	 * provider in the list is another class loader's
	 */
	public static @Nullable PoolStats stats() {
		return CtrDrbgSpi.stats();
	}

	/**
	 * Returns a form without the map, whose functions cannot be serialized.
	 * @return an object that deserializes as an equal provider
	 */
	private Object writeReplace() {
		return new SerializedForm();
	}

	/**
	 * A service that needs no reflection.
	 */
	private static final class RandomService extends Service {

		RandomService(Provider provider) {
			super(provider, TYPE, CTR_DRBG, CtrDrbgSpi.class.getName(), List.of(),
					Map.of("ThreadSafe", "true", "ImplementedIn", "Software"));
		}

		@Override
		public Object newInstance(Object parameters) throws NoSuchAlgorithmException {
			try {
				return new CtrDrbgSpi(parameters);
			}
			catch (IllegalArgumentException ex) {
				throw new NoSuchAlgorithmException(ex.getMessage(), ex);
			}
		}

	}

	/**
	 * Reads as the provider in the list, or as a new one if there is none.
	 */
	private static final class SerializedForm implements Serializable {

		private static final long serialVersionUID = 1L;

		private Object readResolve() {
			return (Security.getProvider(NAME) instanceof UncontendedProvider listed) ? listed
					: new UncontendedProvider();
		}

	}

}
