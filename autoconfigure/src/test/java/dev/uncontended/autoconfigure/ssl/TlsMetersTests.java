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

import java.util.List;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the meters of a server.
 */
@ParameterizedClass
@ValueSource(strings = { "jdk", "boringssl" })
class TlsMetersTests extends AbstractTlsServerTests {

	private final boolean tickets;

	TlsMetersTests(String engine) {
		super(TestServer.TOMCAT, engine);
		this.tickets = engine.equals("boringssl");
	}

	@Test
	void bindsMetersOfServerWithTls() throws Exception {
		start();
		assertServes();
		Awaitility.await()
			.untilAsserted(() -> assertThat(names()).contains("tls.sessions", "tls.sessions.puts", "tls.handshakes"));
	}

	@Test
	void bindsMetersOfTicketKeysOfBoringSsl() {
		start();
		assertThat(names().contains("tls.ticket.keys")).isEqualTo(this.tickets);
		assertThat(names().contains("tls.ticket.failing")).isEqualTo(this.tickets);
	}

	@Test
	void bindsNoMetersOfServerWithoutTls() {
		run();
		assertThat(names()).noneMatch((name) -> name.startsWith("tls."));
	}

	private List<String> names() {
		return context().getBean(MeterRegistry.class)
			.getMeters()
			.stream()
			.map(Meter::getId)
			.map(Meter.Id::getName)
			.toList();
	}

	@Override
	List<Class<?>> sources() {
		return List.of(Metrics.class);
	}

	@ImportAutoConfiguration({ MetricsAutoConfiguration.class, CompositeMeterRegistryAutoConfiguration.class,
			SimpleMetricsExportAutoConfiguration.class, SslActuatorAutoConfiguration.class })
	static class Metrics {

	}

}
