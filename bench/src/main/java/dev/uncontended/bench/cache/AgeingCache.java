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

package dev.uncontended.bench.cache;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

import org.jspecify.annotations.Nullable;

/**
 * A cache whose clock can be advanced to expire some of its entries.
 */
final class AgeingCache {

	private static final int TIMEOUT = 86_400;

	private static final int JDK_SHORT_TIMEOUT = 1;

	private final SessionCache cache;

	private final @Nullable JdkSessionCache jdkCache;

	private long offset;

	/** When the last short-lived session was put, or 0 if there is none. */
	private long lastShortLived;

	AgeingCache(SessionCacheType type, int maximumSize, boolean hasTimeout) {
		int timeout = hasTimeout ? TIMEOUT : 0;
		LongSupplier system = () -> System.nanoTime() + this.offset;
		this.jdkCache = (type == SessionCacheType.JDK) ? new JdkSessionCache(maximumSize, timeout) : null;
		this.cache = switch (type) {
			case UNCONTENDED -> new SessionCacheType.Uncontended(maximumSize, timeout, system);
			case CAFFEINE -> new SessionCacheType.CaffeineCache(maximumSize, timeout, system::getAsLong);
			// The JDK's cache reads the wall clock, so time must pass.
			case JDK -> Objects.requireNonNull(this.jdkCache);
			default -> throw new IllegalArgumentException("Cannot advance the time of " + type);
		};
	}

	SessionCache cache() {
		return this.cache;
	}

	/**
	 * Puts sessions that {@link #age()} does not expire.
	 */
	void put(SessionKey[] keys, int from, int to) {
		for (int i = from; i < to; i++) {
			this.cache.put(keys[i], keys[i]);
		}
		this.cache.settle();
	}

	/**
	 * Puts sessions that {@link #age()} expires. They stay alive while other sessions are
	 * put, because a put removes expired sessions.
	 */
	void putShortLived(SessionKey[] keys, int from, int to) {
		if (from == to) {
			return;
		}
		if (this.jdkCache != null) {
			this.jdkCache.setTimeout(JDK_SHORT_TIMEOUT);
		}
		put(keys, from, to);
		if (this.jdkCache != null) {
			this.jdkCache.setTimeout(TIMEOUT);
		}
		this.lastShortLived = System.nanoTime();
		this.offset += TimeUnit.SECONDS.toNanos(TIMEOUT / 2);
	}

	/**
	 * Expires the short-lived sessions. With the JDK's cache, waits until they expire.
	 */
	void age() {
		while (this.jdkCache != null && this.lastShortLived != 0 && System.nanoTime()
				- this.lastShortLived < TimeUnit.MILLISECONDS.toNanos(1000 * JDK_SHORT_TIMEOUT + 100)) {
			Thread.onSpinWait();
		}
		this.offset += (this.lastShortLived != 0) ? TimeUnit.SECONDS.toNanos(TIMEOUT / 2) : 0;
	}

}
