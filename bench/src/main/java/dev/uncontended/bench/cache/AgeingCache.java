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

import java.util.concurrent.TimeUnit;

import dev.uncontended.cache.CoarseTicker;
import org.jspecify.annotations.Nullable;

/**
 * A cache whose clock can be advanced to expire some of its entries.
 */
final class AgeingCache {

	private static final int TIMEOUT = 86_400;

	private static final int JDK_SHORT_TIMEOUT = 2;

	private final SessionCache cache;

	private final @Nullable JdkSessionCache jdkCache;

	private long offset;

	private long lastShortLived = System.nanoTime();

	AgeingCache(SessionCacheType type, int maximumSize) {
		switch (type) {
			case UNCONTENDED -> {
				this.jdkCache = null;
				this.cache = new SessionCacheType.Uncontended(maximumSize, TIMEOUT,
						() -> CoarseTicker.INSTANCE.getAsLong() + this.offset);
			}
			case CAFFEINE -> {
				this.jdkCache = null;
				this.cache = new SessionCacheType.CaffeineCache(maximumSize, TIMEOUT,
						() -> System.nanoTime() + this.offset);
			}
			case JDK -> {
				// The JDK's cache reads the wall clock, so time must pass.
				this.jdkCache = new JdkSessionCache(maximumSize, TIMEOUT);
				this.cache = this.jdkCache;
			}
			default -> throw new IllegalArgumentException("Cannot advance the time of " + type);
		}
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
		while (this.jdkCache != null && System.nanoTime() - this.lastShortLived < TimeUnit.MILLISECONDS
			.toNanos(1000 * JDK_SHORT_TIMEOUT + 100)) {
			Thread.onSpinWait();
		}
		this.offset += TimeUnit.SECONDS.toNanos(TIMEOUT / 2);
	}

}
