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
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;

import dev.uncontended.autoconfigure.ssl.tickets.TicketKeyAutoConfiguration;
import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.FailedTlsHandshake;
import dev.uncontended.tls.FailedTlsHandshake.Reason;
import dev.uncontended.tls.HandshakeCount;
import dev.uncontended.tls.SslSessionCache;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.TlsEngine;
import dev.uncontended.tls.TlsHandshakes;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundleKey;
import org.springframework.boot.ssl.SslBundleRegistry;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.web.server.WebServer;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What the engine {@code boringssl} has to do in every server, tested with the JDK's
 * client and with those of others against the server as Boot sets it up.
 */
@Tag("integration")
abstract class AbstractBoringSslServerTests {

	private static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

	private static final Pattern FULL = Pattern.compile("^New, TLSv", Pattern.MULTILINE);

	private static final Pattern RESUMED = Pattern.compile("^Reused, TLSv", Pattern.MULTILINE);

	@TempDir
	static Path directory;

	static TestKeyStore first;

	static TestKeyStore second;

	private final WebApplicationType type;

	private final Class<?> application;

	private @Nullable ConfigurableApplicationContext context;

	AbstractBoringSslServerTests(WebApplicationType type, Class<?> application) {
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
		System.clearProperty("jdk.tls.server.enableSessionTicketExtension");
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void countsTheHandshakesOfTheJdksClient(String protocol) throws Exception {
		start();
		assertThat(context().getBean(TlsEngine.class)).isInstanceOf(BoringSslTlsEngine.class);
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			assertConnects(client);
		}
		awaitCounts(protocol, 1, 2);
		assertThat(sessions().estimatedSize()).isZero();
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void resumesAndCountsByIdAndByTicket() throws Exception {
		start();
		CommandLine.openSslClient(port(), "Q", "-tls1_2", "-no_ticket", "-reconnect");
		awaitCounts("TLSv1.2", 1, 5);
		assertThat(sessions().stats().hits()).isEqualTo(5);
		assertThat(sessions().estimatedSize()).isEqualTo(1);
		assertFull("-tls1_2");
		assertResumed("-tls1_2");
		assertFull("-tls1_3");
		assertResumed("-tls1_3");
		awaitCounts("TLSv1.2", 2, 6);
		awaitCounts("TLSv1.3", 1, 1);
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void endsTheSessionsThatClientsHold() throws Exception {
		start();
		assertFull("-tls1_3");
		assertResumed("-tls1_3");
		try (SSLSocket open = connect(first.sslContext(first))) {
			exchange(open);
			sessions().invalidateAll();
			exchange(open);
		}
		assertFull("-tls1_3", "-sess_in", session());
		assertResumed("-tls1_3");
	}

	@Test
	void servesHttp2OnTwoHundredConnections() throws Exception {
		start("--server.http2.enabled=true");
		SSLContext client = first.sslContext(first);
		for (int i = 0; i < 200; i++) {
			HttpResponse<String> response = get((i % 2 == 0) ? client : first.sslContext(first));
			assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
			assertThat(response.body()).isEqualTo("ok");
		}
		awaitCounts("TLSv1.3", 101, 99);
		assertThat(handshakes().failedCounts()).isEmpty();
	}

	@Test
	@EnabledIf("isCurlInstalled")
	void negotiatesTheApplicationProtocolOrDoesWithout() throws Exception {
		start("--server.http2.enabled=true");
		assertThat(curl("--http2")).isEqualTo("ok 2 200");
		assertThat(curl("--http1.1")).isEqualTo("ok 1.1 200");
		assertThat(curl("--no-alpn")).isEqualTo("ok 1.1 200");
		assertThat(curl("--http2", "--tls-max", "1.2")).isEqualTo("ok 2 200");
	}

	private String curl(String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error", "--insecure", "--write-out",
				" %{http_version} %{http_code}"));
		command.addAll(List.of(options));
		command.add("https://localhost:" + port() + "/");
		return CommandLine.run("", command);
	}

