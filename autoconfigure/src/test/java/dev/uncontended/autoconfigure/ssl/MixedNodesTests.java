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

import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.redis.RedisServer;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.TicketKeys;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for nodes with different servers that share ticket keys.
 */
@ParameterizedClass
@ValueSource(strings = { "redis", "secret" })
@EnabledIf("dev.uncontended.tls.redis.RedisServer#isInstalled")
@Tag("integration")
@Tag("product")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class MixedNodesTests {

	@TempDir
	static Path directory;

	private static final List<ConfigurableApplicationContext> nodes = new ArrayList<>();

	private static RedisServer redis;

	@Parameter
	String source;

	@BeforeParameterizedClassInvocation
	static void start(String source) {
		redis = RedisServer.create();
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve(source + ".p12"), "node.test");
		for (TestServer server : TestServer.values()) {
			List<String> arguments = new ArrayList<>(AbstractTlsServerTests.bundle("web", keyStore));
			arguments.addAll(List.of("--server.address=127.0.0.1", "--server.port=0", "--server.ssl.bundle=web",
					"--uncontended.ssl.engine=boringssl", "--uncontended.ssl.tickets.source=" + source,
					"--uncontended.ssl.tickets.secrets[0]=the secret of the test, 32 bytes",
					"--uncontended.ssl.tickets.redis.poll-interval=1s", "--spring.data.redis.host=127.0.0.1",
					"--spring.data.redis.port=" + redis.port()));
			nodes.add(new SpringApplicationBuilder(server.application(), Sharing.class).web(server.type())
				.run(arguments.toArray(String[]::new)));
		}
		if (source.equals("redis")) {
			Awaitility.await()
				.atMost(Duration.ofMinutes(1))
				.until(() -> nodes.stream().allMatch((node) -> keys(node).status().nextRotation() != null));
		}
	}

	@AfterParameterizedClassInvocation
	static void stop() {
		nodes.forEach(ConfigurableApplicationContext::close);
		nodes.clear();
		redis.close();
	}

	/*
	 * Must run first, because derived keys are not shared for one rotation after an end.
	 */
	@Order(1)
	@ParameterizedTest
	@EnumSource
	void sessionsOfEachServerResumeOnEach(Kind kind) throws Exception {
		for (ConfigurableApplicationContext first : nodes) {
			for (ConfigurableApplicationContext second : nodes) {
				Client client = new Client(kind);
				assertThat(client.resumesOn(first)).isFalse();
				assertThat(client.resumesOn(second)).as("%s, then %s", name(first), name(second)).isTrue();
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void noSessionResumesOnAnyServerAfterEndOnOne(Kind kind) throws Exception {
		for (ConfigurableApplicationContext ending : nodes) {
			List<Client> clients = new ArrayList<>();
			for (ConfigurableApplicationContext node : nodes) {
				Client client = new Client(kind);
				assertThat(client.resumesOn(node)).isFalse();
				assertThat(client.resumesOn(node)).isTrue();
				clients.add(client);
			}
			end(ending);
			for (int i = 0; i < clients.size(); i++) {
				ConfigurableApplicationContext node = nodes.get(i);
				if (isShared() || node == ending) {
					assertThat(clients.get(i).resumesOn(node)).as(name(node)).isFalse();
					assertThat(clients.get(i).resumesOn(node)).as(name(node)).isTrue();
				}
			}
		}
	}

	@ParameterizedTest
	@EnumSource
	void sessionOfHandshakeDuringEndDoesNotResume(Kind kind) throws Exception {
		for (ConfigurableApplicationContext ending : nodes) {
			for (ConfigurableApplicationContext node : isShared() ? nodes : List.of(ending)) {
				for (ConfigurableApplicationContext next : nodes) {
					Client client = new Client(kind);
					client.inTheHandshake = () -> end(ending);
					assertThat(client.resumesOn(node)).isFalse();
					client.inTheHandshake = () -> {
					};
					assertThat(client.resumesOn(next)).as("%s, then %s", name(node), name(next)).isFalse();
				}
			}
		}
	}

	@Test
	void newSessionsResumeAfterConcurrentEndsOnAllNodes() throws Exception {
		ExecutorService executor = Executors.newCachedThreadPool();
		try {
			List<Future<?>> ends = new ArrayList<>();
			for (ConfigurableApplicationContext node : nodes) {
				for (int i = 0; i < 2; i++) {
					ends.add(executor.submit(() -> {
						for (int j = 0; j < 5; j++) {
							node.getBean(SslSessionCache.class).endAll();
						}
					}));
				}
			}
			List<Future<?>> all = new ArrayList<>(ends);
			for (Kind kind : Kind.values()) {
				all.add(executor.submit(() -> {
					Client client = new Client(kind);
					do {
						for (ConfigurableApplicationContext node : nodes) {
							client.resumesOn(node);
						}
					}
					while (!ends.stream().allMatch(Future::isDone));
					return null;
				}));
			}
			for (Future<?> future : all) {
				future.get();
			}
		}
		finally {
			executor.shutdownNow();
		}
		end(nodes.get(0));
		for (ConfigurableApplicationContext node : nodes) {
			for (Kind kind : Kind.values()) {
				Client client = new Client(kind);
				assertThat(client.resumesOn(node)).isFalse();
				assertThat(client.resumesOn(node)).isTrue();
			}
			assertThat(node.getBean(TlsHandshakes.class).failedCounts()).isEmpty();
		}
	}

	/**
	 * Ends all sessions on one node, and waits until the others have followed.
	 */
	private void end(ConfigurableApplicationContext ending) {
		CountDownLatch ends = new CountDownLatch(isShared() ? nodes.size() - 1 : 0);
		List<Runnable> removals = nodes.stream().map((node) -> keys(node).onRemoteEnd(ends::countDown)).toList();
		try {
			ending.getBean(SslSessionCache.class).endAll();
			assertThat(ends.await(60, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
		finally {
			removals.forEach(Runnable::run);
		}
	}

	private boolean isShared() {
		return this.source.equals("redis");
	}

	private static TicketKeys keys(ConfigurableApplicationContext node) {
		return node.getBean(TicketKeys.class);
	}

	private static String name(ConfigurableApplicationContext node) {
		return TestServer.webServer(node).getClass().getSimpleName();
	}

	/**
	 * The kinds of resumption.
	 */
	enum Kind {

		TICKET_OF_TLS_1_2, TICKET_OF_TLS_1_3

	}

	/**
	 * A client that considers all nodes the same server.
	 */
	private static final class Client implements X509TrustManager {

		private final SSLContext context;

		private Runnable inTheHandshake = () -> {
		};

		private boolean full;

		Client(Kind kind) throws Exception {
			this.context = SSLContext.getInstance((kind == Kind.TICKET_OF_TLS_1_3) ? "TLSv1.3" : "TLSv1.2");
			this.context.init(null, new TrustManager[] { this }, null);
		}

		boolean resumesOn(ConfigurableApplicationContext node) throws IOException {
			this.full = false;
			try (Socket socket = new NodeSocket(TestServer.webServer(node).getPort());
					SSLSocket layered = (SSLSocket) this.context.getSocketFactory()
						.createSocket(socket, "node.test", socket.getPort(), true)) {
				layered.setSoTimeout(60_000);
				layered.getOutputStream().write(TestClients.REQUEST.getBytes(StandardCharsets.US_ASCII));
				assertThat(new String(layered.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
					.startsWith("HTTP/1.1 200");
			}
			return !this.full;
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			this.full = true;
			this.inTheHandshake.run();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
		}

	}

	/**
	 * Hides the port, which is part of JSSE's key of sessions.
	 */
	private static final class NodeSocket extends Socket {

		NodeSocket(int port) throws IOException {
			super("127.0.0.1", port);
		}

		@Override
		public int getPort() {
			return 443;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration({ DataRedisAutoConfiguration.class })
	static class Sharing {

	}

}
