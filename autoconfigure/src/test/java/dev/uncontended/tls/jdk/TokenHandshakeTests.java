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

package dev.uncontended.tls.jdk;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.AlgorithmConstraints;
import java.security.AlgorithmParameters;
import java.security.CryptoPrimitive;
import java.security.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.LiveInstances;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.SessionTokens;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for {@link TokenHandshake}, with tickets and with sessions that the JDK stores.
 */
@ParameterizedClass
@CsvSource({ "TLSv1.2, false", "TLSv1.2, true", "TLSv1.3, false", "TLSv1.3, true" })
@Tag("integration")
class TokenHandshakeTests {

	private static final int MAXIMUM_SIZE = 20;

	@TempDir
	static Path directory;

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicBoolean outOfMemory = new AtomicBoolean();

	private final String protocol;

	private final boolean stateful;

	private SessionTokens cache;

	private InMemoryServer server;

	TokenHandshakeTests(String protocol, boolean stateful) {
		this.protocol = protocol;
		this.stateful = stateful;
	}

	private long now() {
		if (this.outOfMemory.getAndSet(false)) {
			throw new OutOfMemoryError("of the test");
		}
		return this.nanos.get();
	}

	@BeforeEach
	void createServer() throws Exception {
		createServer(MAXIMUM_SIZE, null);
	}

	private void createServer(int maximumSize, @Nullable Duration timeout) throws Exception {
		this.cache = new SessionTokens(maximumSize, timeout, this::now);
		this.server = new InMemoryServer(this.cache, directory, this.stateful, this.protocol);
	}

