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

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.boringssl.TestTicketKeys;
import dev.uncontended.tls.engine.SslContextProvider;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.server.tomcat.TomcatTlsServer;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.modeler.Registry;
import org.apache.tomcat.util.net.SSLHostConfig;
import org.apache.tomcat.util.net.SSLHostConfigCertificate;
import org.apache.tomcat.util.net.SSLHostConfigCertificate.Type;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that a connection closes while the server checks the client's certificate.
 */
@Tag("integration")
class SlowCertificateCheckTests {

	private static final int TIMEOUT_SECONDS = 30;

	@TempDir
	static Path directory;

	static TestKeyStore key;

	private static volatile Check check = new Check();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final TlsServers servers = new TlsServers(TestSessions.cache(), new TlsHandshakes());

	@BeforeAll
	static void createKeyStore() {
		key = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@BeforeEach
	void renew() {
		check = new Check();
	}

	@AfterEach
	void stop() {
		check.released.countDown();
		this.threads.shutdownNow();
	}

	@ParameterizedTest
	@EnumSource
	void tomcatStopsDuringCheck(Engine engine) throws Exception {
		// As Spring Boot does. MBeans would reference the servers of later tests.
		Registry.disableRegistry();
		Tomcat tomcat = new Tomcat();
		tomcat.setBaseDir(directory.toString());
		Http11NioProtocol protocol = new Http11NioProtocol();
		protocol.setAddress(InetAddress.getLoopbackAddress());
		protocol.setPort(0);
		protocol.setSSLEnabled(true);
		SSLHostConfig host = new SSLHostConfig();
		host.setCertificateVerification("required");
		host.setTrustManagerClassName(SlowTrustManager.class.getName());
		SSLHostConfigCertificate certificate = new SSLHostConfigCertificate(host, Type.UNDEFINED);
		certificate.setCertificateKeystore(key.keyStore());
		certificate.setCertificateKeystorePassword(TestKeyStore.PASSWORD);
		host.addCertificate(certificate);
		protocol.addSslHostConfig(host);
		Connector connector = new Connector(protocol);
		connector.setSecure(true);
		new TomcatTlsServer(engine.create(), this.servers, TlsServerId.Context.APPLICATION, connector, protocol);
		tomcat.setConnector(connector);
		tomcat.addContext("", null);
		tomcat.start();
		Future<?> client = connect(new Socket("127.0.0.1", connector.getLocalPort()));
		await(check.started);
		this.threads.submit(() -> {
			tomcat.stop();
			return null;
		}).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		check.released.countDown();
		await(check.completed);
		tomcat.destroy();
		client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
	}

	/**
	 * The SSL handler runs the engine's tasks, if any, in other threads. The event loop
	 * closes the engine, and has to wait for the check.
	 */
	@ParameterizedTest
	@EnumSource
	void clientDisconnectsFromNettyDuringCheck(Engine engine) throws Exception {
		KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
		keys.init(key.keyStore(), TestKeyStore.PASSWORD.toCharArray());
		TlsEngine tls = engine.create();
		TlsServerId id = new TlsServerId("netty", TlsServerId.Context.APPLICATION);
		SslContext context = SslContextBuilder.forServer(keys)
			.sslProvider(SslProvider.JDK)
			.sslContextProvider(
					new SslContextProvider("Test", (protocol) -> this.servers.createContext(tls, protocol, id)))
			.trustManager(new SlowTrustManager())
			.clientAuth(ClientAuth.REQUIRE)
			.build();
		CompletableFuture<Thread> eventLoop = new CompletableFuture<>();
		DisposableServer server = HttpServer.create()
			.host("127.0.0.1")
			.doOnChannelInit((observer, channel, address) -> {
				eventLoop.complete(Thread.currentThread());
				channel.pipeline().addFirst(context.newHandler(channel.alloc(), this.threads));
			})
			.handle((request, response) -> response.sendString(Mono.just("ok")))
			.bindNow();
		try {
			Socket socket = new Socket("127.0.0.1", server.port());
			Future<?> client = connect(socket);
			await(check.started);
			socket.close();
			Awaitility.await().until(() -> eventLoop.join().getState() != Thread.State.RUNNABLE);
			check.released.countDown();
			await(check.completed);
			client.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
		}
		finally {
			server.disposeNow(Duration.ofSeconds(TIMEOUT_SECONDS));
		}
	}

	/*
	 * The connection is closed during the handshake or after the response.
	 */
	private Future<?> connect(Socket plain) {
		return this.threads.submit(() -> {
			try (Socket socket = key.sslContext(key)
				.getSocketFactory()
				.createSocket(plain, "127.0.0.1", plain.getPort(), true)) {
				socket.getOutputStream()
					.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".getBytes());
				return socket.getInputStream().readAllBytes();
			}
			catch (IOException ex) {
				return ex;
			}
		});
	}

	private static void await(CountDownLatch latch) throws InterruptedException {
		assertThat(latch.await(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
	}

	enum Engine {

		JDK, BORINGSSL;

		TlsEngine create() {
			return (this == JDK) ? new JdkTlsEngine(TestSessions.cache(), List.of()) : new BoringSslTlsEngine(
					new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()), List.of());
		}

	}

	private record Check(CountDownLatch started, CountDownLatch released, CountDownLatch completed) {

		Check() {
			this(new CountDownLatch(1), new CountDownLatch(1), new CountDownLatch(1));
		}

	}

	/**
	 * Uses the engine after a delay. Tomcat creates an instance by name.
	 */
	public static final class SlowTrustManager extends X509ExtendedTrustManager {

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
			check.started.countDown();
			try {
				await(check.released);
			}
			catch (InterruptedException ex) {
				// Tomcat interrupts its threads.
			}
			engine.getHandshakeSession();
			engine.getSSLParameters();
			check.completed.countDown();
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[] { key.certificate() };
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
			throw new UnsupportedOperationException();
		}

	}

}
