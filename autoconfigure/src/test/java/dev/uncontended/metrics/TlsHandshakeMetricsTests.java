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

import javax.net.ssl.SSLSession;

import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TlsHandshakes;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link TlsHandshakeMetrics}.
 */
class TlsHandshakeMetricsTests {

	private final TlsHandshakes handshakes = new TlsHandshakes(SslSessionCache.builder().build());

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void hasNoSeriesBeforeTheFirstHandshake() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void countsTheHandshakesCompletedBeforeItWasBound() {
		complete("tomcat", 1);
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		assertThat(count("tomcat", "false")).isEqualTo(1);
		assertThat(count("tomcat", "true")).isZero();
	}

	@Test
	void addsASeriesWithTheFirstHandshakeOfAKind() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		complete("tomcat", 1);
		complete("tomcat", 0);
		complete("tomcat", 0);
		complete("jetty", 0);
		assertThat(count("tomcat", "false")).isEqualTo(1);
		assertThat(count("tomcat", "true")).isEqualTo(2);
		assertThat(count("jetty", "true")).isEqualTo(1);
		assertThat(this.registry.getMeters()).hasSize(4);
	}

	@Test
	void feedsEachRegistry() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		TlsHandshakeMetrics metrics = new TlsHandshakeMetrics(this.handshakes);
		metrics.bindTo(this.registry);
		metrics.bindTo(other);
		complete("tomcat", 1);
		assertThat(other.getMeters()).hasSize(2);
		assertThat(this.registry.getMeters()).hasSize(2);
	}

	private void complete(String server, long creationTime) {
		SSLSession session = mock(SSLSession.class, withSettings().stubOnly());
		given(session.getId()).willReturn(new byte[] { 1, 2, 3, 4 });
		given(session.getProtocol()).willReturn("TLSv1.3");
		given(session.getCipherSuite()).willReturn("TLS_AES_128_GCM_SHA256");
		given(session.getCreationTime()).willReturn(creationTime);
		this.handshakes.completed(server, session, 1);
	}

	private double count(String server, String resumed) {
		FunctionCounter counter = this.registry.get("tls.handshakes")
			.tag("server", server)
			.tag("protocol", "TLSv1.3")
			.tag("cipher", "TLS_AES_128_GCM_SHA256")
			.tag("resumed", resumed)
			.functionCounter();
		return counter.count();
	}

}
