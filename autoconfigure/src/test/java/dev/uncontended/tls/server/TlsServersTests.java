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
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

/**
 * Tests for {@link TlsServers}.
 */
class TlsServersTests {

	private static final TlsServerId ID = new TlsServerId("test", TlsServerId.Context.APPLICATION);

	private final SslSessionCache cache = SslSessionCache.builder()
		.maximumSize(3)
		.timeout(Duration.ofSeconds(10))
		.build();

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final TlsServers servers = new TlsServers(this.cache, this.handshakes);

	private final RenewableSslContext context = this.servers.createContext(new JdkTlsEngine(), "TLS", ID);

	private final SSLSessionContext sessions = this.context.engineGetServerSessionContext();

	@BeforeEach
	void initializeContext() throws Exception {
		this.context.engineInit(null, null, null);
	}

	@Test
	void contextStartsWithLimitsOfCache() {
		assertThat(this.sessions.getSessionCacheSize()).isEqualTo(3);
		assertThat(this.sessions.getSessionTimeout()).isEqualTo(10);
	}

	@Test
	void nextConnectionFollowsLimitsOfCache() {
		this.cache.setSessionCacheSize(5);
		this.cache.setSessionTimeout(6);
		this.context.engineCreateSSLEngine();
		assertThat(this.sessions.getSessionCacheSize()).isEqualTo(5);
		assertThat(this.sessions.getSessionTimeout()).isEqualTo(6);
	}

	@Test
	void sessionsEndWhenServerIsAddedAgain() {
		List<String> ended = new ArrayList<>();
		TlsServer server = server(() -> ended.add("ended"));
		this.servers.add(server);
		assertThat(ended).isEmpty();
		this.servers.remove(server);
		this.servers.add(server);
		assertThat(ended).containsExactly("ended");
	}

	@Test
	void returnsContextsOfRegisteredServers() {
		TlsServer server = () -> Stream.of(this.context);
		this.servers.add(server);
		assertThat(this.servers.contexts()).containsExactly(this.context);
		this.servers.remove(server);
		assertThat(this.servers.contexts()).isEmpty();
	}

	@Test
	void endsSessionsOfAllServersAlthoughOneFails() {
		List<String> ended = new ArrayList<>();
		for (String name : List.of("one", "other")) {
			this.servers.add(server(() -> {
				ended.add(name);
				throw new IllegalStateException(name);
			}));
		}
		assertThatIllegalStateException().isThrownBy(this.cache::endAll)
			.withMessage("one")
			.satisfies((ex) -> assertThat(ex.getSuppressed()).singleElement()
				.satisfies((suppressed) -> assertThat(suppressed).hasMessage("other")));
		assertThat(ended).containsExactly("one", "other");
	}

	@Test
	void serversDoNotFollowCacheAfterClose() {
		this.servers.add(() -> Stream.of(this.context));
		this.servers.close();
		this.cache.setSessionCacheSize(5);
		assertThat(this.sessions.getSessionCacheSize()).isEqualTo(3);
	}

	@Test
	@SuppressWarnings("NullAway")
	void requiresCacheAndHandshakes() {
		assertThatNullPointerException().isThrownBy(() -> new TlsServers(null, this.handshakes))
			.withMessage("sessions must not be null");
		assertThatNullPointerException().isThrownBy(() -> new TlsServers(this.cache, null))
			.withMessage("handshakes must not be null");
	}

	private static TlsServer server(Runnable invalidation) {
		return new TlsServer() {

			@Override
			public Stream<RenewableSslContext> contexts() {
				return Stream.empty();
			}

			@Override
			public void endAll() {
				invalidation.run();
			}

		};
	}

}
