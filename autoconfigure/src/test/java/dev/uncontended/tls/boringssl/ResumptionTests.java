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

package dev.uncontended.tls.boringssl;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for resumption with OpenSSL's client.
 */
@EnabledIf("isOpenSslInstalled")
@Tag("integration")
class ResumptionTests {

	private static final Pattern FULL = Pattern.compile("^New, TLSv", Pattern.MULTILINE);

	private static final Pattern RESUMED = Pattern.compile("^Reused, TLSv", Pattern.MULTILINE);

	private static final Pattern LIFETIME_HINT = Pattern.compile("lifetime hint: (\\d+) ");

	@TempDir
	static Path directory;

	static TestKeyStore server;

	static TestKeyStore other;

	static TestKeyStore client;

	private final SessionTokens cache = TestSessions.cache();

	private final TlsServers servers = new TlsServers(this.cache, new TlsHandshakes());

	private final TestTicketKeys keys = new TestTicketKeys();

	private final BoringSslSessions sessions = new BoringSslSessions(this.cache, this.keys.keys());

	/**
	 * Returns sessions with a timeout in seconds, from the same ticket keys.
	 */
	private BoringSslSessions sessions(int timeout) {
		return new BoringSslSessions(new SessionTokens(0, Duration.ofSeconds(timeout), System::nanoTime),
				this.keys.keys());
	}

	@BeforeAll
	static void createKeyStores() throws Exception {
		server = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
		other = TestKeyStore.create(directory.resolve("other.p12"), "other.test");
		client = TestKeyStore.create(directory.resolve("client.p12"), "client.test");
		pem(client, "client");
	}

