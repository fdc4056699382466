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

package dev.uncontended.tls.server;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link TlsServers}.
 */
class TlsServersTests {

	private static final TlsServerId ID = new TlsServerId("test", TlsServerId.Context.APPLICATION);

	private final SessionTokens cache = new SessionTokens(3, Duration.ofSeconds(10), System::nanoTime);

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final TlsServers servers = new TlsServers(this.cache, this.handshakes);

	private final RenewableSslContext context = this.servers.createContext(new JdkTlsEngine(this.cache, List.of()),
			"TLS", ID);

	@BeforeEach
	void initializeContext() throws Exception {
		this.context.engineInit(null, null, null);
	}

	@Test
	void returnsContextsOfRegisteredServers() {
		TlsServer server = mock();
		given(server.contexts()).willAnswer((invocation) -> Stream.of(this.context));
		given(server.unreached()).willAnswer((invocation) -> Stream.of());
		this.servers.add(server);
		assertThat(this.servers.contexts()).containsExactly(this.context);
		this.servers.remove(server);
		assertThat(this.servers.contexts()).isEmpty();
	}

}
