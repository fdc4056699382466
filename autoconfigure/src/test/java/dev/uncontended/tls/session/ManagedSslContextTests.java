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

package dev.uncontended.tls.session;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.internal.Lineages;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link SslSessionCache#manage}.
 */
@Tag("integration")
class ManagedSslContextTests {

	private final SslSessionCache cache = SslSessionCache.builder().maximumSize(2).build();

	private TestKeyStore keyStore;

	private SSLContext client;

	@BeforeEach
	void createContext(@TempDir Path directory) {
		this.keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.client = this.keyStore.sslContext(this.keyStore);
	}

	private SSLContext serverContext() {
		return this.keyStore.sslContext(this.keyStore);
	}

	private SSLContext managed() {
		return StatefulSessions.call(() -> this.cache.manage(serverContext()));
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void decidesSessionsOfHttpsServer(String protocol) throws Exception {
		HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
		server.setHttpsConfigurator(new HttpsConfigurator(managed()));
		server.createContext("/", (exchange) -> {
			exchange.sendResponseHeaders(204, -1);
			exchange.close();
		});
		server.start();
		try {
			for (int i = 0; i < 3; i++) {
				request(server, protocol);
			}
			assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(2, 1, 1, 0, 0, 0));
			this.cache.endAll();
			request(server, protocol);
			request(server, protocol);
			assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(3, 2, 2, 0, 0, 1));
		}
		finally {
			server.stop(0);
		}
	}

	private void request(HttpsServer server, String protocol) throws Exception {
		try (SSLSocket socket = (SSLSocket) this.client.getSocketFactory()
			.createSocket(server.getAddress().getAddress(), server.getAddress().getPort())) {
			socket.setEnabledProtocols(new String[] { protocol });
			socket.getOutputStream()
				.write("GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
					.getBytes(StandardCharsets.US_ASCII));
			assertThat(socket.getInputStream().readAllBytes()).startsWith("HTTP/1.1 204".getBytes());
		}
	}

	@Test
	void contextHasLimitsOfCache() {
		SSLSessionContext sessions = managed().getServerSessionContext();
		assertThat(sessions.getSessionCacheSize()).isEqualTo(8);
		assertThat(sessions.getSessionTimeout()).isEqualTo(86_400);
	}

	@Test
	void contextDelegates() throws Exception {
		SSLContext context = managed();
		assertThat(context.getProtocol()).isEqualTo("TLS");
		assertThat(context.getDefaultSSLParameters().getProtocols()).contains("TLSv1.3");
		assertThat(context.getSupportedSSLParameters().getCipherSuites()).isNotEmpty();
		assertThat(context.getClientSessionContext()).isNotNull();
		SSLEngine engine = context.createSSLEngine("client", 4711);
		assertThat(engine.getPeerHost()).isEqualTo("client");
		assertThat(engine.getPeerPort()).isEqualTo(4711);
		SSLEngine server = context.createSSLEngine();
		InMemoryHandshake.run(engine, server);
		assertThat(server.getSession().getPeerHost()).isEmpty();
	}

	@Test
	void rejectsTickets() {
		assertThatIllegalStateException()
			.isThrownBy(() -> StatefulSessions.call(false, () -> this.cache.manage(serverContext())))
			.havingCause()
			.withMessageContaining("'jdk.tls.server.enableSessionTicketExtension' to 'false'");
	}

	/*
	 * As if the JDK copied the host.
	 */
	@Test
	void jdkWithOtherInternalsDecidesAndIsReportedOnce() throws Exception {
		SSLContext managed = StatefulSessions.call(() -> this.cache.manage(new CopyingContext(serverContext())));
		List<LogRecord> records = new ArrayList<>();
		Logger logger = Logger.getLogger(Lineages.class.getName());
		Handler handler = new RecordingHandler(records);
		logger.addHandler(handler);
		logger.setUseParentHandlers(false);
		try {
			SSLSession before = handshake(managed);
			assertThat(handshake(managed).getPeerHost()).isNotSameAs(before.getPeerHost());
			while (records.isEmpty()) {
				handshake(managed);
			}
			handshake(managed);
			SSLSession first = handshake(managed);
			assertThat(handshake(managed).getPeerHost()).as("resumed").isSameAs(first.getPeerHost());
			assertThat(records).singleElement()
				.satisfies((logRecord) -> assertThat(logRecord.getMessage()).contains("does not recognize"));
			assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(0, 0, 0, 0, 0, 0));
		}
		finally {
			logger.removeHandler(handler);
			logger.setUseParentHandlers(true);
		}
	}

	private SSLSession handshake(SSLContext context) throws Exception {
		SSLEngine server = context.createSSLEngine();
		InMemoryHandshake.run(this.client.createSSLEngine("server", 1), server);
		return server.getSession();
	}

	private static final class CopyingContext extends SSLContext {

		CopyingContext(SSLContext delegate) {
			super(new CopyingSpi(delegate), delegate.getProvider(), delegate.getProtocol());
		}

	}

	private static final class CopyingSpi extends SSLContextSpi {

		private final SSLContext delegate;

		CopyingSpi(SSLContext delegate) {
			this.delegate = delegate;
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			return this.delegate.createSSLEngine(new String(host), port);
		}

		@Override
		protected SSLEngine engineCreateSSLEngine() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected void engineInit(KeyManager[] keys, TrustManager[] trust, SecureRandom random) {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLSocketFactory engineGetSocketFactory() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLServerSocketFactory engineGetServerSocketFactory() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLSessionContext engineGetServerSessionContext() {
			return this.delegate.getServerSessionContext();
		}

		@Override
		protected SSLSessionContext engineGetClientSessionContext() {
			throw new UnsupportedOperationException();
		}

		@Override
		protected SSLParameters engineGetDefaultSSLParameters() {
			throw new UnsupportedOperationException();
		}

	}

	private static final class RecordingHandler extends Handler {

		private final List<LogRecord> records;

		RecordingHandler(List<LogRecord> records) {
			this.records = records;
		}

		@Override
		public void publish(LogRecord logRecord) {
			this.records.add(logRecord);
		}

		@Override
		public void flush() {
		}

		@Override
		public void close() {
		}

	}

}
