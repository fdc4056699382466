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
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import dev.uncontended.random.internal.CtrDrbgSpi;
import dev.uncontended.random.internal.DropIn;
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
 * The list of providers is global to the JVM, and an installation belongs to one class
 * loader. If another class loader, such as another web application's, has installed its
 * copy of the provider, {@link #install()} keeps that copy.
 */
public final class UncontendedProvider extends Provider {

	/** The name of the provider. */
	public static final String NAME = "Uncontended";

	/** The name of the algorithm. */
	public static final String CTR_DRBG = "CTR_DRBG";

	private static final long serialVersionUID = 1L;

	/**
	 * Orders installations. Never taken while the monitor of {@link Security} is held.
	 */
	private static final Object lock = new Object();

	/** The number of installations. Guarded by {@link #lock}. */
	private static int installations;

	/** Whether a provider was created, which can then be in the JVM's list. */
	private static volatile boolean exists;

	/**
	 * Creates a provider without installing it.
	 */
	public UncontendedProvider() {
		super(NAME, "0.1", "CTR_DRBG (NIST SP 800-90A Rev. 1, AES-256, no derivation function) from a striped pool");
		putService(new RandomService(this));
		exists = true;
	}

	/**
	 * Installs the provider like {@link #install(int, int, Duration)}, with the pool
	 * settings of the last installation, or with the default settings.
	 * @throws java.security.ProviderException if {@value #CTR_DRBG} does not work in this
	 * JVM, or if a generator of a replaced pool cannot be wiped; the JVM's list of
	 * providers is then unchanged
	 */
	public static void install() {
		install(DropIn.INSTANCE::start);
	}

	/**
	 * Installs the provider as the most preferred of this JVM, unless it is already
	 * {@linkplain #isInstalled() installed}. Each call wipes the pool. For each call,
	 * {@link #uninstall()} must be called once.
	 * <p>
	 * Install the provider before the first call of {@code UUID.randomUUID()}, so that
	 * {@code UUID} uses the provider.
	 * <p>
	 * Settings that differ from the last installation's replace the pool, and
	 * {@linkplain #stats() statistics} start again.
	 * @param stripes the number of stripes from 1 to {@value StripedPool#MAX_STRIPES},
	 * rounded up to a power of two
	 * @param bufferSize the buffer size of a stripe in bytes, a multiple of 16 from
	 * {@value StripedPool#MIN_BUFFER_SIZE} to {@value StripedPool#MAX_BUFFER_SIZE}
	 * @param reseedInterval the time for which the pool keeps unused bytes and the states
	 * of random number generators; zero means no limit, and leaves reseeding to the
	 * algorithm
	 * @throws IllegalArgumentException if an argument is out of range
	 * @throws java.security.ProviderException if {@value #CTR_DRBG} does not work in this
	 * JVM, or if a generator of a replaced pool cannot be wiped; the JVM's list of
	 * providers is then unchanged
	 * @throws NullPointerException if the reseed interval is {@code null}
	 */
	public static void install(int stripes, int bufferSize, Duration reseedInterval) {
		install(() -> DropIn.INSTANCE.start(stripes, bufferSize, reseedInterval));
	}

	private static void install(Runnable start) {
		DropIn.INSTANCE.check();
		synchronized (lock) {
			if (mayBeListed()) {
				// Not under the lock of the list: wiping a generator initializes a
				// cipher, and ciphers and their providers take locks of their own.
				start.run();
				list();
			}
			installations++;
		}
		DropIn.INSTANCE.seed();
	}

	private static boolean mayBeListed() {
		Provider listed = Security.getProvider(NAME);
		return listed == null || listed instanceof UncontendedProvider;
	}

	private static void list() {
		// Copies of this class in other class loaders must use the same lock.
		synchronized (Security.class) {
			if (mayBeListed() && !isInstalled()) {
				Provider listed = Security.getProvider(NAME);
				Security.removeProvider(NAME);
				Security.insertProviderAt((listed != null) ? listed : new UncontendedProvider(), 1);
			}
		}
	}

	/**
	 * Reverts one call of {@link #install()}. If no installation remains, removes the
	 * provider from the JVM's list, also if it was listed before, and wipes the pool. The
	 * provider's {@code SecureRandom} instances, such as {@code UUID}'s, then delegate to
	 * the JVM's default generator.
	 * @throws java.security.ProviderException if a generator cannot be wiped
	 */
	public static void uninstall() {
		synchronized (lock) {
			if (installations == 0 || --installations > 0) {
				return;
			}
			synchronized (Security.class) {
				if (Security.getProvider(NAME) instanceof UncontendedProvider) {
					Security.removeProvider(NAME);
				}
			}
			DropIn.INSTANCE.stop(new SecureRandom());
		}
	}

	/**
	 * Returns whether {@code new SecureRandom()} uses this provider.
	 * @return {@code true} if this class loader's provider is the JVM's most preferred
	 * provider with a random number generator
	 */
	public static boolean isInstalled() {
		// Creating a SecureRandom takes time at the start of an application.
		return exists && new SecureRandom().getProvider() instanceof UncontendedProvider;
	}

	/**
	 * Returns whether {@code UUID.randomUUID()} uses this provider. If the provider is
	 * installed, this method may call {@code UUID.randomUUID()}.
	 * @return {@code true} if the provider is installed, and {@code UUID} obtained its
	 * {@code SecureRandom} instance from the provider
	 */
	public static boolean isEffective() {
		return isInstalled() && DropIn.INSTANCE.observes(UUID::randomUUID);
	}

	/**
	 * Returns statistics of this class loader's pool.
	 * @return the statistics, or {@code null} until the provider is first installed or
	 * used
	 */
	public static @Nullable PoolStats stats() {
		return DropIn.INSTANCE.stats();
	}

	/**
	 * Creates instances of {@link CtrDrbgSpi} without reflection, except in a
	 * deserialized provider, whose services the JVM restores without this class.
	 */
	private static final class RandomService extends Service {

		RandomService(Provider provider) {
			super(provider, "SecureRandom", CTR_DRBG, CtrDrbgSpi.class.getName(), List.of(),
					Map.of("ThreadSafe", "true", "ImplementedIn", "Software"));
		}

		@Override
		public Object newInstance(@Nullable Object parameters) throws NoSuchAlgorithmException {
			if (parameters != null) {
				throw new NoSuchAlgorithmException("SecureRandom CTR_DRBG does not support parameters");
			}
			return new CtrDrbgSpi();
		}

	}

}
