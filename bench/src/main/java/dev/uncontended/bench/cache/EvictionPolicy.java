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
import java.util.HashMap;
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

	/**
	 * The JDK's TLS session cache, an LRU cache.
	 */
	final class Jdk implements EvictionPolicy {

		private final JdkSessionCache cache;

		Jdk(int size) {
			this.cache = new JdkSessionCache(size, (int) Duration.ofDays(1).toSeconds());
		}

		@Override
		public @Nullable Object get(Long id) {
			return this.cache.get(new SessionKey(id));
		}

		@Override
		public void put(Long id) {
			this.cache.put(new SessionKey(id), id);
		}

	}

	/**
	 * SIEVE (Zhang et al., NSDI 2024).
	 */
	final class Sieve implements EvictionPolicy {

		private final Map<Long, Node> nodes = new HashMap<>();

		private final Node sentinel = new Node(-1L);

		private final int size;

		private Node hand = this.sentinel;

		Sieve(int size) {
			this.size = size;
		}

		@Override
		public @Nullable Object get(Long id) {
			Node node = this.nodes.get(id);
			if (node != null) {
				node.visited = true;
			}
			return node;
		}

		@Override
		public void put(Long id) {
			if (this.nodes.size() >= this.size) {
				evict();
			}
			Node node = new Node(id);
			node.older = this.sentinel.older;
			node.newer = this.sentinel;
			node.older.newer = node;
			this.sentinel.older = node;
			this.nodes.put(id, node);
		}

		private void evict() {
			while (this.hand == this.sentinel || this.hand.visited) {
				this.hand.visited = false;
				this.hand = this.hand.newer;
			}
			Node victim = this.hand;
			victim.older.newer = victim.newer;
			victim.newer.older = victim.older;
			this.nodes.remove(victim.id);
			this.hand = victim.newer;
		}

		private static final class Node {

			private final Long id;

			private boolean visited;

			private Node older = this;

			private Node newer = this;

			Node(Long id) {
				this.id = id;
			}

		}

	}

}
