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
import java.util.function.BiFunction;

import com.github.benmanes.caffeine.cache.Caffeine;
import dev.uncontended.cache.LazyExpiryCache;
import org.jspecify.annotations.Nullable;

/**
 * The compared caches. All read {@code System.nanoTime()}, except the JDK's, which reads
 * the wall clock.
 */
public enum SessionCacheType {

	/**
	 * Uncontended's cache.
	 */
	UNCONTENDED(Uncontended::new),

	/**
	 * Caffeine with its defaults: the common pool performs the maintenance.
	 */
	CAFFEINE(CaffeineCache::new),

	/**
	 * Caffeine that performs the maintenance on the calling threads.
	 */
	CAFFEINE_SAME_THREAD((maximumSize, timeout) -> new CaffeineCache(maximumSize, timeout,
			Caffeine.newBuilder().executor(Runnable::run))),

	/**
	 * The JDK's TLS session cache, with soft references to the values.
	 */
	JDK(JdkSessionCache::new),

	/**
	 * The JDK's cache before JDK-8259886: a synchronized LRU map. If it is full, each put
	 * of a new session scans all entries.
	 */
	SCANNING(ScanningCache::new);

	@SuppressWarnings("ImmutableEnumChecker")
	private final BiFunction<Integer, Duration, SessionCache> constructor;

	SessionCacheType(BiFunction<Integer, Duration, SessionCache> constructor) {
		this.constructor = constructor;
	}

	/**
	 * Creates a cache.
	 * @param maximumSize the maximum size
	 * @param timeout the timeout
	 */
	SessionCache create(int maximumSize, Duration timeout) {
		return this.constructor.apply(maximumSize, timeout);
	}

	/**
	 * A cache whose clock can be set forward.
	 */
	abstract static class Clocked implements SessionCache {

		private long offset;

		final long nanoTime() {
			return System.nanoTime() + this.offset;
		}

		@Override
		public void advance(Duration time) {
			this.offset += time.toNanos();
		}

	}

	private static final class Uncontended extends Clocked {

		private final LazyExpiryCache<SessionKey, Object> cache;

		Uncontended(int maximumSize, Duration timeout) {
			this.cache = LazyExpiryCache.<SessionKey, Object>builder()
				.maximumSize(maximumSize)
				.expireAfterWrite(timeout)
				.ticker(this::nanoTime)
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

	}

	private static final class CaffeineCache extends Clocked {

		private final com.github.benmanes.caffeine.cache.Cache<SessionKey, Object> cache;

		CaffeineCache(int maximumSize, Duration timeout) {
			this(maximumSize, timeout, Caffeine.newBuilder());
		}

		CaffeineCache(int maximumSize, Duration timeout, Caffeine<Object, Object> builder) {
			this.cache = builder.maximumSize(maximumSize).ticker(this::nanoTime).expireAfterWrite(timeout).build();
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
		public void settle() {
			this.cache.cleanUp();
		}

	}

	private static final class ScanningCache extends Clocked {

		private final Map<SessionKey, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

		private final int maximumSize;

		private final long timeout;

		ScanningCache(int maximumSize, Duration timeout) {
			this.maximumSize = maximumSize;
			this.timeout = timeout.toNanos();
		}

		@Override
		public synchronized @Nullable Object get(SessionKey key) {
			Entry entry = this.entries.get(key);
			if (entry != null && entry.expiry <= nanoTime()) {
				this.entries.remove(key);
				return null;
			}
			return (entry != null) ? entry.value : null;
		}

		@Override
		public synchronized void put(SessionKey key, Object value) {
			long now = nanoTime();
			this.entries.put(key, new Entry(value, now + this.timeout));
			if (this.entries.size() > this.maximumSize) {
				this.entries.values().removeIf((entry) -> entry.expiry <= now);
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

		private record Entry(Object value, long expiry) {
		}

	}

}
