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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.LiveInstances;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.Lineages;
import dev.uncontended.tls.session.internal.TestSessions;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Tests for the sessions that the JDK stores and a {@link SslSessionCache} decides, with
 * handshakes in memory.
 */
@ParameterizedClass
@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
@Tag("integration")
class StoredSessionTests {

	private static final int MAXIMUM_SIZE = 20;

	@TempDir
	static Path directory;

	private final AtomicLong nanos = new AtomicLong();

	private final AtomicBoolean outOfMemory = new AtomicBoolean();

	private final Lineages cache = new Lineages(MAXIMUM_SIZE, Duration.ofHours(24), this::now);

	private final String protocol;

	private InMemoryServer server;

	StoredSessionTests(String protocol) {
		this.protocol = protocol;
	}

	private long now() {
		if (this.outOfMemory.getAndSet(false)) {
			throw new OutOfMemoryError("of the test");
		}
		return this.nanos.get();
	}

	@BeforeEach
	void createServer() throws Exception {
		this.server = new InMemoryServer(this.cache, directory, true, this.protocol);
	}

	@Test
	void clientResumesWhileItsSessionIsInCache() throws Exception {
		assertThat(this.server.connect(1)).isFalse();
		for (int i = 0; i < 5; i++) {
			assertThat(this.server.connect(1)).isTrue();
		}
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(5, 1, 1, 0, 0, 0));
		assertThat(this.server.storedByJdk()).isOne();
	}

	@Test
	void jdkStoresAsManySessionsAsCache() throws Exception {
		for (int client = 1; client <= 200; client++) {
			this.server.connect(client);
		}
		assertThat(this.cache.estimatedSize()).isEqualTo(MAXIMUM_SIZE);
		assertThat(this.server.storedByJdk()).isEqualTo(MAXIMUM_SIZE);
		assertThat(this.cache.stats().evictions()).isEqualTo(200 - MAXIMUM_SIZE);
	}

	@Test
	void floodDoesNotEndSessionsOfReturningClients() throws Exception {
		assertThat(resumptionsInFlood()).containsOnly(true);
		assertThat(this.cache.stats().evictions()).isGreaterThan(10 * MAXIMUM_SIZE);
	}

	/*
	 * Between two connections of a returning client, twice as many clients connect as the
	 * cache has room for.
	 */
	private List<Boolean> resumptionsInFlood() throws Exception {
		for (int client = 1; client <= 3; client++) {
			this.server.connect(client);
			this.server.connect(client);
		}
		List<Boolean> resumed = new ArrayList<>();
		for (int round = 1; round <= 6; round++) {
			for (int i = 0; i < 2 * MAXIMUM_SIZE; i++) {
				this.server.connect(1000 * round + i);
			}
			for (int client = 1; client <= 3; client++) {
				resumed.add(this.server.connect(client));
			}
		}
		return resumed;
	}

	/*
	 * Jetty binds a value to each session.
	 */
	@Test
	void ticketOfBoundValueDoesNotProtectFromEviction() throws Exception {
		this.server.connect(1);
		this.server.connect(1);
		for (int client = 2; client < 3 * MAXIMUM_SIZE; client++) {
			InMemoryServer.Connection connection = this.server.open(client).run(() -> {
			});
			connection.server.getSession().putValue("name", "value");
			connection.respond();
		}
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void evictedSessionDoesNotResume() throws Exception {
		for (int client = 1; client <= 3; client++) {
			this.server.connect(client);
		}
		this.server.connect(3);
		this.cache.setSessionCacheSize(1);
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.server.storedByJdk()).isOne();
		long resumed = 0;
		this.cache.setSessionCacheSize(MAXIMUM_SIZE);
		for (int client = 1; client <= 3; client++) {
			resumed += this.server.connect(client) ? 1 : 0;
		}
		assertThat(resumed).isOne();
	}

	@Test
	void expiredSessionDoesNotResume() throws Exception {
		this.server.connect(1);
		this.nanos.addAndGet(Duration.ofHours(24).toNanos() - 1);
		assertThat(this.server.connect(1)).isTrue();
		this.nanos.incrementAndGet();
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.storedByJdk()).isOne();
		assertThat(this.cache.stats().expirations()).isOne();
	}

	@Test
	void returningClientMakesFullHandshakesAfterTimeout() throws Exception {
		this.cache.setSessionTimeout(5);
		List<Boolean> resumed = new ArrayList<>();
		for (int i = 0; i < 9; i++) {
			resumed.add(this.server.connect(1));
			this.nanos.addAndGet(Duration.ofMillis(1_500).toNanos());
		}
		assertThat(resumed).containsExactly(false, true, true, true, false, true, true, true, false);
	}

	@Test
	void sessionThatExpiresDuringHandshakeResumesForTheLastTime() throws Exception {
		this.server.connect(1);
		assertThat(this.server.connect(1, () -> this.nanos.addAndGet(Duration.ofHours(24).toNanos()))).isTrue();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void handshakeIsFullAfterSixtyFourResumptions() throws Exception {
		for (int i = 0; i < 3; i++) {
			assertThat(this.server.connect(1)).isFalse();
			for (int j = 0; j < 64; j++) {
				assertThat(this.server.connect(1)).isTrue();
			}
		}
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(192, 3, 3, 0, 0, 3));
	}

	/*
	 * The client's engine of the open connection must not stay, because it keeps the
	 * client's later sessions.
	 */
	@Test
	@Tag("product")
	void openConnectionKeepsFewSessionsAlive() throws Exception {
		this.cache.setSessionCacheSize(100);
		SSLEngine open = this.server.open(1).run(() -> {
		}).server;
		long before = LiveInstances.count("sun.security.ssl.SSLSessionImpl");
		for (int i = 0; i < 3_000; i++) {
			this.server.connect(1);
		}
		this.server.forgetClients();
		assertThat(LiveInstances.count("sun.security.ssl.SSLSessionImpl") - before).isLessThan(200);
		assertThat(this.cache.stats().hits()).isGreaterThan(2_900);
		assertThat(open.isOutboundDone()).isFalse();
	}

	@Test
	void ticketsOfBoundValuesCountAsResumptions() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run(() -> {
		});
		for (int i = 0; i < 64; i++) {
			connection.server.getSession().putValue("name", i);
			connection.respond();
		}
		assertThat(this.server.connect(1)).isEqualTo(this.protocol.equals("TLSv1.2"));
	}

	@Test
	void removedSessionDoesNotResume() throws Exception {
		this.server.connect(1);
		this.server.connect(2);
		this.server.connect(2);
		InMemoryServer.Connection connection = this.server.open(2).run(() -> {
		});
		assertThat(connection.resumed()).isTrue();
		byte[] id = connection.server.getSession().getId();
		assertThat(this.cache.getSession(id)).isSameAs(connection.server.getSession());
		assertThat(this.cache.remove(id)).isSameAs(connection.server.getSession());
		assertThat(this.server.connect(1)).isTrue();
		assertThat(this.server.connect(2)).isFalse();
	}

	@Test
	void idsAreThoseOfNewestSessions() throws Exception {
		this.server.connect(1);
		SSLSession session = this.server.open(1).run(() -> {
		}).server.getSession();
		assertThat(Collections.list(this.cache.getIds())).containsExactly(session.getId());
	}

	@Test
	void endedSessionDoesNotResume() throws Exception {
		this.server.connect(1);
		this.cache.endAll();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionOfHandshakeDuringEndIsNotStored() throws Exception {
		assertThat(this.server.connect(1, this.cache::endAll)).isFalse();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.storedByJdk()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionResumedDuringItsRemovalIsNotServed() throws Exception {
		this.server.connect(1);
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> this.server.connect(1,
					() -> Collections.list(this.cache.getIds()).forEach((id) -> this.cache.remove(id))))
			.withMessage("The resumed TLS session has ended");
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionResumedDuringEndIsNotServed() throws Exception {
		this.server.connect(1);
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> this.server.connect(1, this.cache::endAll));
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionResumedDuringItsEvictionIsServedOnce() throws Exception {
		this.server.connect(1);
		assertThat(this.server.connect(1, () -> {
			this.cache.setSessionCacheSize(1);
			TestSessions.put(this.cache, TestSessions.session(1));
		})).isTrue();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionOfAnyConnectionEndsLineage() throws Exception {
		SSLSession full = this.server.open(1).run(() -> {
		}).server.getSession();
		assertThat(this.server.connect(1)).isTrue();
		assertThat(this.cache.remove(full)).isTrue();
		assertThat(this.server.connect(1)).isFalse();
	}

	/*
	 * The JDK's client presents only its last ticket, so the ClientHello is changed.
	 */
	@Test
	void unusedTicketOfRemovedSessionDoesNotResume() throws Exception {
		assumeTrue(this.protocol.equals("TLSv1.3"), "Does not apply to TLS 1.2, which resumes by session id");
		InMemoryServer.Connection connection = this.server.open(1).run(() -> {
		});
		byte[] first = Collections.list(this.server.jdkStore().getIds()).get(0);
		connection.server.getSession().putValue("name", "value");
		connection.respond();
		InMemoryServer.Connection resumed = this.server.open(1).run(() -> {
		});
		assertThat(resumed.resumed()).isTrue();
		this.cache.remove(resumed.server.getSession());
		assumeTrue(this.server.jdkStore().getSession(first) != null,
				"Does not apply to JDKs that invalidate all tickets with their session");
		assertThat(this.server.open(1).present(first)).isEqualTo(HandshakeStatus.NEED_WRAP);
		assertThat(this.server.jdkStore().getSession(first)).isNull();
	}

	@Test
	void sessionInvalidatedByApplicationDoesNotResume() throws Exception {
		this.server.connect(1);
		InMemoryServer.Connection connection = this.server.open(1).run(() -> {
		});
		connection.server.getSession().invalidate();
		connection.respond();
		assertThat(this.cache.getSession(connection.server.getSession().getId())).isNull();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionInvalidatedByApplicationIsRemovedWithConnection() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run(() -> {
		});
		connection.server.getSession().invalidate();
		connection.server.closeOutbound();
		assertThat(this.cache.estimatedSize()).isZero();
	}

	@Test
	void sessionOfFailedConnectionIsRemoved() throws Exception {
		this.server.connect(1);
		SSLEngine engine = this.server.open(1).run(() -> {
		}).server;
		ByteBuffer fatalRecord = ByteBuffer.allocate(5 + 64).put(new byte[] { 23, 3, 3, 0, 64 }).rewind();
		assertThatExceptionOfType(SSLException.class)
			.isThrownBy(() -> engine.unwrap(fatalRecord, ByteBuffer.allocate(1 << 15)));
		assertThat(this.server.storedByJdk()).isZero();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void closedConnectionKeepsItsSession() throws Exception {
		SSLEngine engine = this.server.open(1).run(() -> {
		}).server;
		engine.closeOutbound();
		assertThat(this.server.connect(1)).isTrue();
	}

	@Test
	void sessionOfClientThatDisappearsDuringHandshakeIsNotStored() throws Exception {
		this.server.connect(1);
		this.server.open(2).disappear();
		assertThat(this.cache.estimatedSize()).isOne();
		assertThat(this.server.storedByJdk()).isOne();
		assertThat(this.server.connect(2)).isFalse();
	}

	@Test
	void sessionWhosePutFailedDoesNotResume() throws Exception {
		assertThat(this.server.connect(1, () -> this.outOfMemory.set(true))).isFalse();
		assertThat(this.cache.estimatedSize()).isZero();
		assertThat(this.server.storedByJdk()).isZero();
		assertThat(this.server.connect(1)).isFalse();
		assertThat(this.server.connect(1)).isTrue();
		assertThat(this.cache.estimatedSize()).isOne();
	}

	@Test
	void boundOfJdkIsNotReached() throws Exception {
		this.server.connect(1);
		assertThat(this.server.jdkStore().getSessionCacheSize()).isEqualTo(4 * MAXIMUM_SIZE);
		this.cache.setSessionCacheSize(0);
		this.server.connect(1);
		assertThat(this.server.jdkStore().getSessionCacheSize()).isZero();
	}

	@Test
	void sessionWithoutTicketIsNotStored() throws Exception {
		// The JDK issues no TLS 1.3 ticket with a timeout of more than seven days.
		this.cache.setSessionTimeout(8 * 86_400);
		this.server.connect(1);
		assertThat(this.cache.estimatedSize()).isEqualTo(this.protocol.equals("TLSv1.2") ? 1 : 0);
	}

	@Test
	void secondTicketOfBoundValueEndsWithSession() throws Exception {
		InMemoryServer.Connection connection = this.server.open(1).run(() -> {
		});
		connection.server.getSession().putValue("name", "value");
		connection.respond();
		assertThat(this.cache.stats().puts()).isOne();
		assertThat(this.server.storedByJdk()).isEqualTo(this.protocol.equals("TLSv1.2") ? 1 : 2);
		this.cache.setSessionCacheSize(1);
		this.server.connect(2);
		assertThat(this.server.storedByJdk()).isOne();
		assertThat(this.server.connect(1)).isFalse();
	}

	@Test
	void sessionOfClientEngineIsNotStored() throws Exception {
		this.server.connect(this.server.context().engineCreateSSLEngine("client", 1), () -> {
		});
		assertThat(this.cache.stats().puts()).isOne();
	}

	@Test
	void ticketsAreNotInCache() throws Exception {
		InMemoryServer stateless = new InMemoryServer(this.cache, directory, false, this.protocol);
		assertThat(stateless.connect(1)).isFalse();
		assertThat(stateless.connect(1)).isTrue();
		assertThat(stateless.connect(1)).isTrue();
		assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(0, 0, 0, 0, 0, 0));
	}

	/*
	 * The model: a client resumes exactly if its last handshake's session is in the
	 * cache.
	 */
	@Test
	void behavesAsModel() throws Exception {
		Random random = new Random(42);
		Map<Integer, byte[]> ids = new HashMap<>();
		for (int step = 0; step < 600; step++) {
			int client = random.nextInt(2 * MAXIMUM_SIZE);
			byte[] id = ids.get(client);
			switch (random.nextInt(20)) {
				case 0 -> {
					if (id != null) {
						this.cache.remove(id);
					}
				}
				case 1 -> {
					this.nanos.addAndGet(Duration.ofHours(random.nextInt(16)).toNanos());
					this.cache.getIds();
				}
				case 2 -> this.cache.setSessionCacheSize(MAXIMUM_SIZE / 2 + random.nextInt(MAXIMUM_SIZE));
				default -> {
					boolean expected = id != null && this.cache.getSession(id) != null;
					InMemoryServer.Connection connection = this.server.open(client).run(() -> {
					});
					assertThat(connection.resumed()).as("step %d, client %d", step, client).isEqualTo(expected);
					ids.put(client, connection.server.getSession().getId());
				}
			}
			assertThat(this.server.storedByJdk()).isEqualTo((int) this.cache.estimatedSize());
		}
		assertThat(this.cache.stats().hits()).isGreaterThan(100);
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

	private void connectOrEnd(Random random) throws Exception {
		switch (random.nextInt(16)) {
			case 0 -> this.cache.endAll();
			case 1 -> this.server.reload();
			case 2, 3 -> Collections.list(this.cache.getIds()).forEach((id) -> this.cache.remove(id));
			default -> connectUnlessEnded(random.nextInt(5));
		}
	}

	/*
	 * Threads share clients, and thus tickets.
	 */
	private void connectUnlessEnded(int client) throws SSLException {
		try {
			this.server.connect(client);
		}
		catch (SSLHandshakeException ex) {
			assertThat(ex).hasMessage("The resumed TLS session has ended");
		}
	}

}
