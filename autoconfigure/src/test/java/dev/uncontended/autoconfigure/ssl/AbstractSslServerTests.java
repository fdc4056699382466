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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

import javax.management.JMException;
import javax.management.ObjectName;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.FailedTlsHandshake;
import dev.uncontended.tls.FailedTlsHandshake.Reason;
import dev.uncontended.tls.HandshakeCount;
import dev.uncontended.tls.JdkTlsEngine;
import dev.uncontended.tls.RenewableSslContext;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.TlsEngine;
import dev.uncontended.tls.TlsHandshake;
import dev.uncontended.tls.TlsHandshakeListener;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.TlsServerId;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * What every server has to do, tested with real clients against the server as Boot sets
 * it up.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("integration")
abstract class AbstractSslServerTests {

	private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

	private static final String KEEP_ALIVE_REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";

	private static final Pattern FULL = Pattern.compile("^New, TLSv", Pattern.MULTILINE);

	private static final Pattern RESUMED = Pattern.compile("^Reused, TLSv", Pattern.MULTILINE);

	private static final String CLIENT_TICKETS = "jdk.tls.client.enableSessionTicketExtension";

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	@TempDir
	static Path directory;

	static TestKeyStore first;

	static TestKeyStore second;

	private @Nullable ConfigurableApplicationContext context;

	private final String server;

	private final WebApplicationType type;

	private final Class<?> application;

	AbstractSslServerTests(String server, WebApplicationType type, Class<?> application) {
		this.server = server;
		this.type = type;
		this.application = application;
	}

	@BeforeAll
	static void createKeyStores() {
		first = TestKeyStore.create(directory.resolve("first.p12"), "first.test");
		second = TestKeyStore.create(directory.resolve("second.p12"), "second.test");
	}

