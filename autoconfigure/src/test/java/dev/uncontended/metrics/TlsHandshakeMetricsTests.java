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

import java.util.concurrent.TimeUnit;

import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.TestHandshakes;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link TlsHandshakeMetrics}.
 */
class TlsHandshakeMetricsTests {

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

	@Test
	void noSeriesExistsBeforeFirstHandshake() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		assertThat(this.registry.getMeters()).isEmpty();
	}

	@Test
	void firstHandshakeOfKindAddsSeries() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		complete("tomcat", false);
		complete("tomcat", true);
		complete("tomcat", true);
		complete("jetty", true);
		assertThat(count("tomcat", "false")).isEqualTo(1);
		assertThat(count("tomcat", "true")).isEqualTo(2);
		assertThat(count("jetty", "true")).isEqualTo(1);
		assertThat(this.registry.find("tls.handshakes").meters()).hasSize(4);
	}

	@Test
	void feedsEachRegistry() {
		SimpleMeterRegistry other = new SimpleMeterRegistry();
		TlsHandshakeMetrics metrics = new TlsHandshakeMetrics(this.handshakes);
		metrics.bindTo(this.registry);
		metrics.bindTo(other);
		complete("tomcat", false);
		assertThat(other.find("tls.handshakes").meters()).hasSize(2);
		assertThat(this.registry.find("tls.handshakes").meters()).hasSize(2);
	}

	@Test
	void timesEachHandshake() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		complete("tomcat", true);
		complete("tomcat", true);
		assertThat(timer("true").count()).isEqualTo(2);
		assertThat(timer("true").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(2);
		assertThat(timer("false").count()).isZero();
	}

	private Timer timer(String resumed) {
		return this.registry.get("tls.handshakes")
			.tags("server", "tomcat", "context", "application", "resumed", resumed)
			.timer();
	}

	@Test
	void countsFailures() {
		FailedTlsHandshake failed = new FailedTlsHandshake(server("tomcat"), Reason.CERTIFICATE);
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		this.handshakes.failed(failed);
		this.handshakes.failed(failed);
		assertThat(this.registry.get("tls.handshakes.failed")
			.tags("server", "tomcat", "context", "application", "reason", "certificate")
			.counter()
			.count()).isEqualTo(2);
	}

	@Test
	void countsRetries() {
		new TlsHandshakeMetrics(this.handshakes).bindTo(this.registry);
		complete("jetty", false);
		this.handshakes.retried(server("tomcat"));
		this.handshakes.retried(server("tomcat"));
		assertThat(retries("jetty")).isZero();
		assertThat(retries("tomcat")).isEqualTo(2);
	}

	private double retries(String server) {
		return this.registry.get("tls.handshakes.retried")
			.tags("server", server, "context", "application")
			.counter()
			.count();
	}

	private static TlsServerId server(String name) {
		return new TlsServerId(name, TlsServerId.Context.APPLICATION);
	}

	private void complete(String server, boolean resumed) {
		this.handshakes.completed(TestHandshakes.completed(TestHandshakes.kind(server(server)), resumed));
	}

	private long count(String server, String resumed) {
		return this.registry.get("tls.handshakes")
			.tag("server", server)
			.tag("context", "application")
			.tag("protocol", "TLSv1.3")
			.tag("cipher", "TLS_AES_128_GCM_SHA256")
			.tag("group", "x25519")
			.tag("resumed", resumed)
			.timer()
			.count();
	}

}
