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

import java.util.function.ToLongFunction;

import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} for an {@link SslSessionCache}. The names are not Micrometer's
 * {@code cache.*}, because Prometheus drops meters of one name with different tags, and
 * Spring Boot gives its caches more tags.
 */
public final class SslSessionCacheMetrics implements MeterBinder {

	private final SslSessionCache cache;

	private final String name;

	/**
	 * Creates a binder.
	 * @param cache the cache
	 * @param name the value of the tag {@code cache}
	 */
	public SslSessionCacheMetrics(SslSessionCache cache, String name) {
		this.cache = cache;
		this.name = name;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Gauge.builder("tls.sessions", this.cache, SslSessionCache::estimatedSize)
			.tag("cache", this.name)
			.description("TLS sessions in the cache")
			.register(registry);
		Gauge.builder("tls.sessions.maximum", this.cache, SslSessionCache::getSessionCacheSize)
			.tag("cache", this.name)
			.description("Maximum number of sessions in the cache, 0 for no limit")
			.register(registry);
		count("puts", "Sessions put into the cache", SslSessionStats::puts, registry);
		count("hits", "Resumptions of sessions in the cache", SslSessionStats::hits, registry);
		count("misses", "Lookups and full handshakes without a session in the cache", SslSessionStats::misses,
				registry);
		count("evictions", "Sessions removed by the limit", SslSessionStats::evictions, registry);
		count("expirations", "Sessions removed after the timeout", SslSessionStats::expirations, registry);
		count("invalidations", "Sessions ended", SslSessionStats::invalidations, registry);
	}

	private void count(String name, String description, ToLongFunction<SslSessionStats> stat, MeterRegistry registry) {
		FunctionCounter.builder("tls.sessions." + name, this.cache, (cache) -> stat.applyAsLong(cache.stats()))
			.tag("cache", this.name)
			.description(description)
			.register(registry);
	}

}