	@Test
	void clientResumesWhileItsSessionIsInCache() throws Exception {
		assertThat(this.server.connect(1)).isFalse();
		for (int i = 0; i < 100; i++) {
			assertThat(this.server.connect(1)).isTrue();
		}
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(100, 0, 1, 0, 0, 0));
	}

	@Test
	void evictedSessionMakesFullHandshakeAndItsNewTicketResumes() throws Exception {
		createServer(1, null);
		this.server.connect(1);
		this.server.connect(2);
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(1)).isTrue();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(1, 1, 3, 2, 0, 0));
	}

	@Test
	void floodDoesNotEndSessionsOfReturningClients() throws Exception {
		for (int client = 1; client <= 3; client++) {
			this.server.connect(client);
			this.server.connect(client);
		}
		for (int round = 1; round <= 6; round++) {
			for (int i = 0; i < 2 * MAXIMUM_SIZE; i++) {
				this.server.connect(1000 * round + i);
			}
			for (int client = 1; client <= 3; client++) {
				assertThat(this.server.connect(client)).isTrue();
			}
		}
		assertThat(this.cache.stats().evictions()).isGreaterThan(10 * MAXIMUM_SIZE);
	}

	@Test
	void timeoutStartsAtFullHandshake() throws Exception {
		createServer(MAXIMUM_SIZE, Duration.ofSeconds(5));
		List<Boolean> resumed = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			resumed.add(this.server.connect(1));
			this.nanos.addAndGet(Duration.ofMillis(1_500).toNanos());
		}
		assertThat(resumed).containsExactly(false, true, true, true, false, true, true, true, false);
	}

	@Test
	void timeoutOfContextAppliesWithoutProperty() throws Exception {
		this.server.context().engineGetServerSessionContext().setSessionTimeout(100);
		this.server.connect(1);
		this.nanos.addAndGet(Duration.ofSeconds(100).toNanos() - 1);
		assertThat(this.server.connect(1)).isTrue();
		this.nanos.incrementAndGet();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void timeoutOfContextIsLeftAloneWithoutProperty() throws Exception {
		this.server.context().engineGetServerSessionContext().setSessionTimeout(100);
		this.server.connect(1);
		assertThat(this.server.jdkStore().getSessionTimeout()).isEqualTo(100);
	}

	@Test
	void unusualTimeoutsResume() throws Exception {
		for (Duration timeout : List.of(Duration.ZERO, Duration.ofDays(8), Duration.ofSeconds(Integer.MAX_VALUE))) {
			createServer(MAXIMUM_SIZE, timeout);
			this.server.connect(1);
			this.nanos.addAndGet(Duration.ofDays(7).toNanos());
			assertThat(this.server.connect(1)).as("%s", timeout).isTrue();
		}
	}

	/*
	 * The JDK's client presents no session after a HelloRetryRequest. BoringSSL's client
	 * does, and sends one key share, whose group this server does not permit.
	 */
	@Test
	void replacedHandshakeWithHelloRetryRequestIsFull() throws Exception {
		assumeTrue(this.protocol.equals("TLSv1.3"), "Does not apply to TLS 1.2, which has no HelloRetryRequest");
		SslContext client = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL)
			.protocols(this.protocol)
			.option(OpenSslContextOption.GROUPS, new String[] { "x25519", "P-256" })
			.trustManager(InsecureTrustManagerFactory.INSTANCE)
			.endpointIdentificationAlgorithm(null)
			.build();
		List<Boolean> resumed = new ArrayList<>();
		for (int i = 0; i < 6; i++) {
			if (i == 3) {
				this.cache.endAll();
			}
			SSLEngine engine = client.newEngine(ByteBufAllocator.DEFAULT, "localhost", 1);
			InMemoryServer.Connection connection = this.server.open(engine);
			SSLParameters parameters = connection.server.getSSLParameters();
			parameters.setAlgorithmConstraints(new X25519Disabled());
			connection.server.setSSLParameters(parameters);
			resumed.add(connection.run().resumed());
		}
		assertThat(this.server.retried()).isEqualTo(6);
		// Of its stored sessions, the JDK resumes none after a HelloRetryRequest.
		assertThat(resumed).isEqualTo(this.stateful ? List.of(false, false, false, false, false, false)
				: List.of(false, true, true, false, true, true));
	}

	@Test
	void replacedHandshakeOfFragmentedHelloIsFull() throws Exception {
		for (boolean expected : new boolean[] { false, true, false, true }) {
			InMemoryServer.Connection connection = this.server.open(1);
			connection.fragmented = true;
			assertThat(connection.run().resumed()).isEqualTo(expected);
			if (expected) {
				this.cache.endAll();
			}
		}
	}

	@Test
	void replacedHandshakeChecksClientCertificate() throws Exception {
		for (boolean expected : new boolean[] { false, true, false, true }) {
			InMemoryServer.Connection connection = this.server.open(1);
			connection.server.setNeedClientAuth(true);
			assertThat(connection.run().resumed()).isEqualTo(expected);
			assertThat(connection.server.getSession().getPeerCertificates()).hasSize(1);
			if (expected) {
				this.cache.endAll();
			}
		}
	}

	@Test
	void serverWithoutSessionCreationRefusesEndedSession() throws Exception {
		this.server.connect(1);
		assertThat(resumesWithoutSessionCreation()).isTrue();
		this.cache.endAll();
		assertThatExceptionOfType(SSLException.class).isThrownBy(this::resumesWithoutSessionCreation);
		assertThat(this.server.connect(1)).isFalse();
	}

	private boolean resumesWithoutSessionCreation() throws SSLException {
		InMemoryServer.Connection connection = this.server.open(1);
		connection.server.setEnableSessionCreation(false);
		return connection.run().resumed();
	}

	@Test
	void endedSessionDoesNotResume() throws Exception {
		this.server.connect(1);
		this.cache.endAll();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void contextStaysAfterEnd() throws Exception {
		Object context = this.server.context().current();
		this.cache.endAll();
		assertThat(this.server.context().current()).isSameAs(context);
	}

	@Test
	void sessionOfHandshakeDuringEndDoesNotResume() throws Exception {
		assertThat(this.server.connect(1, this.cache::endAll)).isFalse();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionResumedDuringEndIsServedOnce() throws Exception {
		this.server.connect(1);
		assertThat(this.server.connect(1, this.cache::endAll)).isTrue();
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void connectionAcceptedBeforeEndDoesNotResume() throws Exception {
		this.server.connect(1);
		InMemoryServer.Connection connection = this.server.open(1);
		this.cache.endAll();
		assertThat(connection.run().resumed()).isFalse();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void sessionOfAnyConnectionEndsAllTickets() throws Exception {
		SSLSession full = this.server.open(1).run().server.getSession();
		assertThat(this.server.connect(1)).isTrue();
		assertThat(this.cache.remove(full)).isTrue();
		assertThat(this.server.connect(1)).isFalse();
		SSLSession resumed = this.server.open(1).run().server.getSession();
		assertThat(this.cache.remove(resumed)).isTrue();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void idOfEachOpenConnectionEndsAllTickets() throws Exception {
		InMemoryServer.Connection first = this.server.open(1).run();
		InMemoryServer.Connection second = this.server.open(1).run();
		this.server.connect(2);
		for (InMemoryServer.Connection connection : List.of(first, second)) {
			assertThat(this.cache.remove(connection.server.getSession().getId())).isEqualTo(connection == first);
		}
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(2)).isTrue();
		first.server.closeOutbound();
		assertThat(this.cache.remove(first.server.getSession().getId())).isFalse();
	}

	@Test
	void sessionInvalidatedByApplicationDoesNotResume() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run();
		connection.server.getSession().invalidate();
		connection.respond();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionInvalidatedByApplicationIsRemovedWithConnection() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run();
		connection.server.getSession().invalidate();
		connection.server.closeOutbound();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void removedSessionStaysRemovedAfterRenegotiation() throws Exception {
		assumeTrue(this.protocol.equals("TLSv1.2"), "Does not apply to TLS 1.3, which has no renegotiation");
		InMemoryServer.Connection connection = this.server.open(1).run();
		this.cache.remove(connection.server.getSession());
		connection.client.getSession().invalidate();
		connection.client.beginHandshake();
		connection.respond();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void renegotiationDoesNotResumeEndedSession() throws Exception {
		assumeTrue(this.protocol.equals("TLSv1.2"), "Does not apply to TLS 1.3, which has no renegotiation");
		InMemoryServer.Connection connection = this.server.open(1).run();
		this.cache.endAll();
		this.server.connect(1);
		this.cache.endAll();
		connection.client.beginHandshake();
		assertThatExceptionOfType(SSLException.class).isThrownBy(connection::respond)
			.withMessage("The client has renegotiated a TLS session that has ended");
	}

	@Test
	void taskOfOtherThreadIsAwaitedBeforeDecision() throws Exception {
		this.server.connect(1);
		this.cache.endAll();
		InMemoryServer.Connection connection = this.server.open(1);
		assertThat(connection.wrapBeforeTask().getHandshakeStatus()).isEqualTo(HandshakeStatus.NEED_TASK);
	}

	@Test
	void replacedHandshakeCallsSelectorOnce() throws Exception {
		this.server.connect(1);
		this.cache.endAll();
		InMemoryServer.Connection connection = this.server.open(1);
		List<List<String>> offered = new ArrayList<>();
		connection.server.setHandshakeApplicationProtocolSelector((engine, protocols) -> {
			offered.add(protocols);
			return "h2";
		});
		SSLParameters client = connection.client.getSSLParameters();
		client.setApplicationProtocols(new String[] { "h2", "http/1.1" });
		connection.client.setSSLParameters(client);
		assertThat(connection.run().resumed()).isFalse();
		assertThat(connection.server.getApplicationProtocol()).isEqualTo("h2");
		assertThat(offered).containsExactly(List.of("h2", "http/1.1"));
	}

	@Test
	void closedConnectionKeepsItsSession() throws Exception {
		this.server.open(1).run().server.closeOutbound();
		assertThat(this.server.connect(1)).isTrue();
	}

	/*
	 * Many clients close their connections so.
	 */
	@Test
	void connectionClosedWithoutCloseNotifyKeepsItsSession() throws Exception {
		SSLEngine engine = this.server.open(1).run().server;
		assertThatExceptionOfType(SSLException.class).isThrownBy(engine::closeInbound);
		engine.closeOutbound();
		assertThat(this.cache.estimatedSize()).isOne();
	}

	@Test
	void failedConnectionKeepsItsTickets() throws Exception {
		assumeTrue(!this.stateful, "Does not apply to stored sessions, which the JDK invalidates");
		SSLEngine engine = this.server.open(1).run().server;
		ByteBuffer badRecord = ByteBuffer.allocate(5 + 64).put(new byte[] { 23, 3, 3, 0, 64 }).rewind();
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> engine.unwrap(badRecord, ByteBuffer.allocate(1 << 15)));
		engine.closeOutbound();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void sessionOfClientThatDisappearsDuringHandshakeIsNotPut() throws Exception {
		this.server.open(2).disappear();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(2)).isFalse();
	}

	@Test
	void sessionWhosePutFailedDoesNotResume() throws Exception {
		assertThat(this.server.connect(1, () -> this.outOfMemory.set(true))).isFalse();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void secondTicketOfSessionEndsWithIt() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run();
		connection.server.getSession().putValue("name", "value");
		connection.respond();
		assertThat(this.server.connect(1)).isTrue();
		this.cache.remove(connection.server.getSession());
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.cache.stats().puts()).isEqualTo(2);
	}

	@Test
	void clientEngineResumesAndHasNoToken() throws Exception {
		InMemoryServer.Connection[] connections = new InMemoryServer.Connection[2];
		for (int i = 0; i < 2; i++) {
			SSLEngine client = this.server.context().engineCreateSSLEngine("localhost", 1);
			connections[i] = this.server.open(client).run();
			assertThat(client.getSession().getPeerHost()).isEqualTo("localhost");
		}
		assertThat(connections[1].resumed()).isTrue();
		assertThat(this.cache.stats().puts()).isOne();
	}

	/*
	 * With the JDK's own store, a session with a client certificate takes 8 KB.
	 */
	@Test
	@Tag("product")
	void sessionsOfClientCertificatesAreNotRetained() throws Exception {
		assumeTrue(!this.stateful, "Does not apply to stored sessions");
		createServer(0, null);
		long before = LiveInstances.count("sun.security.ssl.SSLSessionImpl");
		for (int client = 0; client < 2_000; client++) {
			InMemoryServer.Connection connection = this.server.open(client);
			connection.server.setNeedClientAuth(true);
			connection.run();
		}
		this.server.forgetClients();
		assertThat(this.cache.estimatedSize()).isEqualTo(2_000);
		assertThat(LiveInstances.count("sun.security.ssl.SSLSessionImpl") - before).isLessThan(20);
	}

	/*
	 * The model: a client resumes exactly if the session of its last full handshake is in
	 * the cache.
	 */
	@Test
	void behavesAsModel() throws Exception {
		Random random = new Random(42);
		Map<Integer, SSLSession> sessions = new HashMap<>();
		int resumptions = 0;
		for (int step = 0; step < 600; step++) {
			int client = random.nextInt(2 * MAXIMUM_SIZE);
			SSLSession session = sessions.get(client);
			switch (random.nextInt(20)) {
				case 0 -> {
					if (session != null) {
						this.cache.remove(session);
					}
				}
				case 1 -> this.nanos.addAndGet(Duration.ofHours(random.nextInt(16)).toNanos());
				case 2 -> {
					if (random.nextInt(10) == 0) {
						this.cache.endAll();
					}
				}
				default -> {
					Long token = (session != null) ? SessionTokens.tokenOf(session) : null;
					boolean expected = token != null && this.cache.contains(token);
					InMemoryServer.Connection connection = this.server.open(client).run();
					assertThat(connection.resumed()).as("step %d, client %d", step, client).isEqualTo(expected);
					sessions.put(client, connection.server.getSession());
					resumptions += expected ? 1 : 0;
				}
			}
		}
		assertThat(resumptions).isGreaterThan(100);
		assertThat(this.cache.stats().hits()).isEqualTo(resumptions);
		assertThat(this.cache.stats().misses()).isPositive();
		assertThat(this.cache.stats().expirations()).isPositive();
	}

	@Test
	@Tag("product")
	void survivesConcurrentHandshakesAndEnds() throws Exception {
		ExecutorService executor = Executors.newFixedThreadPool(5);
		try {
			for (int round = 0; round < 40; round++) {
				List<Callable<@Nullable Void>> threads = new ArrayList<>();
				for (int thread = 0; thread < 5; thread++) {
					Random random = new Random(5 * round + thread);
					threads.add(() -> {
						for (int i = 0; i < 8; i++) {
							connectOrEnd(random);
						}
						return null;
					});
				}
				for (Future<?> thread : executor.invokeAll(threads)) {
					thread.get();
				}
				this.cache.endAllHere();
				for (int client = 0; client < 5; client++) {
					assertThat(this.server.connect(client)).as("round %d", round).isFalse();
				}
			}
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(this.server.handshakes.reportingErrors()).isZero();
		assertThat(IntStream.range(0, 2 * MAXIMUM_SIZE)).allSatisfy((client) -> {
			this.server.connect(client);
			assertThat(this.server.connect(client)).isTrue();
		});
	}

	/*
	 * Threads share clients, and thus tickets.
	 */
	private void connectOrEnd(Random random) throws Exception {
		switch (random.nextInt(16)) {
			case 0 -> this.cache.endAll();
			case 1 -> this.server.reload();
			case 2, 3 -> this.cache.remove(this.server.open(random.nextInt(5)).run().server.getSession());
			default -> this.server.connect(random.nextInt(5));
		}
	}

	private static final class X25519Disabled implements AlgorithmConstraints {

		@Override
		public boolean permits(Set<CryptoPrimitive> primitives, String algorithm,
				@Nullable AlgorithmParameters parameters) {
			return Stream.of("XDH", "x25519").noneMatch((algorithm + parameters)::contains);
		}

		@Override
		public boolean permits(Set<CryptoPrimitive> primitives, Key key) {
			return true;
		}

		@Override
		public boolean permits(Set<CryptoPrimitive> primitives, String algorithm, Key key,
				@Nullable AlgorithmParameters parameters) {
			return true;
		}

	}

}
