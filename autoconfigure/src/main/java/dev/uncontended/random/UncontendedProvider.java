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
 * The JCA provider {@value #NAME}. It offers one {@code SecureRandom} algorithm,
 * {@value #CTR_DRBG}: CTR_DRBG of NIST SP 800-90A Rev. 1 with AES-256 and no derivation
 * function. Generators of this algorithm are thread-safe. They share one
 * {@link StripedPool} per class loader. Threads draw from the pool without a common lock.
 * Generators take no parameters. Their serialized form contains no generator state.
 * <p>
 * {@linkplain #install() Installing} the provider makes it the most preferred, so
 * {@code new SecureRandom()} uses it. {@code UUID.randomUUID()} uses it, too, unless
 * {@code UUID} obtained its generator before the installation. Algorithms requested by
 * name, like {@code NativePRNG}, are not affected.
 * <p>
 * The list of providers is global to the JVM. Installations are therefore counted across
 * class loaders. The {@link #uninstall()} of the last remaining installation removes the
 * provider. {@code UUID} keeps its generator permanently. If the generator comes from
 * this provider, the provider's class loader is never unloaded.
 */
public final class UncontendedProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Uncontended";

	/** The name of the algorithm. */
	public static final String CTR_DRBG = "CTR_DRBG";

	private static final long serialVersionUID = 1L;

	private static final String TYPE = "SecureRandom";

	/**
	 * The first of four keys of the provider's map. The values have JDK types, so that
	 * copies of this class in other class loaders can use them. The keys contain no dot,
	 * because a key with a dot would declare a service.
	 */
	private static final String USERS = "Users";

	private static final String START = "Start";

	private static final String STOP = "Stop";

	private static final String EFFECTIVE = "Effective";

	/**
	 * Creates a provider without installing it.
	 */
	public UncontendedProvider() {
		super(NAME, "0.1", "CTR_DRBG (NIST SP 800-90A Rev. 1, AES-256, no derivation function) from a striped pool");
		putService(new RandomService(this));
		put(USERS, new AtomicInteger());
		put(START, (Runnable) CtrDrbgSpi::start);
		put(STOP, (Consumer<SecureRandom>) CtrDrbgSpi::stop);
		put(EFFECTIVE, (BooleanSupplier) () -> CtrDrbgSpi.observes(() -> UUID.randomUUID()));
	}

	/**
	 * Installs the provider as the most preferred of this JVM, unless it is already
	 * {@linkplain #isInstalled() installed}. Each call wipes the pool, which is then
	 * seeded again, and must be matched by a call of {@link #uninstall()}.
	 * <p>
	 * Install the provider before the first call of {@code UUID.randomUUID()}. During
	 * this call, {@code UUID} obtains its generator, which it keeps.
	 * {@link #isEffective()} returns whether {@code UUID} uses the provider.
	 * @throws java.security.ProviderException if the generator does not work in this JVM;
	 * the provider list is unchanged
	 * @throws IllegalStateException if an incompatible version of the provider is
	 * installed
	 */
	public static void install() {
		// Other class loaders have their own copy of this class, so only a JDK class can
		// serve as the lock for all of them.
		synchronized (Security.class) {
			Provider listed = Security.getProvider(NAME);
			Provider provider = (listed != null) ? listed : new UncontendedProvider();
			if (!(provider.get(USERS) instanceof AtomicInteger users
					&& provider.get(START) instanceof Runnable start)) {
				throw new IllegalStateException(
						"Failed to install the provider " + NAME + ": another version of it is in this JVM's list");
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
	 * Reverts one call of {@link #install()}. If no installation remains, removes the
	 * provider and wipes the pool. {@code SecureRandom} instances obtained earlier, for
	 * example by {@code UUID}, then delegate to the JVM's default generator. Does nothing
	 * if the provider is not installed.
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
	 * Returns whether {@code new SecureRandom()} uses this provider.
	 * @return {@code true} if this provider is the most preferred of the providers with a
	 * random number generator
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
	 * Returns whether {@code UUID.randomUUID()} uses this provider. If the provider is
	 * installed, this method may call {@code UUID.randomUUID()}.
	 * @return {@code true} if the provider is installed, and was installed before
	 * {@code UUID} obtained its generator
	 */
	public static boolean isEffective() {
		Provider listed = Security.getProvider(NAME);
		return listed != null && isInstalled() && listed.get(EFFECTIVE) instanceof BooleanSupplier effective
				&& effective.getAsBoolean();
	}

	/**
	 * Returns statistics of this class loader's pool of {@value #CTR_DRBG}. Each
	 * {@code UUID.randomUUID()} that uses the pool counts as one draw.
	 * @return the statistics, or {@code null} before the first installation or use
	 */
	public static @Nullable PoolStats stats() {
		return CtrDrbgSpi.stats();
	}

	/**
	 * Returns a serialized form without the provider's map, which contains functions that
	 * are not serializable.
	 * @return an object that deserializes as the installed provider or as a new one
	 */
	private Object writeReplace() {
		return new SerializedForm();
	}

	/**
	 * A service that creates instances without reflection.
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
	 * Deserializes as the installed provider, or as a new provider if none is installed.
	 */
	private static final class SerializedForm implements Serializable {

		private static final long serialVersionUID = 1L;

		private Object readResolve() {
			return (Security.getProvider(NAME) instanceof UncontendedProvider listed) ? listed
					: new UncontendedProvider();
		}

	}

}
