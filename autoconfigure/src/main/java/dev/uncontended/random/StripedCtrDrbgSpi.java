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

import java.security.SecureRandomSpi;
import java.time.Duration;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

import org.jspecify.annotations.Nullable;

/**
 * {@code SecureRandom.StripedCTR_DRBG}: every instance draws from one pool, which starts
 * when the first of them is used.
 */
final class StripedCtrDrbgSpi extends SecureRandomSpi {

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
	 * Makes an instance.
	 * @param parameters must be {@code null}: there is no instance of its own to give
	 * them to
	 */
	StripedCtrDrbgSpi(@Nullable Object parameters) {
		if (parameters != null) {
			throw new IllegalArgumentException("StripedCTR_DRBG takes no parameters; CTR_DRBG does");
		}
	}

	static StripedPool pool() {
		return Holder.POOL;
	}

	static boolean wasObserved() {
		return observed;
	}

	/**
	 * Tells whether the action draws from the shared pool, whatever other threads draw at
	 * the same time.
	 */
	static boolean observes(Runnable action) {
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
		pool().nextBytes(bytes);
	}

	@Override
	protected void engineSetSeed(byte[] seed) {
		pool().addSeed(seed);
	}

	@Override
	protected byte[] engineGenerateSeed(int length) {
		return SeedSource.operatingSystem().generate(length);
	}

	@Override
	public String toString() {
		return "StripedCTR_DRBG";
	}

	private static final class Holder {

		static final StripedPool POOL = new StripedPool(
				RandomAlgorithm.of(UncontendedProvider.CTR_DRBG, UncontendedProvider.NAME),
				StripedPool.defaultStripes(), 8192, Duration.ofHours(1));

	}

}
