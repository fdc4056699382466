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

package dev.uncontended.metrics;

import java.util.List;
import java.util.function.ToLongFunction;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.cache.CacheMeterBinder;
import org.jspecify.annotations.Nullable;

/**
 * A {@link CacheMeterBinder} for an {@link SslSessionCache}. It binds the standard
 * {@code cache.*} meters, and meters for the maximum size, expirations and invalidations.
 */
public class SslSessionCacheMetrics extends CacheMeterBinder<SslSessionCache> {

	/**
	 * Creates a binder.
	 * @param cache the cache
	 * @param name the value of the tag {@code cache}
	 */
	public SslSessionCacheMetrics(SslSessionCache cache, String name) {
		super(cache, name, List.of());
	}

	@Override
	protected @Nullable Long size() {
		return value((cache) -> cache.estimatedSize());
	}

	@Override
	protected long hitCount() {
		return stat(SslSessionStats::hits);
	}

	@Override
	protected Long missCount() {
		return stat(SslSessionStats::misses);
	}

	@Override
	protected @Nullable Long evictionCount() {
		return stat(SslSessionStats::evictions);
	}

	@Override
	protected long putCount() {
		return stat(SslSessionStats::puts);
	}

	@Override
	protected void bindImplementationSpecificMetrics(MeterRegistry registry) {
		SslSessionCache cache = getCache();
		if (cache != null) {
			Gauge.builder("cache.maximum.size", cache, SslSessionCache::getSessionCacheSize)
				.tags(getTagsWithCacheName())
				.description("Maximum number of sessions, 0 for no limit")
				.register(registry);
			count("cache.expirations", "Number of sessions removed after the timeout", cache,
					SslSessionStats::expirations, registry);
			count("cache.invalidations", "Number of sessions invalidated", cache, SslSessionStats::invalidations,
					registry);
		}
	}

	private void count(String name, String description, SslSessionCache cache, ToLongFunction<SslSessionStats> stat,
			MeterRegistry registry) {
		FunctionCounter.builder(name, cache, (c) -> stat.applyAsLong(c.stats()))
			.tags(getTagsWithCacheName())
			.description(description)
			.register(registry);
	}

	private long stat(ToLongFunction<SslSessionStats> stat) {
		return value((cache) -> stat.applyAsLong(cache.stats()));
	}

	/**
	 * Returns 0 if the cache has been garbage-collected.
	 */
	private long value(ToLongFunction<SslSessionCache> function) {
		SslSessionCache cache = getCache();
		return (cache != null) ? function.applyAsLong(cache) : 0;
	}

}
