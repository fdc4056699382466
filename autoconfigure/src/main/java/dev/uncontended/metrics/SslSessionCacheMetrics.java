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

import java.util.function.ToDoubleFunction;

import dev.uncontended.tls.session.SslSessionCache;
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
		count("puts", "Sessions put into the cache", (cache) -> cache.stats().puts(), registry);
		count("hits", "Resumptions of sessions in the cache", (cache) -> cache.stats().hits(), registry);
		count("misses", "Full handshakes whose presented session was not in the cache",
				(cache) -> cache.stats().misses(), registry);
		count("evictions", "Sessions removed by the limit", (cache) -> cache.stats().evictions(), registry);
		count("expirations", "Sessions removed after the timeout", (cache) -> cache.stats().expirations(), registry);
		count("invalidations", "Sessions ended", (cache) -> cache.stats().invalidations(), registry);
	}

	private void count(String name, String description, ToDoubleFunction<SslSessionCache> value,
			MeterRegistry registry) {
		FunctionCounter.builder("tls.sessions." + name, this.cache, value)
			.tag("cache", this.name)
			.description(description)
			.register(registry);
	}

}
