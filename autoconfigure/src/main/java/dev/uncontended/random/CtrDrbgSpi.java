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

import java.security.ProviderException;
import java.security.SecureRandom;
import java.security.SecureRandomSpi;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * Implements {@code SecureRandom.CTR_DRBG}. All instances share one pool, which is
 * created when the provider is first installed or used. After the provider is
 * uninstalled, all instances delegate to the JVM's default generator until the provider
 * is installed again. {@code UUID} keeps its instance permanently, and draws from the
 * {@linkplain StripedPool#suspend() suspended} pool would be slow.
 * <p>
 * Instances have no state. A deserialized instance draws from the pool of its JVM.
 */
final class CtrDrbgSpi extends SecureRandomSpi {

	private static final long serialVersionUID = 1L;

	private static final Lock OBSERVATION = new ReentrantLock();

	/**
	 * The thread that runs {@link #observes}, until it draws from an instance. Written
	 * under {@link #OBSERVATION}.
	 */
	private static volatile @Nullable Thread observer;

	/**
	 * Whether an observed action has drawn from an instance. Never reset, because
	 * {@code UUID} keeps its generator.
	 */
	private static volatile boolean observed;

	/**
	 * Created lazily, because a failed class initializer is never retried.
	 */
	private static volatile @Nullable StripedPool pool;

	/** The generator used after the provider is uninstalled. */
	private static volatile @Nullable SecureRandom successor;

	/**
	 * Creates an instance.
	 * @param parameters must be {@code null}, because all instances share one pool
	 */
	CtrDrbgSpi(@Nullable Object parameters) {
		if (parameters != null) {
			throw new IllegalArgumentException("SecureRandom CTR_DRBG does not support parameters");
		}
	}

	/**
	 * Returns the pool.
	 * @throws ProviderException if the generator fails; the next call retries
	 */
	static StripedPool pool() {
		StripedPool pool = CtrDrbgSpi.pool;
		return (pool != null) ? pool : createPool();
	}

	private static synchronized StripedPool createPool() {
		StripedPool pool = CtrDrbgSpi.pool;
		if (pool == null) {
			pool = new StripedPool(algorithm(), StripedPool.defaultStripes(), 8192, Duration.ofHours(1));
			CtrDrbgSpi.pool = pool;
		}
		return pool;
	}

	private static RandomAlgorithm algorithm() {
		try {
			return RandomAlgorithm.of(UncontendedProvider.CTR_DRBG, UncontendedProvider.NAME);
		}
		catch (UnavailableAlgorithmException ex) {
			// The caller passed no algorithm, so an IllegalArgumentException would be
			// wrong.
			throw new ProviderException(ex.getMessage(), ex.getCause());
		}
	}

	/**
	 * Wipes the pool, and continues with fresh seeds. The process may have been restored
	 * from a snapshot that contains the pool's bytes.
	 * @throws ProviderException if the generator fails; the state is unchanged
	 */
	static void start() {
		Prng trial = algorithm().newPrng();
		try {
			trial.nextBytes(new byte[Batch.SLOT]);
		}
		finally {
			trial.wipe();
		}
		pool().renew();
		successor = null;
	}

	/**
	 * Wipes the pool. Later draws use another generator until {@link #start()}.
	 * @param successor a generator of another provider
	 */
	static void stop(SecureRandom successor) {
		// Draw first: a seed that is added to an unused SHA1PRNG or DRBG replaces the
		// generator's own seed.
		successor.nextBytes(new byte[Batch.SLOT]);
		CtrDrbgSpi.successor = successor;
		StripedPool pool = CtrDrbgSpi.pool;
		if (pool != null) {
			pool.suspend();
		}
	}

	static @Nullable PoolStats stats() {
		StripedPool pool = CtrDrbgSpi.pool;
		return (pool != null) ? pool.stats() : null;
	}

	/**
	 * Returns whether an action draws from an instance of this class. Draws of other
	 * threads do not affect the result. Returns {@code true} without running the action
	 * if an earlier action has drawn.
	 */
	static boolean observes(Runnable action) {
		if (observed) {
			return true;
		}
		OBSERVATION.lock();
		try {
			observer = Thread.currentThread();
			action.run();
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

}
