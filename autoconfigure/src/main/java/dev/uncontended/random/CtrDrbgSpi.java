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
 * {@code SecureRandom.CTR_DRBG}: every instance draws from one pool, which starts when
 * the first of them is used. After the provider was uninstalled every instance draws from
 * the JDK's own generator, until the provider is installed again: {@code UUID} keeps its
 * instance for good, and must not be slower than without it.
 * <p>
 * An instance has no state: serialized and read back, it draws from the pool of the JVM
 * that it is in.
 */
final class CtrDrbgSpi extends SecureRandomSpi {

	private static final long serialVersionUID = 1L;

	private static final Lock OBSERVATION = new ReentrantLock();

	/**
	 * The thread that wants to know whether it comes by here. Written under
	 * {@link #OBSERVATION}, but for the {@code null} with which that thread says yes.
	 */
	private static volatile @Nullable Thread observer;

	/**
	 * Sticky, because {@code UUID} never gives up its generator.
	 */
	private static volatile boolean observed;

	/**
	 * Made when it is first needed, and not by a class initializer: that fails once and
	 * for good.
	 */
	private static volatile @Nullable StripedPool pool;

	/** What to draw from after the provider was taken off the list. */
	private static volatile @Nullable SecureRandom successor;

	/**
	 * Creates an instance.
	 * @param parameters must be {@code null}: all instances share one pool
	 */
	CtrDrbgSpi(@Nullable Object parameters) {
		if (parameters != null) {
			throw new IllegalArgumentException("CTR_DRBG takes no parameters");
		}
	}

	/**
	 * Returns the pool.
	 * @throws ProviderException if the generator does not work, in which case the next
	 * call tries again
	 */
	static StripedPool pool() {
		StripedPool pool = CtrDrbgSpi.pool;
		return (pool != null) ? pool : makePool();
	}

	private static synchronized StripedPool makePool() {
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
			// The caller has chosen no algorithm here, and cannot choose another.
			throw new ProviderException(ex.getMessage(), ex.getCause());
		}
	}

	/**
	 * Draws from the pool, which is seeded anew.
	 * @throws ProviderException if the generator does not work; nothing has changed then
	 */
	static void start() {
		Prng trial = algorithm().newPrng();
		try {
			trial.nextBytes(new byte[Batch.SLOT]);
		}
		finally {
			trial.wipe();
		}
		pool().resume();
		successor = null;
	}

	/**
	 * Wipes the pool, and draws from another generator.
	 * @param successor one of another provider
	 */
	static void stop(SecureRandom successor) {
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
	 * Tells whether the action draws from the shared pool, whatever other threads draw at
	 * the same time.
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
		return SeedSource.operatingSystem().generate(length);
	}

	@Override
	public String toString() {
		return UncontendedProvider.CTR_DRBG;
	}

}
