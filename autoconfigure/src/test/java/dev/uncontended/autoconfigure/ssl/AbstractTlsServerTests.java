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

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLSessionContext;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.FailedTlsHandshake;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TlsHandshakeListener;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.server.TlsServers;
import dev.uncontended.tls.session.SslSessionCache;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Starts a server set up by Boot, to which {@link TestClients} connect.
 */
@Tag("integration")
abstract class AbstractTlsServerTests {

	@TempDir
	static Path directory;

	static TestKeyStore first;

	static TestKeyStore second;

	final TestServer server;

	final String engine;

	final TestClients clients = new TestClients(this::port, directory, () -> first.sslContext(first, second));

	/** Applications shared by the tests of a class, by server, engine and arguments. */
	private static final Map<List<Object>, ConfigurableApplicationContext> shared = new HashMap<>();

	private @Nullable ConfigurableApplicationContext context;

	private Map<HandshakeKind, HandshakeCount> completedBefore = Map.of();

	private Map<FailedTlsHandshake, Long> failedBefore = Map.of();

	private long hitsBefore;

	AbstractTlsServerTests(TestServer server, String engine) {
		this.server = server;
		this.engine = engine;
	}

	@BeforeAll
	static void createKeyStores() {
		first = TestKeyStore.create(directory.resolve("first.p12"), "first.test");
		second = TestKeyStore.create(directory.resolve("second.p12"), "second.test");
	}

	void assumeJdkEngine() {
		assumeTrue(this.engine.equals("jdk"), "Does not apply to BoringSSL");
	}

	@AfterEach
	void stop() {
		if (this.context != null && !shared.containsValue(this.context)) {
			this.context.close();
		}
		System.clearProperty("jdk.tls.server.enableSessionTicketExtension");
	}

	@AfterAll
	static void stopShared() {
		shared.values().forEach(ConfigurableApplicationContext::close);
		shared.clear();
	}

	/**
	 * Uses the application that another test of the class has started with these
	 * arguments, or starts one. For tests that do not change its configuration and
	 * certificate. Handshakes and hits are counted from this call on.
	 */
	final void share(String... arguments) {
		List<Object> key = List.of(this.server, this.engine, List.of(arguments));
		this.context = shared.get(key);
		if (this.context == null) {
			start(arguments);
			shared.put(key, context());
		}
		this.completedBefore = handshakes().counts();
		this.failedBefore = handshakes().failedCounts();
		this.hitsBefore = sessions().stats().hits();
	}

	/**
	 * Starts an application for one test.
	 */
	final void start(String... arguments) {
		List<String> all = new ArrayList<>(List.of("--server.ssl.bundle=web"));
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
		List<String> all = new ArrayList<>(
				List.of("--server.address=127.0.0.1", "--server.port=0", "--uncontended.ssl.engine=" + this.engine));
		all.addAll(Arrays.asList(arguments));
		List<Class<?>> sources = new ArrayList<>(List.of(this.server.application(), BoringSsl.class));
		sources.addAll(sources());
		this.context = new SpringApplicationBuilder(sources.toArray(Class<?>[]::new)).web(this.server.type())
			.run(all.toArray(String[]::new));
	}

	/**
	 * Returns additional configuration classes of the application.
	 */
	List<Class<?>> sources() {
		return List.of();
	}

	final ConfigurableApplicationContext context() {
		assertThat(this.context).isNotNull();
		return this.context;
	}

	final int port() {
		return TestServer.webServer(context()).getPort();
	}

	final SslSessionCache sessions() {
		return context().getBean(SslSessionCache.class);
	}

	final TlsHandshakes handshakes() {
		return context().getBean(TlsHandshakes.class);
	}

	/**
	 * Returns the SSL contexts that the server uses for new connections.
	 */
	final List<RenewableSslContext> contexts() {
		return context().getBean(TlsServers.class).contexts().toList();
	}

	/**
	 * Returns the JDK's own store of the server's sessions.
	 */
	final SSLSessionContext jdkStore() {
		assertThat(contexts()).hasSize(1);
		return contexts().get(0).current().sslContext().getServerSessionContext();
	}

	/**
	 * Counts later HelloRetryRequests.
	 */
	final AtomicInteger countRetries() {
		AtomicInteger retries = new AtomicInteger();
		handshakes().addListener(new TlsHandshakeListener() {

			@Override
			public void retried(TlsServerId server) {
				retries.incrementAndGet();
			}

		});
		return retries;
	}

	final TlsServerId id() {
		return new TlsServerId(this.server.name().toLowerCase(), TlsServerId.Context.APPLICATION);
	}

	final long hits() {
		return sessions().stats().hits() - this.hitsBefore;
	}

	final Map<HandshakeKind, HandshakeCount> completed() {
		Map<HandshakeKind, HandshakeCount> completed = new HashMap<>(handshakes().counts());
		this.completedBefore.forEach((kind, before) -> completed.computeIfPresent(kind, (key, now) -> now.equals(before)
				? null : new HandshakeCount(now.full() - before.full(), now.resumed() - before.resumed())));
		return completed;
	}

	final Map<FailedTlsHandshake, Long> failed() {
		Map<FailedTlsHandshake, Long> failed = new HashMap<>(handshakes().failedCounts());
		this.failedBefore.forEach((kind, before) -> failed.computeIfPresent(kind,
				(key, now) -> now.equals(before) ? null : now - before));
		return failed;
	}

	/*
	 * The client may complete a handshake before the server.
	 */
	final void awaitCounts(String protocol, long full, long resumed) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(count(protocol)).isEqualTo(new HandshakeCount(full, resumed)));
		assertThat(completed().keySet()).allMatch((kind) -> kind.server().equals(id()));
	}

	private HandshakeCount count(String protocol) {
		return completed().entrySet()
			.stream()
			.filter((entry) -> entry.getKey().protocol().equals(protocol))
			.map((entry) -> entry.getValue())
			.reduce(new HandshakeCount(0, 0),
					(one, other) -> new HandshakeCount(one.full() + other.full(), one.resumed() + other.resumed()));
	}

	final void assertServes() throws Exception {
		assertThat(this.clients.get(first.sslContext(first), HttpClient.Version.HTTP_1_1).body()).isEqualTo("ok");
	}

	/*
	 * Asserts that a stopped server does not miss an end of all sessions.
	 */
	final void assertSessionsEndWhileStopped() throws Exception {
		this.clients.assertFull("-tls1_3");
		this.clients.assertResumed("-tls1_3");
		context().stop();
		sessions().endAll();
		context().start();
		this.clients.assertResumesNoLonger("-tls1_3");
	}

	/*
	 * Asserts a warning of an SSL context that the application has set on the server.
	 */
	final void assertWarnsOfOwnContext(CapturedOutput output) throws Exception {
		assertServes();
		assertThat(output).containsOnlyOnce("do not end with all others");
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

	static boolean isCurlInstalled() {
		return CommandLine.isInstalled("curl");
	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(SslServerAutoConfiguration.class)
	static class BoringSsl {

	}

}
