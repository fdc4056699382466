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

import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SslSessionCacheMetrics}.
 */
class SslSessionCacheMetricsTests {

	private final SessionTokens cache = TestSessions.cache();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void bindsMetersUnderOwnNames() {
		new SslSessionCacheMetrics(this.cache, "sessions").bindTo(this.registry);
		assertThat(this.registry.getMeters()).extracting(Meter::getId)
			.allMatch((id) -> "sessions".equals(id.getTag("cache")))
			.extracting(Meter.Id::getName)
			.containsExactlyInAnyOrder("tls.sessions", "tls.sessions.puts", "tls.sessions.hits", "tls.sessions.misses",
					"tls.sessions.evictions", "tls.sessions.expirations", "tls.sessions.invalidations");
	}

	@Test
	void reportsLimitAndHandshakes() {
		new SslSessionCacheMetrics(this.cache, "sessions").bindTo(this.registry);
		TestSessions.put(this.cache);
		assertThat(this.registry.get("tls.sessions.puts").functionCounter().count()).isOne();
		assertThat(this.registry.get("tls.sessions").gauge().value()).isOne();
	}

}
