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

import java.net.Socket;
import java.nio.file.Path;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLContextSpi;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocketFactory;
import javax.net.ssl.SSLSession;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.session.internal.TestSessions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link JdkContext} with a JDK that does not keep the host of a session.
 */
@Tag("integration")
class OtherJdkTests {

	private final SessionTokens cache = TestSessions.cache();

	private final TlsHandshakes handshakes = new TlsHandshakes();

	/** The number of full handshakes: resumptions check no certificate. */
	private final AtomicInteger certificateChecks = new AtomicInteger();

	private TestKeyStore keyStore;

	private SSLContext client;

	private SSLSession lastSession;

	@BeforeEach
	void createContext(@TempDir Path directory) throws Exception {
		this.keyStore = TestKeyStore.create(directory.resolve("server.p12"), "localhost");
		this.client = SSLContext.getInstance("TLS");
		this.client.init(null, new TrustManager[] { new CountingTrustManager(this.certificateChecks) }, null);
	}

	private SSLContext serverContext() {
		return this.keyStore.sslContext(this.keyStore);
	}

	private RenewableSslContext context(BiFunction<SSLContext, String, SSLEngine> engines)
			throws KeyManagementException {
		RenewableSslContext context = new RenewableSslContext(
				(protocol, keys, trust, random) -> new JdkContext(new OtherContext(serverContext(), engines),
						JdkGroups.DEFAULT, this.cache),
				"TLS", new TlsServerId("test", TlsServerId.Context.APPLICATION), this.handshakes);
		context.engineInit(null, null, null);
		return context;
	}

	@Test
	void jdkThatDropsHostDecidesAndIsReportedOnce() throws Exception {
		RenewableSslContext context = context((jdk, host) -> jdk.createSSLEngine());
		assertThat(context.sessions()).isEqualTo("limited by the session cache");
		List<LogRecord> records = new ArrayList<>();
		Logger logger = Logger.getLogger(JdkContext.class.getName());
		Handler handler = new RecordingHandler(records);
		logger.addHandler(handler);
		logger.setUseParentHandlers(false);
		try {
			for (int i = 0; i < 4; i++) {
				handshake(context);
			}
			assertThat(this.certificateChecks).hasValue(1);
			assertThat(records).singleElement()
				.satisfies((logRecord) -> assertThat(logRecord.getMessage()).contains("cannot decide"));
			assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(0, 0, 0, 0, 0, 0));
			assertThat(context.sessions()).isEqualTo("outside the session cache");
		}
		finally {
			logger.removeHandler(handler);
			logger.setUseParentHandlers(true);
		}
	}

	@Test
	void endReplacesContextOfJdkThatDropsHost() throws Exception {
		RenewableSslContext context = context((jdk, host) -> jdk.createSSLEngine());
		handshake(context);
		handshake(context);
		assertThat(this.certificateChecks).hasValue(1);
		this.cache.endAll();
		handshake(context);
		assertThat(this.certificateChecks).hasValue(2);
		handshake(context);
		assertThat(this.certificateChecks).hasValue(2);
	}

	/*
	 * The first connection whose session was to be refused fails. Then the JDK decides.
	 */
	@Test
	void jdkThatIgnoresIdentificationAlgorithmDecides() throws Exception {
		RenewableSslContext context = context(OtherJdkTests::engineWithoutIdentification);
		handshake(context);
		handshake(context);
		this.cache.remove(this.lastSession);
		assertThatExceptionOfType(SSLException.class).isThrownBy(() -> handshake(context))
			.withMessage("The JDK has resumed a TLS session that has ended");
		assertThat(context.sessions()).isEqualTo("outside the session cache");
		handshake(context);
		this.cache.remove(this.lastSession);
		handshake(context);
		assertThat(this.certificateChecks).hasValue(2);
		this.cache.endAll();
		handshake(context);
		assertThat(this.certificateChecks).hasValue(3);
	}

	private static SSLEngine engineWithoutIdentification(SSLContext jdk, String host) {
		SSLEngine engine = jdk.createSSLEngine(host, -1);
		SSLEngine other = mock(SSLEngine.class, delegatesTo(engine));
		willAnswer((invocation) -> {
			SSLParameters parameters = invocation.getArgument(0);
			parameters.setEndpointIdentificationAlgorithm(null);
			engine.setSSLParameters(parameters);
			return null;
		}).given(other).setSSLParameters(any());
		return other;
	}

	private void handshake(RenewableSslContext context) throws Exception {
		SSLEngine server = context.engineCreateSSLEngine();
		InMemoryHandshake.run(this.client.createSSLEngine("server", 1), server);
		this.lastSession = server.getSession();
	}

	private static final class OtherContext extends SSLContext {

		OtherContext(SSLContext delegate, BiFunction<SSLContext, String, SSLEngine> engines) {
			super(new OtherSpi(delegate, engines), delegate.getProvider(), delegate.getProtocol());
		}

	}

	private static final class OtherSpi extends SSLContextSpi {

		private final SSLContext delegate;

		private final BiFunction<SSLContext, String, SSLEngine> engines;

		OtherSpi(SSLContext delegate, BiFunction<SSLContext, String, SSLEngine> engines) {
			this.delegate = delegate;
			this.engines = engines;
		}

		@Override
		protected SSLEngine engineCreateSSLEngine(String host, int port) {
			return this.engines.apply(this.delegate, host);
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

	private static final class CountingTrustManager extends X509ExtendedTrustManager {

		private final AtomicInteger checks;

		CountingTrustManager(AtomicInteger checks) {
			this.checks = checks;
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
			this.checks.incrementAndGet();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkServerTrusted(X509Certificate[] chain, String authType) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {
			throw new UnsupportedOperationException();
		}

		@Override
		public void checkClientTrusted(X509Certificate[] chain, String authType) {
			throw new UnsupportedOperationException();
		}

		@Override
		public X509Certificate[] getAcceptedIssuers() {
			return new X509Certificate[0];
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
