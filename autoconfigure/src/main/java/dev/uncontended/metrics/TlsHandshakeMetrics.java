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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} that times the completed TLS handshakes, and counts failed
 * handshakes and HelloRetryRequests, all since the binding. The first completed handshake
 * of a {@link HandshakeKind} registers the meters of this kind, for both values of the
 * tag {@code resumed}.
 */
public final class TlsHandshakeMetrics implements MeterBinder {

	private final TlsHandshakes handshakes;

	/**
	 * Creates a binder.
	 * @param handshakes the handshakes
	 */
	public TlsHandshakeMetrics(TlsHandshakes handshakes) {
		this.handshakes = handshakes;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		this.handshakes.addListener(new Meters(registry, ConcurrentHashMap.newKeySet()));
	}

	private record Meters(MeterRegistry registry, Set<HandshakeKind> kinds) implements TlsHandshakeListener {

		@Override
		public void completed(TlsHandshake handshake) {
			HandshakeKind kind = handshake.kind();
			if (this.kinds.add(kind)) {
				timer(kind, !handshake.resumed());
				retries(kind.server());
			}
			timer(kind, handshake.resumed()).record(handshake.duration());
		}

		@Override
		public void retried(TlsServerId server) {
			retries(server).increment();
		}

		@Override
		public void failed(FailedTlsHandshake handshake) {
			Counter.builder("tls.handshakes.failed")
				.description("Number of failed TLS handshakes")
				.tags(tags(handshake.server()))
				.tag("reason", handshake.reason().toString())
				.register(this.registry)
				.increment();
		}

		private Counter retries(TlsServerId server) {
			return Counter.builder("tls.handshakes.retried")
				.description("Number of HelloRetryRequests, each of which costs a client a round trip")
				.tags(tags(server))
				.register(this.registry);
		}

		private Timer timer(HandshakeKind kind, boolean resumed) {
			return Timer.builder("tls.handshakes")
				.description("Completed TLS handshakes, from the client's first bytes to the end of the handshake")
				.tags(tags(kind.server()))
				.tag("protocol", kind.protocol())
				.tag("cipher", kind.cipherSuite())
				.tag("group", kind.group())
				.tag("resumed", String.valueOf(resumed))
				.register(this.registry);
		}

		private static Tags tags(TlsServerId server) {
			return Tags.of("server", server.name(), "context", server.context().toString());
		}

	}

}
