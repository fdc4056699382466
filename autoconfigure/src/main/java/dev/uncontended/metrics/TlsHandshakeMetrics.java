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
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * A {@link MeterBinder} that times the TLS handshakes completed since the binding, and
 * counts failed handshakes and HelloRetryRequests. The first completed handshake of a
 * {@link HandshakeKind} registers the meters of this kind, for both values of the tag
 * {@code resumed}.
 */
public final class TlsHandshakeMetrics implements MeterBinder {

	private final TlsHandshakes handshakes;

	/**
	 * Creates a binder.
	 * @param handshakes the source of the counts and durations
	 */
	public TlsHandshakeMetrics(TlsHandshakes handshakes) {
		this.handshakes = handshakes;
	}

	@Override
	public void bindTo(MeterRegistry registry) {
		Binding binding = new Binding(this.handshakes, registry, ConcurrentHashMap.newKeySet());
		this.handshakes.addListener(binding);
		this.handshakes.counts().keySet().forEach(binding::register);
		this.handshakes.failedCounts().keySet().forEach(binding::register);
	}

	private static Tags tags(TlsServerId server) {
		return Tags.of("server", server.name(), "context", server.context().toString());
	}

	private record Binding(TlsHandshakes handshakes, MeterRegistry registry,
			Set<Object> registered) implements TlsHandshakeListener {

		@Override
		public void completed(TlsHandshake handshake) {
			register(handshake.kind());
			timer(handshake.kind(), handshake.resumed()).record(handshake.duration());
		}

		@Override
		public void retried(TlsServerId server) {
			register(server);
		}

		@Override
		public void failed(FailedTlsHandshake handshake) {
			register(handshake);
		}

		void register(HandshakeKind kind) {
			if (this.registered.add(kind)) {
				timer(kind, false);
				timer(kind, true);
			}
			register(kind.server());
		}

		void register(TlsServerId server) {
			if (this.registered.add(server)) {
				FunctionCounter
					.builder("tls.handshakes.retried", this.handshakes, (handshakes) -> handshakes.retriedCount(server))
					.description("Number of HelloRetryRequests, each of which costs a client a round trip")
					.tags(tags(server))
					.register(this.registry);
			}
		}

		void register(FailedTlsHandshake handshake) {
			if (this.registered.add(handshake)) {
				FunctionCounter
					.builder("tls.handshakes.failed", this.handshakes,
							(handshakes) -> handshakes.failedCount(handshake))
					.description("Number of failed TLS handshakes")
					.tags(tags(handshake.server()))
					.tag("reason", handshake.reason().toString())
					.register(this.registry);
			}
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

	}

}
