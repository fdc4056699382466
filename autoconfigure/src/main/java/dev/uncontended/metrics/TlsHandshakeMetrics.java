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

import dev.uncontended.tls.HandshakeCounter;
import dev.uncontended.tls.TlsHandshakes;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * Counts completed TLS handshakes, by server, protocol, cipher suite and whether they
 * resumed a session. A series appears with the first handshake of its kind; both values
 * of {@code resumed} appear together, so that the share of resumed handshakes can be
 * computed from the start.
 */
public final class TlsHandshakeMetrics implements MeterBinder {

	static final String HANDSHAKES = "tls.handshakes";

	private final TlsHandshakes handshakes;

	/**
	 * Create a binder.
	 * @param handshakes the handshakes to count
	 */
	public TlsHandshakeMetrics(TlsHandshakes handshakes) {
		this.handshakes = handshakes;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.handshakes.addListener((counter) -> {
			register(FunctionCounter.builder(HANDSHAKES, counter, HandshakeCounter::full), "false", counter, registry);
			register(FunctionCounter.builder(HANDSHAKES, counter, HandshakeCounter::resumed), "true", counter,
					registry);
		});
	}

	private void register(FunctionCounter.Builder<HandshakeCounter> builder, String resumed, HandshakeCounter counter,
			MeterRegistry registry) {
		builder.description("Completed TLS handshakes")
			.tag("server", counter.server())
			.tag("protocol", counter.protocol())
			.tag("cipher", counter.cipherSuite())
			.tag("resumed", resumed)
			.register(registry);
	}

}