	@Test
	@EnabledForJreRange(min = JRE.JAVA_20)
	void servesAClientWithGroupsThatItDoesNotKnow() throws Exception {
		start();
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			try (SSLSocket socket = connect(first.sslContext(protocol, first))) {
				SSLParameters parameters = socket.getSSLParameters();
				SSLParameters.class.getMethod("setNamedGroups", String[].class)
					.invoke(parameters, (Object) new String[] { "x448", "ffdhe2048", "ffdhe8192", "secp256r1" });
				socket.setSSLParameters(parameters);
				exchange(socket);
			}
			awaitCounts(protocol, 1, 0);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void needsClientCertificatesIfAsked(String protocol) throws Exception {
		start("--server.ssl.client-auth=need");
		SSLContext trusted = first.sslContext(protocol, first);
		assertConnects(trusted);
		assertConnects(trusted);
		awaitCounts(protocol, 1, 1);
		assertThatExceptionOfType(IOException.class)
			.isThrownBy(() -> assertConnects(second.sslContext(protocol, first)));
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> assertConnects(withoutCertificate(protocol)));
		Awaitility.await()
			.untilAsserted(() -> assertThat(handshakes().failedCounts().keySet()).extracting(FailedTlsHandshake::reason)
				.containsExactly(Reason.CERTIFICATE));
		assertThat(handshakes().reportingErrors()).isZero();
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void wantsClientCertificatesIfAsked(String protocol) throws Exception {
		start("--server.ssl.client-auth=want");
		assertConnects(first.sslContext(protocol, first));
		assertConnects(withoutCertificate(protocol));
		awaitCounts(protocol, 2, 0);
	}

	private static SSLContext withoutCertificate(String protocol) throws Exception {
		KeyStore store = KeyStore.getInstance("PKCS12");
		store.load(null, null);
		store.setCertificateEntry("first", first.certificate());
		TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
		trust.init(store);
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(null, trust.getTrustManagers(), null);
		return context;
	}

	@Test
	void agreesOnTheCipherSuitesAndProtocolsOfTheBundle() throws Exception {
		start("--spring.ssl.bundle.jks.web.options.enabled-protocols=TLSv1.2",
				"--spring.ssl.bundle.jks.web.options.ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
		try (SSLSocket socket = connect(first.sslContext(first))) {
			exchange(socket);
			assertThat(socket.getSession().getProtocol()).isEqualTo("TLSv1.2");
			assertThat(socket.getSession().getCipherSuite()).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
		}
		try (SSLSocket socket = connect(first.sslContext(first))) {
			socket.setEnabledProtocols(new String[] { "TLSv1.3" });
			assertThatExceptionOfType(IOException.class).isThrownBy(() -> exchange(socket));
		}
		Awaitility.await()
			.untilAsserted(() -> assertThat(handshakes().failedCounts().keySet()).extracting(FailedTlsHandshake::reason)
				.containsExactly(Reason.PROTOCOL));
	}

	@Test
	void takesServerSslPropertiesAndPemFiles() throws Exception {
		run("--server.ssl.key-store=" + second.location(), "--server.ssl.key-store-password=" + TestKeyStore.PASSWORD);
		assertThat(servedCertificate()).isEqualTo(second.certificate());
		stop();
		CommandLine.run("", List.of("openssl", "pkcs12", "-in", directory.resolve("first.p12").toString(), "-passin",
				"pass:" + TestKeyStore.PASSWORD, "-nodes", "-out", directory.resolve("first.pem").toString()));
		run("--server.ssl.bundle=pem",
				"--spring.ssl.bundle.pem.pem.keystore.certificate=file:" + directory.resolve("first.pem"),
				"--spring.ssl.bundle.pem.pem.keystore.private-key=file:" + directory.resolve("first.pem"));
		assertThat(servedCertificate()).isEqualTo(first.certificate());
	}

	@Test
	@EnabledIf("isOpenSslInstalled")
	void keepsSessionsInTheCacheAloneIfStateful() throws Exception {
		start("--uncontended.ssl.session-cache.stateful=true");
		assertFull("-tls1_2");
		assertResumed("-tls1_2");
		assertResumed("-tls1_2");
		awaitCounts("TLSv1.2", 1, 2);
		List<byte[]> ids = Collections.list(sessions().getIds());
		assertThat(ids).hasSize(1);
		SSLSession session = sessions().getSession(ids.get(0));
		assertThat(session).isNotNull();
		session.invalidate();
		assertThat(sessions().estimatedSize()).isZero();
		assertFull("-tls1_2", "-sess_in", session());
		sessions().invalidateAll();
		assertFull("-tls1_2", "-sess_in", session());
		CommandLine.openSslClient(port(), REQUEST, "-ign_eof", "-tls1_3", "-sess_out", session() + "13");
		assertThat(Path.of(session() + "13")).doesNotExist();
	}

	@Test
	void servesEachClientWhileItsCertificateIsReplaced() throws Exception {
		start();
		AtomicBoolean done = new AtomicBoolean();
		ExecutorService executor = Executors.newFixedThreadPool(3);
		try {
			List<Future<Integer>> clients = new ArrayList<>();
			for (int i = 0; i < 3; i++) {
				clients.add(executor.submit((Callable<Integer>) () -> {
					int connections = 0;
					SSLContext client = first.sslContext(first, second);
					while (!done.get()) {
						assertConnects((connections % 4 == 0) ? first.sslContext(first, second) : client);
						connections++;
					}
					return connections;
				}));
			}
			for (int i = 0; i < 20; i++) {
				replaceCertificate((i % 2 == 0) ? second : first);
				assertThat(servedCertificate()).isEqualTo(((i % 2 == 0) ? second : first).certificate());
			}
			done.set(true);
			for (Future<Integer> client : clients) {
				assertThat(client.get()).isPositive();
			}
		}
		finally {
			done.set(true);
			executor.shutdownNow();
		}
		assertThat(handshakes().failedCounts()).isEmpty();
		assertThat(handshakes().reportingErrors()).isZero();
	}

	/*
	 * For the servers with servlets.
	 */
	final void assertTellsServletsWhatTheyKnowFromTheJdk() throws Exception {
		start("--server.ssl.client-auth=want");
		for (String protocol : List.of("TLSv1.2", "TLSv1.3")) {
			try (SSLSocket socket = connect(first.sslContext(protocol, first))) {
				String suite = socket.getSession().getCipherSuite();
				int keySize = suite.contains("AES_128") ? 128 : 256;
				assertThat(exchange(socket, "/attributes")).isEqualTo(suite + " " + keySize + " 64 CN=first.test");
			}
		}
	}

	/*
	 * For the servers that Boot gives a bundle for each server name.
	 */
	final void assertServesEachServerNameWithItsBundle() throws Exception {
		List<String> arguments = new ArrayList<>(AbstractSslServerTests.bundle("other", second));
		arguments.addAll(List.of("--server.ssl.server-name-bundles[0].server-name=second.test",
				"--server.ssl.server-name-bundles[0].bundle=other"));
		start(arguments.toArray(String[]::new));
		assertThat(servedCertificate()).isEqualTo(first.certificate());
		assertThat(servedCertificate("first.test")).isEqualTo(first.certificate());
		assertThat(servedCertificate("second.test")).isEqualTo(second.certificate());
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			assertFull(protocol);
			assertResumed(protocol);
			assertHandshakes(CommandLine.run(REQUEST, List.of("openssl", "s_client", "-connect", "localhost:" + port(),
					"-servername", "second.test", "-ign_eof", protocol, "-sess_in", session())), 1, 0);
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

	final void assertConnects(SSLContext client) throws IOException {
		try (SSLSocket socket = connect(client)) {
			exchange(socket);
		}
	}

	final SSLSocket connect(SSLContext client) throws IOException {
		SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", port());
		socket.setSoTimeout(20_000);
		return socket;
	}

	/*
	 * Make a request, and return the body of its response, which has a length.
	 */
	static String exchange(SSLSocket socket) throws IOException {
		return exchange(socket, "/");
	}

	private static String exchange(SSLSocket socket, String path) throws IOException {
		socket.getOutputStream()
			.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		BufferedReader reader = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
		String line = reader.readLine();
		if (line == null) {
			throw new IOException("closed");
		}
		assertThat(line).startsWith("HTTP/1.1 200");
		int length = 0;
		while (!line.isEmpty()) {
			line = reader.readLine();
			if (line.toLowerCase().startsWith("content-length:")) {
				length = Integer.parseInt(line.substring("content-length:".length()).trim());
			}
		}
		char[] body = new char[length];
		for (int i = 0; i < length; i++) {
			body[i] = (char) reader.read();
		}
		return new String(body);
	}

	private HttpResponse<String> get(SSLContext client) throws Exception {
		return HttpClient.newBuilder()
			.sslContext(client)
			.build()
			.send(HttpRequest.newBuilder(URI.create("https://localhost:" + port() + "/"))
				.timeout(Duration.ofSeconds(20))
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	private X509Certificate servedCertificate(String... serverName) throws Exception {
		try (SSLSocket socket = connect(first.sslContext(first, second))) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setServerNames(Arrays.stream(serverName).<SNIServerName>map(SNIHostName::new).toList());
			socket.setSSLParameters(parameters);
			socket.startHandshake();
			return (X509Certificate) socket.getSession().getPeerCertificates()[0];
		}
	}

	private static String session() {
		return directory.resolve("session.pem").toString();
	}

	private void assertFull(String... options) throws Exception {
		assertHandshakes(openSsl(options), 1, 0);
	}

	private void assertResumed(String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-sess_in", session()));
		assertHandshakes(openSsl(all.toArray(String[]::new)), 0, 1);
	}

	private String openSsl(String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-ign_eof", "-sess_out", session()));
		return CommandLine.openSslClient(port(), REQUEST, all.toArray(String[]::new));
	}

	private static void assertHandshakes(String output, int full, int resumed) {
		assertThat(FULL.matcher(output).results().count()).as(output).isEqualTo(full);
		assertThat(RESUMED.matcher(output).results().count()).as(output).isEqualTo(resumed);
	}

	final void start(String... arguments) {
		List<String> all = new ArrayList<>(List.of("--server.ssl.bundle=web"));
		all.addAll(AbstractSslServerTests.bundle("web", first));
		all.addAll(Arrays.asList(arguments));
		run(all.toArray(String[]::new));
	}

	final void run(String... arguments) {
		List<String> all = new ArrayList<>(
				List.of("--server.address=127.0.0.1", "--server.port=0", "--uncontended.ssl.engine=boringssl"));
		all.addAll(Arrays.asList(arguments));
		this.context = new SpringApplicationBuilder(this.application, Engine.class).web(this.type)
			.run(all.toArray(String[]::new));
	}

	final ConfigurableApplicationContext context() {
		assertThat(this.context).isNotNull();
		return this.context;
	}

	final int port() {
		return webServer().getPort();
	}

	final WebServer webServer() {
		WebServer webServer = ((WebServerApplicationContext) context()).getWebServer();
		assertThat(webServer).isNotNull();
		return webServer;
	}

	final SslSessionCache sessions() {
		return context().getBean(SslSessionCache.class);
	}

	final TlsHandshakes handshakes() {
		return context().getBean(TlsHandshakes.class);
	}

	/*
	 * The client may be done with a handshake before the server is.
	 */
	final void awaitCounts(String protocol, long full, long resumed) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(handshakes().counts()
				.entrySet()
				.stream()
				.filter((entry) -> entry.getKey().protocol().equals(protocol))
				.map((entry) -> entry.getValue())
				.reduce(new HandshakeCount(0, 0),
						(one, other) -> new HandshakeCount(one.full() + other.full(), one.resumed() + other.resumed())))
				.isEqualTo(new HandshakeCount(full, resumed)));
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

	static boolean isCurlInstalled() {
		return CommandLine.isInstalled("curl");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ TicketKeyAutoConfiguration.class, BoringSslAutoConfiguration.class })
	static class Engine {

	}

}
