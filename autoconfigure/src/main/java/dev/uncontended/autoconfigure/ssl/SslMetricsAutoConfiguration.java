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

package dev.uncontended.autoconfigure.ssl;

import java.util.Map;

import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
import dev.uncontended.metrics.SslSessionCacheMetrics;
import dev.uncontended.metrics.TicketKeyMetrics;
import dev.uncontended.metrics.TlsHandshakeMetrics;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeySource;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnSingleCandidate;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the meters of TLS session caches, handshakes and ticket keys.
 */
@AutoConfiguration(after = { SslSessionCacheAutoConfiguration.class, TicketKeyAutoConfiguration.class },
		afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
@ConditionalOnClass(MeterBinder.class)
@ConditionalOnBean(MeterRegistry.class)
public final class SslMetricsAutoConfiguration {

	@Bean
	@ConditionalOnBean(SslSessionCache.class)
	@ConditionalOnMissingBean(name = "sslSessionCacheMetrics")
	MeterBinder sslSessionCacheMetrics(Map<String, SslSessionCache> caches) {
		return (registry) -> caches.forEach((name, cache) -> new SslSessionCacheMetrics(cache, name).bindTo(registry));
	}

	@Bean
	@ConditionalOnBean(TlsHandshakes.class)
	@ConditionalOnMissingBean
	TlsHandshakeMetrics tlsHandshakeMetrics(TlsHandshakes handshakes) {
		return new TlsHandshakeMetrics(handshakes);
	}

	@Bean
	@ConditionalOnSingleCandidate(TicketKeySource.class)
	@ConditionalOnMissingBean
	TicketKeyMetrics ticketKeyMetrics(TicketKeySource source) {
		return new TicketKeyMetrics(source);
	}

}