	@AfterEach
	void stop() {
		if (this.context != null) {
			this.context.close();
		}
		System.clearProperty(TICKETS);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void tellsResumptionByIdFromAFullHandshake() throws Exception {
		start();
		String output = CommandLine.openSslClient(port(), "Q", "-tls1_2", "-no_ticket", "-reconnect");
		assertThat(output).satisfies((text) -> assertHandshakes(text, 1, 5));
		awaitCounts("TLSv1.2", 1, 5);
		assertThat(sessions().stats().hits()).isEqualTo(5);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void tellsResumptionByTicketFromAFullHandshake() throws Exception {
		start();
		assertResumes("-tls1_2");
		awaitCounts("TLSv1.2", 1, 2);
		assertThat(sessions().stats().hits()).isEqualTo(2);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void tellsResumptionByPreSharedKeyFromAFullHandshake() throws Exception {
		start();
		assertResumes("-tls1_3");
		awaitCounts("TLSv1.3", 1, 2);
		assertThat(sessions().stats().hits()).isEqualTo(2);
	}

	@Test
	void countsTheHandshakesOfTheJdksClient() throws Exception {
		start();
		SSLContext sslContext = first.sslContext(first);
		for (int i = 0; i < 3; i++) {
			HttpResponse<String> response = get(sslContext, HttpClient.Version.HTTP_1_1, port());
			assertThat(response.body()).isEqualTo("ok");
		}
		awaitCounts("TLSv1.3", 1, 2);
	}

	@Test
	void negotiatesHttp2AsEver() throws Exception {
		start("--server.http2.enabled=true");
		HttpResponse<String> response = get(first.sslContext(first), HttpClient.Version.HTTP_2, port());
		assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
		awaitCounts("TLSv1.3", 1, 0);
	}

	@Test
	@EnabledIf("isCurlInstalled")
	void countsTheHandshakesOfCurlOverHttp2() throws Exception {
		start("--server.http2.enabled=true");
		String url = "https://localhost:" + port() + "/";
		for (int i = 0; i < 2; i++) {
			String output = CommandLine.run("", List.of("curl", "--silent", "--show-error", "--insecure", "--http2",
					"--write-out", " %{http_version} %{http_code}", url));
			assertThat(output).isEqualTo("ok 2 200");
		}
		awaitCounts("TLSv1.3", 2, 0);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void endsTheSessionsThatClientsHold() throws Exception {
		start();
		Path tls12 = assertResumes("-tls1_2");
		Path tls13 = assertResumes("-tls1_3");
		sessions().invalidateAll();
		assertHandshakes(
				CommandLine.openSslClient(port(), REQUEST, "-ign_eof", "-tls1_2", "-sess_in", tls12.toString()), 1, 0);
		assertHandshakes(
				CommandLine.openSslClient(port(), REQUEST, "-ign_eof", "-tls1_3", "-sess_in", tls13.toString()), 1, 0);
		awaitCounts("TLSv1.2", 2, 2);
		awaitCounts("TLSv1.3", 2, 2);
	}

	@Test
	void keepsConnectionsOpenAsSessionsEnd() throws Exception {
		start();
		try (SSLSocket socket = connect(first.sslContext(first))) {
			assertThat(exchange(socket)).isEqualTo("HTTP/1.1 200");
			sessions().invalidateAll();
			assertThat(exchange(socket)).isEqualTo("HTTP/1.1 200");
		}
		awaitCounts("TLSv1.3", 1, 0);
	}

	@Test
	void appliesTheLimitsToTheServersOwnContext() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=123", "--uncontended.ssl.session-cache.timeout=2h");
		assertServes();
		SSLSessionContext before = serverContext();
		assertThat(before.getSessionCacheSize()).isEqualTo(123);
		assertThat(before.getSessionTimeout()).isEqualTo(7200);
		sessions().invalidateAll();
		assertServes();
		SSLSessionContext after = serverContext();
		assertThat(after.getSessionCacheSize()).isEqualTo(123);
		assertThat(after.getSessionTimeout()).isEqualTo(7200);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void startsAfreshAsTheCertificateIsReplaced() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=123", "--uncontended.ssl.session-cache.timeout=2h");
		Path session = assertResumes("-tls1_3");
		assertThat(servedCertificate()).isEqualTo(first.certificate());
		replaceCertificate(second);
		assertThat(servedCertificate()).isEqualTo(second.certificate());
		assertHandshakes(
				CommandLine.openSslClient(port(), REQUEST, "-ign_eof", "-tls1_3", "-sess_in", session.toString()), 1,
				0);
		awaitCounts("TLSv1.3", 4, 2);
		assertThat(serverContext().getSessionCacheSize()).isEqualTo(123);
		assertThat(serverContext().getSessionTimeout()).isEqualTo(7200);
	}

	@Test
	void appliesNewLimitsToTheServersOwnContext() throws Exception {
		start();
		assertServes();
		SSLSessionContext context = serverContext();
		sessions().setSessionCacheSize(321);
		sessions().setSessionTimeout(3600);
		assertThat(context.getSessionCacheSize()).isEqualTo(321);
		assertThat(context.getSessionTimeout()).isEqualTo(3600);
		sessions().invalidateAll();
		assertServes();
		assertThat(serverContext().getSessionCacheSize()).isEqualTo(321);
		assertThat(serverContext().getSessionTimeout()).isEqualTo(3600);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void keepsSessionsInTheServersMemoryIfAsked() throws Exception {
		start("--uncontended.ssl.session-cache.stateful=true");
		assertThat(context().getBean(StatefulSessions.class)).isEqualTo(new StatefulSessions(true, true));
		assertResumes("-tls1_2");
		assertThat(Collections.list(serverContext().getIds())).hasSize(1);
		assertResumes("-tls1_3");
		awaitCounts("TLSv1.2", 1, 2);
		awaitCounts("TLSv1.3", 1, 2);
	}

	@Test
	void tellsThatItCannotKeepSessionsInTheServersMemory() {
		System.setProperty(TICKETS, "true");
		start("--uncontended.ssl.session-cache.stateful=true");
		assertThat(context().getBean(StatefulSessions.class)).isEqualTo(new StatefulSessions(true, false));
	}

	@Test
	void asksForClientCertificatesAsEver() throws Exception {
		start("--server.ssl.client-auth=need");
		SSLContext trusted = first.sslContext(first);
		for (int i = 0; i < 2; i++) {
			assertThat(get(trusted, HttpClient.Version.HTTP_1_1, port()).statusCode()).isEqualTo(200);
		}
		SSLContext untrusted = second.sslContext(first);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> get(untrusted, HttpClient.Version.HTTP_1_1, port()));
		awaitCounts("TLSv1.3", 1, 1);
		assertThat(handshakes().reportingErrors()).isZero();
	}

	@Test
	void leavesAServerWithoutTlsAlone() throws Exception {
		run("--server.address=127.0.0.1", "--server.port=0");
		HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port() + "/")).build();
		assertThat(HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body())
			.isEqualTo("ok");
		sessions().invalidateAll();
		assertThat(handshakes().counts()).isEmpty();
	}

	@Test
	void countsEveryHandshakeOfManyConnectionsAtOnce() throws Exception {
		start();
		int connections = 32;
		int rounds = 32;
		ExecutorService executor = Executors.newFixedThreadPool(connections);
		try {
			List<Future<?>> results = new ArrayList<>();
			for (int i = 0; i < connections; i++) {
				results.add(executor.submit(() -> {
					for (int round = 0; round < rounds; round++) {
						SSLContext sslContext = first.sslContext(first);
						assertConnects(sslContext);
						assertConnects(sslContext);
					}
					return null;
				}));
			}
			for (Future<?> result : results) {
				result.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		awaitCounts("TLSv1.3", connections * rounds, connections * rounds);
		assertThat(handshakes().reportingErrors()).isZero();
		// A server may pool what it needs for as many connections as it has had at once.
		Awaitility.await()
			.untilAsserted(
					() -> assertThat(liveInstances("sun.security.ssl.SSLEngineImpl")).isLessThan(4 * connections));
	}

	@Test
	void holdsNoMoreSessionsThanAllowedAndTheReturningClient() throws Exception {
		start("--uncontended.ssl.session-cache.maximum-size=20", "--uncontended.ssl.session-cache.stateful=true");
		SSLContext returning = createContextThatResumesById();
		byte[] id = {};
		for (int i = 0; i < 12; i++) {
			try (SSLSocket socket = connect(returning)) {
				exchange(socket);
				id = socket.getSession().getId();
			}
			for (int j = 0; j < 8; j++) {
				assertConnects(first.sslContext(first));
			}
		}
		awaitCounts("TLSv1.2", 1, 11);
		awaitCounts("TLSv1.3", 96, 0);
		assertThat(sessions().estimatedSize()).isLessThanOrEqualTo(20);
		SSLSession session = sessions().getSession(id);
		assertThat(session).isNotNull();
		assertThat(Collections.list(session.getSessionContext().getIds())).hasSizeLessThanOrEqualTo(20);
	}

	private static SSLContext createContextThatResumesById() {
		System.setProperty(CLIENT_TICKETS, "false");
		try {
			return first.sslContext("TLSv1.2", first);
		}
		finally {
			System.clearProperty(CLIENT_TICKETS);
		}
	}

	@Test
	void completesAHandshakeThatCannotBeRecorded() throws Exception {
		start();
		handshakes().addListener(new TlsHandshakeListener() {

			@Override
			public void completed(TlsHandshake handshake) {
				throw new IllegalStateException("broken");
			}

			@Override
			public void failed(FailedTlsHandshake handshake) {
			}

		});
		assertServes();
		Awaitility.await().untilAsserted(() -> assertThat(handshakes().reportingErrors()).isOne());
	}

	@ParameterizedTest
	@MethodSource("protocolsWithoutSessionsBesidesTickets")
	void holdsNothingThatLeftInATicket(String protocol) throws Exception {
		start();
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			assertConnects(client);
		}
		awaitCounts(protocol, 1, 2);
		assertThat(sessions().estimatedSize()).isZero();
		assertThat(sessions().stats().puts()).isZero();
	}

	@ParameterizedTest
	@EnabledIf("isOpenSslInstalled")
	@MethodSource("protocolsWithoutSessionsBesidesTickets")
	void countsEachSessionThatCanResumeOnce(String protocol) throws Exception {
		start("--uncontended.ssl.session-cache.stateful=true");
		for (int sessions = 1; sessions <= 2; sessions++) {
			assertResumes(protocol.equals("TLSv1.3") ? "-tls1_3" : "-tls1_2");
			awaitCounts(protocol, sessions, 2 * sessions);
			assertThat(sessions().estimatedSize()).isEqualTo(sessions);
		}
	}

	/*
	 * A server that binds a value to a session of TLS 1.3 has the JDK send another
	 * ticket, which leads to a session in memory.
	 */
	List<String> protocolsWithoutSessionsBesidesTickets() {
		return List.of("TLSv1.2", "TLSv1.3");
	}

	@Test
	void tellsResumptionOnASocketThatIsOlderThanTheSession() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		try (Socket older = new Socket("localhost", port())) {
			assertConnects(client);
			assertConnects(client, older);
		}
		awaitCounts("TLSv1.3", 1, 1);
	}

	@Test
	void endsSessionsForSocketsThatWereAcceptedBefore() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		List<Socket> sockets = new ArrayList<>();
		for (int i = 0; i < 5; i++) {
			sockets.add(new Socket("localhost", port()));
		}
		assertConnects(client);
		assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
		sessions().invalidateAll();
		assertConnects(client, sockets.get(0));
		awaitCounts("TLSv1.3", 2, 1);
		for (Socket socket : sockets.subList(1, 5)) {
			assertConnects(client, socket);
		}
		awaitCounts("TLSv1.3", 2, 5);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void leavesNoSessionOfAHandshakeThatWasUnderWayAsSessionsEnded(String protocol) throws Exception {
		start("--uncontended.ssl.session-cache.stateful=true");
		AtomicBoolean underWay = new AtomicBoolean(true);
		SSLContext client = interrupted(protocol, () -> {
			if (underWay.getAndSet(false)) {
				sessions().invalidateAll();
			}
		});
		assertConnects(client);
		awaitCounts(protocol, 1, 0);
		assertThat(sessions().estimatedSize()).isZero();
		assertConnects(client);
		awaitCounts(protocol, 2, 0);
		assertConnects(client);
		awaitCounts(protocol, 2, 1);
	}

	@Test
	void endsSessionsAlthoughItsCertificateCanNoLongerBeRead() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		assertConnects(client);
		assertConnects(client);
		awaitCounts("TLSv1.3", 1, 1);
		breakCertificate();
		sessions().invalidateAll();
		assertConnects(client);
		awaitCounts("TLSv1.3", 2, 1);
	}

