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

import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import dev.uncontended.random.prng.OperatingSystemSeedSource;
import org.jspecify.annotations.Nullable;

/**
 * Implements the {@code SecureRandom} algorithm {@code CTR_DRBG} of
 * {@link UncontendedProvider}. Instances have no state. All instances share one
 * {@link StripedPool}.
 * <p>
 * Uninstalling the provider {@linkplain StripedPool#suspend() suspends} the pool, which
 * makes draws slow. {@code UUID} may keep an instance permanently. Until the provider is
 * installed again, all instances therefore delegate to a successor, the JVM's new default
 * generator.
 */
public final class CtrDrbgSpi extends SecureRandomSpi {

	private static final long serialVersionUID = 1L;

	private static final Lock OBSERVATION = new ReentrantLock();

	/**
	 * The thread that runs an action in {@link #observes}, until the action draws from an
	 * instance. Only the thread that holds the lock {@link #OBSERVATION} writes this
	 * field.
	 */
	private static volatile @Nullable Thread observer;

	/**
	 * Whether an observed action has drawn from an instance. Never reset, because the
	 * action is {@code UUID.randomUUID()}, and {@code UUID} keeps its instance.
	 */
	private static volatile boolean observed;

	/** The settings of the pool. */
	private static volatile Settings settings = new Settings(StripedPool.defaultStripes(), 8192, Duration.ofHours(1));

	/** Created lazily, because a failed class initializer is never retried. */
	private static volatile @Nullable StripedPool pool;

	/** Set by {@link #stop} and cleared by {@link #start}. */
	private static volatile @Nullable SecureRandom successor;

	/**
	 * Returns the pool that all instances share. Creates it at the first call.
	 */
	public static StripedPool pool() {
		StripedPool pool = CtrDrbgSpi.pool;
		return (pool != null) ? pool : createPool();
	}

	private static synchronized StripedPool createPool() {
		StripedPool pool = CtrDrbgSpi.pool;
		if (pool == null) {
			pool = settings.newPool();
			CtrDrbgSpi.pool = pool;
		}
		return pool;
	}

	/**
	 * Loads the cipher, and verifies the generator.
	 * @throws ProviderException if the generator fails
	 */
	public static void check() {
		RandomAlgorithm.BuiltIn.CTR_DRBG.check();
	}

	/**
	 * Wipes the pool, and removes the successor.
	 */
	public static void start() {
		start(settings);
	}

	/**
	 * Starts the pool with the settings. Replaces a pool with other settings.
	 * @throws IllegalArgumentException if an argument is out of range
	 */
	public static void start(int stripes, int bufferSize, Duration reseedInterval) {
		start(new Settings(stripes, bufferSize, reseedInterval));
	}

	private static synchronized void start(Settings settings) {
		StripedPool previous = CtrDrbgSpi.pool;
		StripedPool pool = settings.isSame(CtrDrbgSpi.settings) ? pool() : settings.newPool();
		CtrDrbgSpi.settings = settings;
		CtrDrbgSpi.pool = pool;
		if (previous != null) {
			previous.suspend();
		}
		pool.resume();
		successor = null;
	}

	/**
	 * Seeds the pool in advance, if it exists.
	 */
	public static void seed() {
		StripedPool pool = CtrDrbgSpi.pool;
		if (pool != null) {
			pool.seed();
		}
	}

	/**
	 * Suspends the pool. All instances draw from the successor, a generator of another
	 * provider, until {@link #start()} is called.
	 */
	public static void stop(SecureRandom successor) {
		// This draw is necessary: in an unused SHA1PRNG or DRBG, a seed added by a caller
		// would replace the generator's own seed.
		successor.nextBytes(new byte[Batch.SLOT]);
		CtrDrbgSpi.successor = successor;
		StripedPool pool = CtrDrbgSpi.pool;
		if (pool != null) {
			pool.suspend();
		}
	}

	/**
	 * Returns statistics of the pool, or {@code null} until the pool is first used.
	 */
	public static @Nullable PoolStats stats() {
		StripedPool pool = CtrDrbgSpi.pool;
		return (pool != null) ? pool.stats() : null;
	}

	/**
	 * Returns whether the action draws from an instance of this class in the calling
	 * thread, even if the draw fails. After the first {@code true}, returns {@code true}
	 * without running the action.
	 */
	public static boolean observes(Runnable action) {
		if (observed) {
			return true;
		}
		OBSERVATION.lock();
		try {
			observer = Thread.currentThread();
			try {
				action.run();
			}
			catch (ProviderException ex) {
				// The draw failed. Its caller is nevertheless known.
			}
			if (observer == null) {
				observed = true;
			}
			return observed;
		}
		finally {
			observer = null;
			OBSERVATION.unlock();
		}
	}

	@Override
	protected void engineNextBytes(byte[] bytes) {
		if (observer != null && observer == Thread.currentThread()) {
			observer = null;
		}
		SecureRandom successor = CtrDrbgSpi.successor;
		if (successor != null) {
			successor.nextBytes(bytes);
		}
		else {
			pool().nextBytes(bytes);
		}
	}

	@Override
	protected void engineSetSeed(byte[] seed) {
		Objects.requireNonNull(seed, "seed must not be null");
		SecureRandom successor = CtrDrbgSpi.successor;
		if (successor != null) {
			successor.setSeed(seed);
		}
		else {
			pool().addSeed(seed);
		}
	}

	@Override
	protected byte[] engineGenerateSeed(int length) {
		return OperatingSystemSeedSource.INSTANCE.generate(length);
	}

	@Override
	public String toString() {
		return UncontendedProvider.CTR_DRBG;
	}

	private record Settings(int stripes, int bufferSize, Duration reseedInterval) {

		StripedPool newPool() {
			return new StripedPool(RandomAlgorithm.BuiltIn.CTR_DRBG, this.stripes, this.bufferSize,
					this.reseedInterval);
		}

		/**
		 * Unlike {@code equals}, does not start the JDK's implementation of records,
		 * which may keep this class loader in memory.
		 */
		boolean isSame(Settings other) {
			return this.stripes == other.stripes && this.bufferSize == other.bufferSize
					&& this.reseedInterval.equals(other.reseedInterval);
		}

	}

}
