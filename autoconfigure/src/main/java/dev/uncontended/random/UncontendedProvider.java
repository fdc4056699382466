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

import dev.uncontended.random.internal.CtrDrbgSpi;
import dev.uncontended.random.internal.StripedPool;
import org.jspecify.annotations.Nullable;

/**
 * The JCA provider {@value #NAME}. It offers one {@code SecureRandom} algorithm,
 * {@value #CTR_DRBG} (NIST SP 800-90A Rev. 1 with AES-256 and no derivation function).
 * The {@code SecureRandom} instances are thread-safe, take no parameters, and share one
 * {@link StripedPool} per class loader. Their serialized form contains no state.
 * <p>
 * {@linkplain #install() Installing} the provider makes it the JVM's most preferred
 * provider, so {@code new SecureRandom()} uses it. Algorithms requested by name, such as
 * {@code NativePRNG}, are not affected.
 * <p>
 * {@code UUID.randomUUID()} uses the provider if {@code UUID} obtained its
 * {@code SecureRandom} instance after the installation. In this case, the provider's
 * class loader is never unloaded, because {@code UUID} keeps the instance.
 * <p>
 * The list of providers is global to the JVM, so installations are counted across class
 * loaders. When no installation remains, {@link #uninstall()} removes the provider.
 */
public final class UncontendedProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Uncontended";

	/** The name of the algorithm. */
	public static final String CTR_DRBG = "CTR_DRBG";

	private static final long serialVersionUID = 1L;

	private static final String TYPE = "SecureRandom";

	/** The number of installations. Guarded by the monitor of {@link Security}. */
	private transient int users;

	/**
	 * Creates a provider without installing it.
	 */
	public UncontendedProvider() {
		super(NAME, "0.1", "CTR_DRBG (NIST SP 800-90A Rev. 1, AES-256, no derivation function) from a striped pool");
		putService(new RandomService(this));
	}

	/**
	 * Installs the provider as the most preferred of this JVM, unless it is already
	 * {@linkplain #isInstalled() installed}. Each call wipes the pool and seeds it again.
	 * For each call, {@link #uninstall()} must be called once.
	 * <p>
	 * Install the provider before the first call of {@code UUID.randomUUID()}, so that
	 * {@code UUID} uses the provider.
	 * @throws java.security.ProviderException if {@value #CTR_DRBG} does not work in this
	 * JVM; the JVM's list of providers is then unchanged
	 * @throws IllegalStateException if an incompatible version of the provider is in the
	 * JVM's list
	 */
	public static void install() {
		// Copies of this class in other class loaders must use the same lock.
		synchronized (Security.class) {
			Provider listed = Security.getProvider(NAME);
			if (isCopy(listed)) {
				call(listed, "install");
				return;
			}
			if (listed != null && !(listed instanceof UncontendedProvider)) {
				throw anotherVersion(null);
			}
			UncontendedProvider provider = (listed != null) ? (UncontendedProvider) listed : new UncontendedProvider();
			CtrDrbgSpi.start();
			if (!isInstalled()) {
				Security.removeProvider(NAME);
				Security.insertProviderAt(provider, 1);
			}
			provider.users++;
		}
	}

	/**
	 * Returns whether a provider is an instance of this class in another class loader.
	 */
	private static boolean isCopy(@Nullable Provider provider) {
		return provider != null && provider.getClass() != UncontendedProvider.class
				&& provider.getClass().getName().equals(UncontendedProvider.class.getName());
	}

	/**
	 * Calls a public static method of the class of a copy. The pool and the number of
	 * installations belong to the class loader of the provider in the JVM's list.
	 */
	private static @Nullable Object call(Provider copy, String method) {
		try {
			return copy.getClass().getMethod(method).invoke(null);
		}
		catch (ReflectiveOperationException ex) {
			if (ex.getCause() instanceof RuntimeException thrown) {
				throw thrown;
			}
			if (ex.getCause() instanceof Error thrown) {
				throw thrown;
			}
			throw anotherVersion(ex);
		}
	}

	private static IllegalStateException anotherVersion(@Nullable Exception cause) {
		return new IllegalStateException(
				"Failed to use the provider " + NAME + ": another version of it is in this JVM's list", cause);
	}

	/**
	 * Reverts one call of {@link #install()}. If no installation remains, removes the
	 * provider and wipes the pool. The provider's {@code SecureRandom} instances, such as
	 * {@code UUID}'s, then delegate to the JVM's default generator. Does nothing if the
	 * provider is not in the JVM's list.
	 */
	public static void uninstall() {
		synchronized (Security.class) {
			Provider listed = Security.getProvider(NAME);
			if (isCopy(listed)) {
				call(listed, "uninstall");
			}
			else if (listed instanceof UncontendedProvider provider) {
				provider.users = Math.max(0, provider.users - 1);
				if (provider.users == 0) {
					Security.removeProvider(NAME);
					CtrDrbgSpi.stop(new SecureRandom());
				}
			}
		}
	}

	/**
	 * Returns whether {@code new SecureRandom()} uses this provider.
	 * @return {@code true} if this provider is the JVM's most preferred provider with a
	 * random number generator
	 */
	public static boolean isInstalled() {
		return new SecureRandom().getProvider().getName().equals(NAME);
	}

	/**
	 * Returns whether {@code UUID.randomUUID()} uses this provider. If the provider is
	 * installed, this method may call {@code UUID.randomUUID()}.
	 * @return {@code true} if the provider is installed, and {@code UUID} obtained its
	 * {@code SecureRandom} instance from the provider
	 */
	public static boolean isEffective() {
		if (!isInstalled()) {
			return false; // Looking for an unknown provider would load all providers
		}
		Provider listed = Security.getProvider(NAME);
		if (isCopy(listed)) {
			return Boolean.TRUE.equals(call(listed, "isEffective"));
		}
		return listed instanceof UncontendedProvider && CtrDrbgSpi.observes(() -> UUID.randomUUID());
	}

	/**
	 * Returns statistics of this class loader's pool.
	 * @return the statistics, or {@code null} until the provider is first installed or
	 * used
	 */
	public static @Nullable PoolStats stats() {
		return CtrDrbgSpi.stats();
	}

	/**
	 * Returns a serialized form without the provider's services, which the JVM would
	 * restore without {@link RandomService}.
	 * @return an object that deserializes as the provider in the JVM's list, or as a new
	 * provider if the list contains none
	 */
	private Object writeReplace() {
		return new SerializedForm();
	}

	/**
	 * Creates instances of {@link CtrDrbgSpi} without reflection.
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

	private static final class SerializedForm implements Serializable {

		private static final long serialVersionUID = 1L;

		private Object readResolve() {
			return (Security.getProvider(NAME) instanceof UncontendedProvider listed) ? listed
					: new UncontendedProvider();
		}

	}

}