	@BeforeEach
	void forgetSession() throws Exception {
		Files.deleteIfExists(directory.resolve("session.pem"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void resumesFromTickets(String protocol) throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, protocol);
			assertResumed(server, protocol);
			assertResumed(server, protocol);
			assertThat(server.full()).isEqualTo(1);
			assertThat(server.resumed()).isEqualTo(2);
			assertThat(this.cache.estimatedSize()).isZero();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void resumedSessionHasCertificatesOfServer(String options) throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, options.split(" "));
			Certificate[] certificates = server.localCertificates();
			assertThat(certificates).isNotEmpty();
			assertResumed(server, options.split(" "));
			assertThat(server.localCertificates()).isEqualTo(certificates);
		}
	}

	@Test
	void doesNotResumeById() throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, "-tls1_2", "-no_ticket");
			// The client stores no session, because the server sends no id.
			assertThat(directory.resolve("session.pem")).doesNotExist();
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void acceptsTicketsOfOlderKeys(String protocol) throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, protocol);
			this.keys.rotate();
			assertResumed(server, protocol);
		}
	}

	/*
	 * Also applies to TLS 1.2, but this client does not save the new ticket.
	 */
	@Test
	void renewsTicketsOfOlderKeys() throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, "-tls1_3");
			this.keys.rotate();
			assertResumed(server, "-tls1_3");
			this.keys.forgetAllButTheFirst();
			assertResumed(server, "-tls1_3");
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void ticketOfRemovedKeyDoesNotResume(String protocol) throws Exception {
		try (SslServer server = start(this.sessions)) {
			assertFull(server, protocol);
			this.keys.keys().endAll();
			assertFull(server, protocol, "-sess_in", session());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void resumesOnServerWithSameConfigurationAndRenewedCertificate(String protocol) throws Exception {
		TestKeyStore renewed = TestKeyStore.create(directory.resolve("renewed" + protocol + ".p12"), "server.test");
		try (SslServer one = start(this.sessions); SslServer two = start(this.sessions, "host", renewed, (engine) -> {
		})) {
			assertFull(one, protocol);
			assertResumed(two, protocol);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void unauthenticatedSessionDoesNotResumeIfRequired(String protocol) throws Exception {
		assertDoesNotResume(protocol, start(this.sessions),
				start(this.sessions, "host", server, (engine) -> engine.setNeedClientAuth(true)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void optionallyAuthenticatedSessionDoesNotResumeIfRequired(String protocol) throws Exception {
		assertDoesNotResume(protocol, start(this.sessions, "host", server, (engine) -> engine.setWantClientAuth(true)),
				start(this.sessions, "host", server, (engine) -> engine.setNeedClientAuth(true)));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void sessionOfUntrustedClientDoesNotResume(String protocol) throws Exception {
		SSLContext trusting = Contexts.create("host", this.sessions, server, client);
		SSLContext strict = Contexts.create("host", this.sessions, server, other);
		assertDoesNotResume(protocol, new SslServer(() -> needed(trusting.createSSLEngine())),
				new SslServer(() -> needed(strict.createSSLEngine())), "-cert",
				directory.resolve("client.pem").toString());
	}

	private static SSLEngine needed(SSLEngine engine) {
		engine.setNeedClientAuth(true);
		return engine;
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void sessionOfOtherHostDoesNotResume(String protocol) throws Exception {
		assertDoesNotResume(protocol, start(this.sessions), start(this.sessions, "elsewhere", server, (engine) -> {
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void sessionOfServerWithOtherNamesDoesNotResume(String protocol) throws Exception {
		assertDoesNotResume(protocol, start(this.sessions), start(this.sessions, "host", other, (engine) -> {
		}));
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void endOnOtherNodeEndsSessions(String options) throws Exception {
		try (SslServer server = startRenewable()) {
			String[] protocol = options.split(" ");
			assertFull(server, protocol);
			assertResumed(server, protocol);
			this.keys.endFromAnotherNode();
			assertThat(this.cache.estimatedSize()).isZero();
			assertResumesNoLonger(server, protocol);
			assertResumed(server, protocol);
		}
	}

	@Test
	void remoteEndIsNotReportedBack() {
		this.keys.endFromAnotherNode();
		assertThat(this.keys.ends()).isOne();
		this.cache.endAll();
		assertThat(this.keys.ends()).isEqualTo(2);
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void endedContextDoesNotResumeEarlierSession(String options) throws Exception {
		try (SslServer before = start(this.sessions)) {
			String[] protocol = options.split(" ");
			assertFull(before, protocol);
			assertResumed(before, protocol);
			this.cache.endAll();
			assertResumesNoLonger(before, protocol);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void endedContextDoesNotResumeLaterSession(String options) throws Exception {
		try (SslServer before = start(this.sessions)) {
			String[] protocol = options.split(" ");
			assertFull(before, protocol);
			this.cache.endAll();
			try (SslServer after = start(this.sessions)) {
				assertFull(after, protocol);
				assertResumesNoLonger(before, protocol);
				this.keys.rotate();
				assertFull(after, protocol);
				assertResumed(after, protocol);
				assertResumesNoLonger(before, protocol);
			}
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void sessionOfEndedContextDoesNotResume(String options) throws Exception {
		try (SslServer before = start(this.sessions); SslServer after = startRenewable()) {
			String[] protocol = options.split(" ");
			assertFull(before, protocol);
			this.cache.endAll();
			this.keys.rotate();
			assertFull(before, protocol);
			assertThat(this.cache.estimatedSize()).isZero();
			assertResumesNoLonger(after, protocol);
		}
	}

	/*
	 * As while a server is reloaded or started.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void serverReplacesEndedContext(String options) throws Exception {
		RenewableSslContext context = renewable();
		this.cache.endAll();
		try (SslServer server = new SslServer(context::engineCreateSSLEngine)) {
			String[] protocol = options.split(" ");
			assertFull(server, protocol);
			assertResumed(server, protocol);
		}
	}

	@Test
	void ticketsExpireAfterTimeout() throws Exception {
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			try (SslServer server = start(sessions(7200))) {
				assertThat(lifetimeHint(connect(server, protocol))).isBetween(7190L, 7200L);
			}
		}
	}

	@ParameterizedTest
	@CsvSource({ "-tls1_2, 0, 2147483647", "-tls1_3, 0, 604800", "-tls1_2, 691200, 691200", "-tls1_3, 691200, 604800",
			"-tls1_3, 518400, 518400" })
	void ticketsHaveMaximumLifetime(String protocol, int timeout, long seconds) throws Exception {
		try (SslServer server = start(sessions(timeout))) {
			assertThat(lifetimeHint(connect(server, protocol))).isBetween(seconds - 10, seconds);
			assertResumed(server, protocol);
		}
	}

	@Test
	void renewedTicketExpiresWithFirst() throws Exception {
		try (SslServer first = start(sessions(7200)); SslServer second = start(sessions(86_400))) {
			connect(first, "-tls1_3");
			assertThat(lifetimeHint(connect(second, "-tls1_3", "-sess_in", session()))).isBetween(7000L, 7200L);
		}
	}

	/*
	 * BoringSSL uses its own clock, so this takes as long as the timeout.
	 */
	@Test
	@Tag("product")
	void chainOfRenewedTicketsExpiresWithFirst() throws Exception {
		try (SslServer server = start(sessions(86_400))) {
			int timeout = 4;
			do {
				// On a busy machine, the first ticket may expire before the client
				// returns.
				assertThat(timeout).isLessThan(40);
				try (SslServer first = start(sessions(timeout))) {
					connect(first, "-tls1_3");
				}
				timeout *= 2;
			}
			while (!RESUMED.matcher(connect(server, "-tls1_3", "-sess_in", session())).find());
			Awaitility.await().until(() -> FULL.matcher(connect(server, "-tls1_3", "-sess_in", session())).find());
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	void ticketsExpireWithCertificateOfClient(String protocol) throws Exception {
		TestKeyStore shortLived = TestKeyStore.create(directory.resolve("hour.p12"), "client.test",
				(certificate) -> certificate.ecp256().notAfter(Instant.now().plusSeconds(3600)));
		try (SslServer one = startFor(shortLived); SslServer two = startFor(shortLived)) {
			String certificate = pem(shortLived, "hour");
			assertThat(lifetimeHint(connect(one, protocol, "-cert", certificate))).isBetween(3500L, 3600L);
			String resumed = connect(two, protocol, "-cert", certificate, "-sess_in", session());
			assertOutput(resumed, 0, 1);
			assertThat(lifetimeHint(resumed)).isBetween(3400L, 3600L);
		}
	}

	/*
	 * BoringSSL uses its own clock, so this takes as long as the certificate is valid.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "-tls1_2", "-tls1_3" })
	@Tag("product")
	void sessionDoesNotOutliveCertificateOfClient(String options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options.split(" ")));
		String output;
		int validity = 4;
		do {
			// On a busy machine, the certificate may expire before the client returns.
			assertThat(validity).isLessThan(40);
			Instant expiry = Instant.now().plusSeconds(validity);
			TestKeyStore shortLived = TestKeyStore.create(directory.resolve("seconds.p12"), "client.test",
					(certificate) -> certificate.ecp256().notAfter(expiry));
			List<String> authenticated = new ArrayList<>(all);
			authenticated.addAll(List.of("-cert", pem(shortLived, "seconds")));
			try (SslServer one = startFor(shortLived); SslServer two = startFor(shortLived)) {
				connect(one, authenticated.toArray(String[]::new));
				authenticated.addAll(List.of("-sess_in", session()));
				output = connect(two, authenticated.toArray(String[]::new));
				if (RESUMED.matcher(output).find()) {
					Awaitility.await()
						.until(() -> FULL.matcher(connect(one, authenticated.toArray(String[]::new))).find());
					// The timeout is rounded down, and begins with the handshake.
					assertThat(Instant.now()).isAfter(expiry.minusSeconds(3));
				}
			}
			validity *= 2;
		}
		while (!RESUMED.matcher(output).find());
	}

	private SslServer startFor(TestKeyStore trusted) throws Exception {
		SSLContext context = Contexts.create("host", this.sessions, server, trusted);
		return new SslServer(() -> needed(context.createSSLEngine()));
	}

	/**
	 * Writes the key and the certificate in a format of OpenSSL.
	 */
	private static String pem(TestKeyStore keyStore, String name) throws Exception {
		String file = directory.resolve(name + ".pem").toString();
		CommandLine.run("", List.of("openssl", "pkcs12", "-in", Path.of(URI.create(keyStore.location())).toString(),
				"-passin", "pass:" + TestKeyStore.PASSWORD, "-nodes", "-out", file));
		return file;
	}

	private void assertDoesNotResume(String protocol, SslServer one, SslServer two, String... more) throws Exception {
		List<String> options = new ArrayList<>(List.of(protocol.split(" ")));
		options.addAll(List.of(more));
		try (one; two) {
			assertFull(one, options.toArray(String[]::new));
			// Without an end, the session resumes.
			assertResumed(one, options.toArray(String[]::new));
			options.addAll(List.of("-sess_in", session()));
			options.add("-ign_eof");
			CommandLine.openSslClient(two.port(), "x", options.toArray(String[]::new));
			assertThat(two.resumed()).isZero();
			Awaitility.await().untilAsserted(() -> assertThat(two.full() + two.failed()).isEqualTo(1));
		}
	}

	private SslServer start(BoringSslSessions sessions) throws Exception {
		return start(sessions, "host", server, (engine) -> {
		});
	}

	private SslServer start(BoringSslSessions sessions, String host, TestKeyStore key, Consumer<SSLEngine> settings)
			throws Exception {
		SSLContext context = Contexts.create(host, sessions, key, client);
		return new SslServer(() -> {
			SSLEngine engine = context.createSSLEngine();
			settings.accept(engine);
			return engine;
		});
	}

	/**
	 * Starts a server like Boot: its context follows the cache.
	 */
	private SslServer startRenewable() throws Exception {
		RenewableSslContext context = renewable();
		return new SslServer(context::engineCreateSSLEngine);
	}

	private RenewableSslContext renewable() throws Exception {
		RenewableSslContext context = this.servers.createContext(
				new BoringSslTlsEngine(this.sessions, List.of()).forHost("host"), "TLS",
				new TlsServerId("test", TlsServerId.Context.APPLICATION));
		context.engineInit(Contexts.keyManagers(server), Contexts.trustManagers(client), null);
		return context;
	}

	private static long lifetimeHint(String output) {
		Matcher hint = LIFETIME_HINT.matcher(output);
		assertThat(hint.find()).as(output).isTrue();
		return Long.parseLong(hint.group(1));
	}

	private static String session() {
		return directory.resolve("session.pem").toString();
	}

	private static void assertFull(SslServer server, String... options) throws Exception {
		assertOutput(connect(server, options), 1, 0);
	}

	private static void assertResumed(SslServer server, String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-sess_in", session()));
		assertOutput(connect(server, all.toArray(String[]::new)), 0, 1);
	}

	private static void assertResumesNoLonger(SslServer server, String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-sess_in", session()));
		assertFull(server, all.toArray(String[]::new));
	}

	private static String connect(SslServer server, String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-ign_eof", "-sess_out", session()));
		return CommandLine.openSslClient(server.port(), "x", all.toArray(String[]::new));
	}

	private static void assertOutput(String output, int full, int resumed) {
		assertThat(FULL.matcher(output).results().count()).as(output).isEqualTo(full);
		assertThat(RESUMED.matcher(output).results().count()).as(output).isEqualTo(resumed);
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

}