	/*
	 * As Boot does when it reads a bundle anew from files that have been damaged.
	 */
	private void breakCertificate() {
		SslStoreBundle broken = mock(SslStoreBundle.class);
		given(broken.getKeyStore()).willThrow(new IllegalStateException("broken"));
		SslBundleRegistry bundles = context().getBean(SslBundleRegistry.class);
		try {
			bundles.updateBundle("web", SslBundle.of(broken, SslBundleKey.of(TestKeyStore.PASSWORD, "test")));
		}
		catch (IllegalStateException ex) {
			// A server that follows the bundle fails to do so
		}
	}

	@Test
	void endsSessionsAlthoughTheEngineFails() throws Exception {
		start();
		SSLContext client = first.sslContext(first);
		assertConnects(client);
		FailingEngine engine = context().getBean(FailingEngine.class);
		engine.fails = true;
		assertThatIllegalStateException().isThrownBy(sessions()::invalidateAll)
			.withMessage("Failed to create an SSL context for " + this.server);
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> assertConnects(client));
		engine.fails = false;
		assertConnects(client);
		awaitCounts("TLSv1.3", 2, 0);
	}

	@Test
	void makesEachContextOnce() throws Exception {
		start();
		assertServes();
		assertThat(context().getBean(FailingEngine.class).contexts).hasValue(1);
		sessions().invalidateAll();
		assertServes();
		assertThat(context().getBean(FailingEngine.class).contexts).hasValue(2);
	}

	@Test
	void countsAHandshakeWithoutAProtocolInCommon() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.3");
		assertFails(first.sslContext("TLSv1.2", first), Reason.PROTOCOL);
	}

	@Test
	void countsAHandshakeWithoutACipherSuiteInCommon() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.ciphers=TLS_AES_256_GCM_SHA384",
				"--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.3");
		SSLContext client = first.sslContext(first);
		try (SSLSocket socket = connect(client)) {
			socket.setEnabledCipherSuites(new String[] { "TLS_AES_128_GCM_SHA256" });
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> exchange(socket));
		}
		awaitFailure(Reason.CIPHER);
	}

	@Test
	void countsAHandshakeWithAClientThatIsNotTrusted() throws Exception {
		start("--server.ssl.client-auth=need");
		assertFails(second.sslContext(first), Reason.CERTIFICATE);
	}

	@Test
	void countsAHandshakeWithAClientThatHasNoCertificate() throws Exception {
		start("--server.ssl.client-auth=need");
		assertFails(interrupted("TLSv1.2", () -> {
		}), Reason.CERTIFICATE);
	}

	@Test
	void countsAHandshakeWithAClientThatDoesNotTrustTheServer() throws Exception {
		start();
		assertFails(first.sslContext(second), Reason.CERTIFICATE);
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsAHandshakeThatTheClientAborts(String protocol) throws Exception {
		start();
		try (Socket socket = new Socket("localhost", port())) {
			SSLContext client = interrupted(protocol, () -> close(socket));
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> assertConnects(client, socket));
		}
		awaitFailure(Reason.ABORTED);
	}

	/*
	 * The client waits until the server has given up. Reactor Netty does so after 10
	 * seconds.
	 */
	@Test
	void countsAHandshakeThatTheClientNeverFinishes() throws Exception {
		start("--server.tomcat.connection-timeout=1s", "--server.jetty.connection-idle-timeout=1s");
		SSLContext client = interrupted("TLSv1.3", () -> awaitFailure(Reason.ABORTED));
		assertFails(client, Reason.ABORTED);
	}

	@Test
	void doesNotCountAConnectionWithoutAByte() throws Exception {
		start();
		for (int i = 0; i < 5; i++) {
			new Socket("localhost", port()).close();
		}
		assertServes();
		awaitCounts("TLSv1.3", 1, 0);
		assertThat(handshakes().failedCounts()).isEmpty();
	}

	private void assertFails(SSLContext client, Reason reason) {
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> assertConnects(client));
		awaitFailure(reason);
	}

	private void awaitFailure(Reason reason) {
		Awaitility.await()
			.atMost(Duration.ofSeconds(20))
			.untilAsserted(() -> assertThat(handshakes().failedCounts())
				.isEqualTo(Map.of(new FailedTlsHandshake(id(), reason), 1L)));
		assertThat(handshakes().counts()).isEmpty();
	}

	private static void close(Socket socket) {
		try {
			socket.close();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	/*
	 * A client without a certificate that trusts any server, and runs the action in the
	 * middle of a full handshake.
	 */
	private static SSLContext interrupted(String protocol, Runnable action) throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class, withSettings().stubOnly());
		willAnswer((invocation) -> {
			action.run();
			return null;
		}).given(trust).checkServerTrusted(any(), any(), any(Socket.class));
		given(trust.getAcceptedIssuers()).willReturn(new X509Certificate[0]);
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(null, new TrustManager[] { trust }, null);
		return context;
	}

	/*
	 * The framework remembers the application that was started last.
	 */
	@Test
	void leavesNothingBehindAsItStops() throws Exception {
		start();
		assertServes();
		WeakReference<SslSessionCache> sessions = new WeakReference<>(sessions());
		context().close();
		start();
		Awaitility.await().untilAsserted(() -> {
			System.gc();
			assertThat(sessions.get()).isNull();
		});
	}

	/*
	 * How many instances of the class there are after a garbage collection.
	 */
	private static long liveInstances(String className) throws JMException {
		String histogram = (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { new String[0] }, new String[] { String[].class.getName() });
		return histogram.lines()
			.map((line) -> line.trim().split("\\s+"))
			.filter((columns) -> columns.length > 3 && columns[3].equals(className))
			.mapToLong((columns) -> Long.parseLong(columns[1]))
			.sum();
	}

	/*
	 * For the servers that Boot gives a bundle for each server name.
	 */
	final void assertServesEachServerNameWithItsBundle() throws Exception {
		List<String> arguments = new ArrayList<>(bundle("other", second));
		arguments.addAll(List.of("--server.ssl.server-name-bundles[0].server-name=second.test",
				"--server.ssl.server-name-bundles[0].bundle=other",
				"--uncontended.ssl.session-cache.maximum-size=123"));
		start(arguments.toArray(String[]::new));
		for (int i = 0; i < 2; i++) {
			assertThat(servedCertificate()).isEqualTo(first.certificate());
			assertThat(servedCertificate("first.test")).isEqualTo(first.certificate());
			assertThat(servedCertificate("second.test")).isEqualTo(second.certificate());
			assertThat(serverContexts()).hasSize(2)
				.allSatisfy((context) -> assertThat(context.getSessionCacheSize()).isEqualTo(123));
			sessions().invalidateAll();
		}
		awaitCounts("TLSv1.3", 6, 0);
	}

	final void assertServes() throws Exception {
		assertThat(get(first.sslContext(first), HttpClient.Version.HTTP_1_1, port()).body()).isEqualTo("ok");
	}

	final void assertOwnLimits() {
		assertThat(serverContext().getSessionCacheSize()).isEqualTo(77);
		assertThat(serverContext().getSessionTimeout()).isEqualTo(777);
		sessions().setSessionCacheSize(321);
		sessions().setSessionTimeout(3600);
		sessions().invalidateAll();
		assertThat(serverContext().getSessionCacheSize()).isEqualTo(77);
		assertThat(serverContext().getSessionTimeout()).isEqualTo(777);
	}

	final void assertConnects(SSLContext sslContext) throws IOException {
		try (SSLSocket socket = connect(sslContext)) {
			assertThat(exchange(socket)).isEqualTo("HTTP/1.1 200");
		}
	}

	private void assertConnects(SSLContext sslContext, Socket socket) throws IOException {
		try (SSLSocket layered = (SSLSocket) sslContext.getSocketFactory()
			.createSocket(socket, "localhost", port(), true)) {
			layered.setSoTimeout(10_000);
			assertThat(exchange(layered)).isEqualTo("HTTP/1.1 200");
		}
	}

	/*
	 * One full handshake, and two that resume, each from the one before: a server may
	 * accept a ticket only once.
	 */
	private Path assertResumes(String protocol) throws Exception {
		Path path = directory.resolve(getClass().getSimpleName() + protocol + ".pem");
		String session = path.toString();
		assertHandshakes(CommandLine.openSslClient(port(), REQUEST, "-ign_eof", protocol, "-sess_out", session), 1, 0);
		for (int i = 0; i < 2; i++) {
			assertHandshakes(CommandLine.openSslClient(port(), REQUEST, "-ign_eof", protocol, "-sess_in", session,
					"-sess_out", session), 0, 1);
		}
		return path;
	}

	private static void assertHandshakes(String output, int full, int resumed) {
		assertThat(FULL.matcher(output).results().count()).as(output).isEqualTo(full);
		assertThat(RESUMED.matcher(output).results().count()).as(output).isEqualTo(resumed);
	}

	private HttpResponse<String> get(SSLContext sslContext, HttpClient.Version version, int port) throws Exception {
		HttpClient client = HttpClient.newBuilder().sslContext(sslContext).version(version).build();
		HttpRequest request = HttpRequest.newBuilder(URI.create("https://localhost:" + port + "/"))
			.timeout(Duration.ofSeconds(10))
			.build();
		return client.send(request, HttpResponse.BodyHandlers.ofString());
	}

	private SSLSocket connect(SSLContext sslContext) throws IOException {
		SSLSocket socket = (SSLSocket) sslContext.getSocketFactory().createSocket("localhost", port());
		socket.setSoTimeout(10_000);
		return socket;
	}

	/*
	 * Make a request, read the whole response, and return the start of its first line.
	 */
	private static String exchange(SSLSocket socket) throws IOException {
		socket.getOutputStream().write(KEEP_ALIVE_REQUEST.getBytes(StandardCharsets.US_ASCII));
		BufferedReader reader = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
		String status = reader.readLine();
		if (status == null) {
			throw new SSLException("closed");
		}
		int length = 0;
		for (String line = reader.readLine(); line != null && !line.isEmpty(); line = reader.readLine()) {
			if (line.toLowerCase().startsWith("content-length:")) {
				length = Integer.parseInt(line.substring("content-length:".length()).trim());
			}
		}
		for (int i = 0; i < length; i++) {
			reader.read();
		}
		return status.substring(0, "HTTP/1.1 200".length());
	}

	private X509Certificate servedCertificate(String... serverName) throws Exception {
		try (SSLSocket socket = connect(first.sslContext(first, second))) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setServerNames(Arrays.stream(serverName).<SNIServerName>map(SNIHostName::new).toList());
			socket.setSSLParameters(parameters);
			exchange(socket);
			return (X509Certificate) socket.getSession().getPeerCertificates()[0];
		}
	}

	/**
	 * Replace the server's certificate the way that its users would.
	 */
	void replaceCertificate(TestKeyStore replacement) throws Exception {
		context().getBean(SslBundleRegistry.class)
			.updateBundle("web", SslBundle.of(SslStoreBundle.of(replacement.keyStore(), TestKeyStore.PASSWORD, null),
					SslBundleKey.of(TestKeyStore.PASSWORD, "test")));
	}

	final void start(String... arguments) {
		List<String> all = new ArrayList<>(
				List.of("--server.address=127.0.0.1", "--server.port=0", "--server.ssl.bundle=web"));
		all.addAll(bundle("web", first));
		all.addAll(Arrays.asList(arguments));
		run(all.toArray(String[]::new));
	}

	static List<String> bundle(String name, TestKeyStore keyStore) {
		String prefix = "--spring.ssl.bundle.jks." + name + ".";
		return List.of(prefix + "keystore.location=" + keyStore.location(),
				prefix + "keystore.password=" + TestKeyStore.PASSWORD, prefix + "key.alias=test",
				prefix + "truststore.location=" + keyStore.trustStoreLocation(),
				prefix + "truststore.password=" + TestKeyStore.PASSWORD);
	}

	final void run(String... arguments) {
		this.context = new SpringApplicationBuilder(this.application, FailingEngine.class).web(this.type)
			.run(arguments);
	}

	final ConfigurableApplicationContext context() {
		assertThat(this.context).isNotNull();
		return this.context;
	}

	final int port() {
		return webServer(context()).getPort();
	}

	static WebServer webServer(ApplicationContext context) {
		WebServer webServer = ((WebServerApplicationContext) context).getWebServer();
		assertThat(webServer).isNotNull();
		return webServer;
	}

	final SslSessionCache sessions() {
		return context().getBean(SslSessionCache.class);
	}

	final TlsHandshakes handshakes() {
		return context().getBean(TlsHandshakes.class);
	}

	final SSLSessionContext serverContext() {
		assertThat(serverContexts()).hasSize(1);
		return serverContexts().get(0);
	}

	private List<SSLSessionContext> serverContexts() {
		return sessions().contexts().map(RenewableSslContext::engineGetServerSessionContext).toList();
	}

	/*
	 * The client may be done with a handshake before the server is.
	 */
	final void awaitCounts(String protocol, long full, long resumed) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(handshakes().counts().entrySet())
				.filteredOn((entry) -> entry.getKey().protocol().equals(protocol))
				.singleElement()
				.satisfies((entry) -> {
					assertThat(entry.getKey().server()).isEqualTo(id());
					assertThat(entry.getValue()).isEqualTo(new HandshakeCount(full, resumed));
				}));
	}

	private TlsServerId id() {
		return new TlsServerId(this.server, TlsServerId.Context.APPLICATION);
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

	static boolean isCurlInstalled() {
		return CommandLine.isInstalled("curl");
	}

	/**
	 * The JDK's TLS, until it is told to fail.
	 */
	static final class FailingEngine implements TlsEngine {

		final AtomicInteger contexts = new AtomicInteger();

		private final TlsEngine jdk = new JdkTlsEngine();

		volatile boolean fails;

		@Override
		public Context createContext(String protocol, KeyManager @Nullable [] keyManagers,
				TrustManager @Nullable [] trustManagers, @Nullable SecureRandom random)
				throws GeneralSecurityException {
			if (this.fails) {
				throw new GeneralSecurityException("broken");
			}
			this.contexts.incrementAndGet();
			return this.jdk.createContext(protocol, keyManagers, trustManagers, random);
		}

	}

}
