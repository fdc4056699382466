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
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import dev.uncontended.random.PoolStats;
import dev.uncontended.random.UncontendedProvider;
import org.jspecify.annotations.Nullable;

/**
 * The state of the {@link UncontendedProvider}, which all {@link CtrDrbgSpi} instances
 * share: a {@link StripedPool} while the provider is installed, and a successor
 * afterwards. Thread-safe.
 * <p>
 * Uninstalling the provider {@linkplain StripedPool#suspend() suspends} the pool, which
 * makes draws slow. {@code UUID} may keep an instance permanently. Until the provider is
 * installed again, all draws therefore use the successor, the JVM's new default
 * generator.
 */
public final class DropIn {

	/** The state of this class loader's provider. */
	public static final DropIn INSTANCE = new DropIn(RandomAlgorithm.BuiltIn.CTR_DRBG);

	private final RandomAlgorithm algorithm;

	private final Lock observation = new ReentrantLock();

	/**
	 * The thread that runs an action in {@link #observes}, until the action draws. Only
	 * the thread that holds the lock {@link #observation} writes this field.
	 */
	private volatile @Nullable Thread observer;

	/**
	 * Whether an observed action has drawn. Never reset, because the action is
	 * {@code UUID.randomUUID()}, and {@code UUID} keeps its instance.
	 */
	private volatile boolean observed;

	/** The settings of the pool. */
	private volatile Settings settings = new Settings(StripedPool.defaultStripes(), 8192, Duration.ofMillis(100));

	/** Created lazily, because a failed class initializer is never retried. */
	private volatile @Nullable StripedPool pool;

	/** Set by {@link #stop} and cleared by {@link #start}. */
	private volatile @Nullable SecureRandom successor;

	DropIn(RandomAlgorithm algorithm) {
		this.algorithm = algorithm;
	}

	/**
	 * Returns the pool. Creates it at the first call.
	 */
	public StripedPool pool() {
		StripedPool pool = this.pool;
		return (pool != null) ? pool : createPool();
	}

	private synchronized StripedPool createPool() {
		StripedPool pool = this.pool;
		if (pool == null) {
			pool = newPool(this.settings);
			this.pool = pool;
		}
		return pool;
	}

	private StripedPool newPool(Settings settings) {
		return new StripedPool(this.algorithm, settings.stripes, settings.bufferSize, settings.reseedInterval);
	}

	/**
	 * Loads the cipher, and verifies the generator.
	 * @throws ProviderException if the generator fails
	 */
	public void check() {
		this.algorithm.check();
	}

	/**
	 * Wipes the pool, and removes the successor.
	 * @throws ProviderException if a generator cannot be wiped; a running pool remains
	 * running
	 */
	public void start() {
		start(this.settings);
	}

	/**
	 * Starts the pool with the settings. Replaces a pool with other settings.
	 * @throws IllegalArgumentException if an argument is out of range
	 * @throws ProviderException if a generator cannot be wiped; a running pool remains
	 * running
	 */
	public void start(int stripes, int bufferSize, Duration reseedInterval) {
		start(new Settings(stripes, bufferSize, reseedInterval));
	}

	private synchronized void start(Settings settings) {
		StripedPool previous = this.pool;
		StripedPool pool = settings.isSame(this.settings) ? pool() : newPool(settings);
		this.settings = settings;
		this.pool = pool;
		boolean resumes = this.successor == null;
		try {
			if (previous != null) {
				previous.suspend();
			}
			resumes = true;
		}
		finally {
			if (resumes) {
				pool.resume();
			}
		}
		this.successor = null;
	}

	/**
	 * Seeds the pool in advance, if it exists.
	 */
	public void seed() {
		StripedPool pool = this.pool;
		if (pool != null) {
			pool.seed();
		}
	}

	/**
	 * Suspends the pool. All draws use the successor, a generator of another provider,
	 * until {@link #start()} is called.
	 * @throws ProviderException if a generator cannot be wiped; the others are wiped
	 */
	public void stop(SecureRandom successor) {
		// This draw is necessary: in an unused SHA1PRNG or DRBG, a seed added by a caller
		// would replace the generator's own seed.
		successor.nextBytes(new byte[Batch.SLOT]);
		this.successor = successor;
		StripedPool pool = this.pool;
		if (pool != null) {
			pool.suspend();
		}
	}

	/**
	 * Returns statistics of the pool, or {@code null} until the pool is first used.
	 */
	public @Nullable PoolStats stats() {
		StripedPool pool = this.pool;
		return (pool != null) ? pool.stats() : null;
	}

	/**
	 * Returns whether the action draws in the calling thread, even if the draw fails.
	 * After the first {@code true}, returns {@code true} without running the action.
	 */
	public boolean observes(Runnable action) {
		if (this.observed) {
			return true;
		}
		this.observation.lock();
		try {
			this.observer = Thread.currentThread();
			try {
				action.run();
			}
			catch (ProviderException ex) {
				// The draw failed. Its caller is nevertheless known.
			}
			if (this.observer == null) {
				this.observed = true;
			}
			return this.observed;
		}
		finally {
			this.observer = null;
			this.observation.unlock();
		}
	}

	void nextBytes(byte[] bytes) {
		if (this.observer != null && this.observer == Thread.currentThread()) {
			this.observer = null;
		}
		SecureRandom successor = this.successor;
		if (successor != null) {
			successor.nextBytes(bytes);
		}
		else {
			pool().nextBytes(bytes);
		}
	}

	void addSeed(byte[] seed) {
		SecureRandom successor = this.successor;
		if (successor != null) {
			successor.setSeed(seed);
		}
		else {
			pool().addSeed(seed);
		}
	}

	private record Settings(int stripes, int bufferSize, Duration reseedInterval) {

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
