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

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.uncontended.cache.LazyExpiryCache;
import org.jspecify.annotations.Nullable;

/**
 * The compared caches. A timeout or maximum size of 0 means no limit.
 */
public enum SessionCacheType {

	/**
	 * Uncontended's cache.
	 */
	UNCONTENDED {

		@Override
		SessionCache create(int maximumSize, int timeoutSeconds) {
			return new Uncontended(maximumSize, timeoutSeconds, System::nanoTime);
		}

	},

	/**
	 * Caffeine with its defaults.
	 */
	CAFFEINE {

		@Override
		SessionCache create(int maximumSize, int timeoutSeconds) {
			return new CaffeineCache(maximumSize, timeoutSeconds,
					com.github.benmanes.caffeine.cache.Ticker.systemTicker());
		}

	},

	/**
	 * The JDK's TLS session cache, with soft references to the values.
	 */
	JDK {

		@Override
		SessionCache create(int maximumSize, int timeoutSeconds) {
			return new JdkSessionCache(maximumSize, timeoutSeconds);
		}

	},

	/**
	 * The JDK's cache before JDK-8259886: a synchronized LRU map. If it is full and has a
	 * timeout, each put of a new session scans all entries.
	 */
	SCANNING {

		@Override
		SessionCache create(int maximumSize, int timeoutSeconds) {
			return new ScanningCache(maximumSize, timeoutSeconds);
		}

	};

	abstract SessionCache create(int maximumSize, int timeoutSeconds);

	static final class Uncontended implements SessionCache {

		private final LazyExpiryCache<SessionKey, Object> cache;

		Uncontended(int maximumSize, int timeoutSeconds, LongSupplier ticker) {
			this.cache = LazyExpiryCache.<SessionKey, Object>builder()
				.maximumSize(maximumSize)
				.expireAfterWrite(Duration.ofSeconds(timeoutSeconds))
				.ticker(ticker)
				.build();
		}

		@Override
		public @Nullable Object get(SessionKey key) {
			return this.cache.get(key);
		}

		@Override
		public void put(SessionKey key, Object value) {
			this.cache.put(key, value);
		}

		@Override
		public void remove(SessionKey key) {
			this.cache.remove(key);
		}

		@Override
		public Object delegate() {
			return this.cache;
		}

	}

	static final class CaffeineCache implements SessionCache {

		private final com.github.benmanes.caffeine.cache.Cache<SessionKey, Object> cache;

		CaffeineCache(int maximumSize, int timeoutSeconds, com.github.benmanes.caffeine.cache.Ticker ticker) {
			this(maximumSize, timeoutSeconds, Caffeine.newBuilder().ticker(ticker));
		}

		CaffeineCache(int maximumSize, int timeoutSeconds, Caffeine<Object, Object> builder) {
			if (maximumSize > 0) {
				builder.maximumSize(maximumSize);
			}
			if (timeoutSeconds > 0) {
				builder.expireAfterWrite(Duration.ofSeconds(timeoutSeconds));
			}
			this.cache = builder.build();
		}

		@Override
		public @Nullable Object get(SessionKey key) {
			return this.cache.getIfPresent(key);
		}

		@Override
		public void put(SessionKey key, Object value) {
			this.cache.put(key, value);
		}

		@Override
		public void remove(SessionKey key) {
			this.cache.invalidate(key);
		}

		@Override
		public Object delegate() {
			return this.cache;
		}

		@Override
		public void settle() {
			this.cache.cleanUp();
		}

	}

	private static final class ScanningCache implements SessionCache {

		private final Map<SessionKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

		private final int maximumSize;

		private final long lifetime;

		ScanningCache(int maximumSize, int timeoutSeconds) {
			this.maximumSize = maximumSize;
			this.lifetime = timeoutSeconds * 1000L;
		}

		@Override
		public synchronized @Nullable Object get(SessionKey key) {
			Entry entry = this.entries.get(key);
			if (entry != null && this.lifetime > 0 && entry.expirationTime <= System.currentTimeMillis()) {
				this.entries.remove(key);
				return null;
			}
			return (entry != null) ? entry.value : null;
		}

		@Override
		public synchronized void put(SessionKey key, Object value) {
			long now = (this.lifetime > 0) ? System.currentTimeMillis() : 0;
			this.entries.put(key, new Entry(value, now + this.lifetime));
			if (this.maximumSize > 0 && this.entries.size() > this.maximumSize) {
				if (this.lifetime > 0) {
					this.entries.values().removeIf((entry) -> entry.expirationTime <= now);
				}
				if (this.entries.size() > this.maximumSize) {
					Iterator<Entry> eldest = this.entries.values().iterator();
					eldest.next();
					eldest.remove();
				}
			}
		}

		@Override
		public synchronized void remove(SessionKey key) {
			this.entries.remove(key);
		}

		@Override
		public Object delegate() {
			return this.entries;
		}

		private record Entry(Object value, long expirationTime) {
		}

	}

}
