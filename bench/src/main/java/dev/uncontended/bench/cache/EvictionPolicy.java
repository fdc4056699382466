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
import java.util.LinkedHashMap;
import java.util.Map;

import com.github.benmanes.caffeine.cache.Cache;
import dev.uncontended.cache.LazyExpiryCache;
import org.jspecify.annotations.Nullable;

/**
 * The caches whose hit ratios are compared.
 */
interface EvictionPolicy {

	@Nullable Object get(Long id);

	void put(Long id);

	final class Ours implements EvictionPolicy {

		private final LazyExpiryCache<Long, Long> cache;

		Ours(int size) {
			this.cache = LazyExpiryCache.<Long, Long>builder().maximumSize(size).build();
		}

		@Override
		public @Nullable Object get(Long id) {
			return this.cache.get(id);
		}

		@Override
		public void put(Long id) {
			this.cache.put(id, id);
		}

	}

	final class Lru implements EvictionPolicy {

		private final Map<Long, Long> map;

		Lru(int size) {
			this.map = new LinkedHashMap<>(16, 0.75f, true) {

				private static final long serialVersionUID = 1L;

				@Override
				protected boolean removeEldestEntry(Map.Entry<Long, Long> eldest) {
					return size() > size;
				}

			};
		}

		@Override
		public @Nullable Object get(Long id) {
			return this.map.get(id);
		}

		@Override
		public void put(Long id) {
			this.map.put(id, id);
		}

	}

	final class Caffeine implements EvictionPolicy {

		private final Cache<Long, Long> cache;

		Caffeine(int size) {
			// On the caller's thread, so that evictions keep up with the trace.
			this.cache = com.github.benmanes.caffeine.cache.Caffeine.newBuilder()
				.maximumSize(size)
				.expireAfterWrite(Duration.ofDays(1))
				.executor(Runnable::run)
				.build();
		}

		@Override
		public @Nullable Object get(Long id) {
			return this.cache.getIfPresent(id);
		}

		@Override
		public void put(Long id) {
			this.cache.put(id, id);
		}

	}

}
