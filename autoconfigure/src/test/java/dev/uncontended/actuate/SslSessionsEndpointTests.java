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

package dev.uncontended.actuate;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import dev.uncontended.actuate.SslSessionsEndpoint.CacheDescriptor;
import dev.uncontended.actuate.SslSessionsEndpoint.EndDescriptor;
import dev.uncontended.actuate.SslSessionsEndpoint.FailedHandshakeDescriptor;
import dev.uncontended.actuate.SslSessionsEndpoint.HandshakeDescriptor;
import dev.uncontended.actuate.SslSessionsEndpoint.ServersDescriptor;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.FailedTlsHandshake.Reason;
import dev.uncontended.tls.handshake.TestHandshakes;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.handshake.TlsServerId.Context;
import dev.uncontended.tls.server.TlsServer;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.Reach;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SslSessionsEndpoint}.
 */
class SslSessionsEndpointTests {

	private static final TlsServerId TOMCAT = new TlsServerId("tomcat", Context.APPLICATION);

	private static final TlsServerId MANAGEMENT = new TlsServerId("tomcat", Context.MANAGEMENT);

	private static final String NAME = "tomcat (application) by a test";

	private static final ServersDescriptor SERVERS = new ServersDescriptor(List.of(NAME), List.of());

	private final SessionTokens cache = new SessionTokens(5, Duration.ofHours(1), System::nanoTime);

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final TlsServers servers = new TlsServers(this.cache, this.handshakes);

	@BeforeEach
	void addServer() {
		this.servers.add(new TestServer(List.of(NAME), List.of()));
	}

	@Test
	void sslSessionsReturnsLimitsAndStatisticsOfEachCache() {
		TestSessions.put(this.cache);
		complete("TLSv1.3", "TLS_AES_128_GCM_SHA256", true);
		assertThat(endpoint().sslSessions().caches()).isEqualTo(Map.of("sslSessionCache",
				new CacheDescriptor(1, 5, Duration.ofHours(1), new SslSessionStats(0, 0, 1, 0, 0, 0))));
	}

	@Test
	void sslSessionsReturnsHandshakesInOrder() {
		complete("TLSv1.3", "TLS_AES_256_GCM_SHA384", false);
		complete("TLSv1.3", "TLS_AES_128_GCM_SHA256", false);
		complete("TLSv1.3", "TLS_AES_128_GCM_SHA256", true);
		assertThat(endpoint().sslSessions().handshakes()).containsExactly(
				new HandshakeDescriptor("tomcat", "application", "TLSv1.3", "TLS_AES_128_GCM_SHA256", "x25519", 1, 1),
				new HandshakeDescriptor("tomcat", "application", "TLSv1.3", "TLS_AES_256_GCM_SHA384", "x25519", 1, 0));
	}

	@Test
	void sslSessionsReturnsFailedHandshakesInOrder() {
		this.handshakes.failed(new FailedTlsHandshake(MANAGEMENT, Reason.CIPHER));
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.PROTOCOL));
		this.handshakes.failed(new FailedTlsHandshake(TOMCAT, Reason.PROTOCOL));
		assertThat(endpoint().sslSessions().failedHandshakes()).containsExactly(
				new FailedHandshakeDescriptor("tomcat", "application", "protocol", 2),
				new FailedHandshakeDescriptor("tomcat", "management", "cipher", 1));
	}

	@Test
	void sslSessionsReturnsEngineAndStateOfTicketKeys() {
		try (TicketKeys keys = ticketKeys()) {
			SslSessionsEndpoint endpoint = new SslSessionsEndpoint(() -> this.servers, "boringssl", keys);
			assertThat(endpoint.sslSessions().engine()).isEqualTo("boringssl");
			assertThat(endpoint.sslSessions().tickets().source()).isEqualTo("local");
		}
	}

	@Test
	void sslSessionsReturnsWhereSessionsOfRunningServersAre() {
		assertThat(endpoint().sslSessions().sessions()).isEqualTo(Map.of(NAME, "limited by the session cache"));
		assertThat(endpoint().sslSessions().servers()).isEqualTo(SERVERS);
	}

	@Test
	void sslSessionsReturnsEmptyCollectionsWithoutServer() {
		SslSessionsEndpoint endpoint = new SslSessionsEndpoint(() -> new TlsServers(this.cache, this.handshakes), "jdk",
				null);
		assertThat(endpoint.sslSessions().handshakes()).isEmpty();
		assertThat(endpoint.sslSessions().sessions()).isEmpty();
		assertThat(endpoint.sslSessions().groups()).isEmpty();
		assertThat(endpoint.sslSessions().tickets()).isNull();
	}

	@Test
	void cacheReturnsOneCache() {
		assertThat(endpoint().cache("sslSessionCache"))
			.isEqualTo(endpoint().sslSessions().caches().get("sslSessionCache"));
	}

	@Test
	void cacheReturnsNullForUnknownName() {
		assertThat(endpoint().cache("unknown")).isNull();
	}

	@Test
	void endAllEndsSessionsOfThisNode() {
		TestSessions.put(this.cache);
		assertThat(endpoint().endAll()).isEqualTo(new EndDescriptor(Reach.THIS_NODE, SERVERS, null));
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void endAllReturnsReachOfThisCall() {
		this.cache.onEndAll(() -> Reach.CONFIRMED_NODES);
		assertThat(endpoint().endAll().reach()).isEqualTo(Reach.CONFIRMED_NODES);
	}

	@ParameterizedTest
	@CsvSource({ "tomcat, , ALL_NODES", "tomcat, other, SOME_SERVERS", ", other, NO_SERVER", ", , NO_SERVER" })
	void endAllReturnsWhetherServersAreReached(@Nullable String reached, @Nullable String unreached, Reach reach) {
		TlsServers servers = new TlsServers(this.cache, this.handshakes);
		TestServer server = new TestServer(Stream.ofNullable(reached).toList(), Stream.ofNullable(unreached).toList());
		servers.add(server);
		this.cache.onEndAll(() -> Reach.ALL_NODES);
		SslSessionsEndpoint endpoint = new SslSessionsEndpoint(() -> servers, "jdk", null);
		assertThat(endpoint.endAll()).isEqualTo(
				new EndDescriptor(reach, new ServersDescriptor(server.reachedNames, server.unreachedNames), null));
	}

	private SslSessionsEndpoint endpoint() {
		return new SslSessionsEndpoint(() -> this.servers, "jdk", null);
	}

	private void complete(String protocol, String cipherSuite, boolean resumed) {
		this.handshakes
			.completed(TestHandshakes.completed(TestHandshakes.kind(TOMCAT, protocol, cipherSuite), resumed));
	}

	private static TicketKeys ticketKeys() {
		return TicketKeys.local(new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), new SecureRandom());
	}

	private record TestServer(List<String> reachedNames, List<String> unreachedNames) implements TlsServer {

		@Override
		public Stream<RenewableSslContext> contexts() {
			return Stream.empty();
		}

		@Override
		public Map<String, String> reached() {
			return this.reachedNames.stream()
				.collect(Collectors.toMap((name) -> name, (name) -> "limited by the session cache"));
		}

		@Override
		public Stream<String> unreached() {
			return this.unreachedNames.stream();
		}

	}

}
