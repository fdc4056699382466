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

import java.nio.file.Path;
import java.security.KeyManagementException;
import java.security.SecureRandom;
import java.time.Duration;
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
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.InMemoryHandshake;
import dev.uncontended.tls.StatefulSessions;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionStats;
import dev.uncontended.tls.session.internal.Lineages;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link JdkContext} with a JDK that copies the host.
 */
@Tag("integration")
class OtherJdkTests {

	private final Lineages cache = new Lineages(2, Duration.ofHours(24), System::nanoTime);

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

	private RenewableSslContext context() throws KeyManagementException {
		RenewableSslContext context = new RenewableSslContext(
				(protocol, keys, trust, random) -> new JdkContext(new CopyingContext(serverContext()),
						JdkGroups.DEFAULT, this.cache, true),
				"TLS", new TlsServerId("test", TlsServerId.Context.APPLICATION), new TlsHandshakes(), this.cache);
		StatefulSessions.call(() -> {
			context.engineInit(null, null, null);
			return context;
		});
		return context;
	}

	@Test
	void jdkWithOtherInternalsDecidesAndIsReportedOnce() throws Exception {
		RenewableSslContext context = context();
		List<LogRecord> records = new ArrayList<>();
		Logger logger = Logger.getLogger(Lineages.class.getName());
		Handler handler = new RecordingHandler(records);
		logger.addHandler(handler);
		logger.setUseParentHandlers(false);
		try {
			SSLSession before = handshake(context);
			assertThat(handshake(context).getPeerHost()).isNotSameAs(before.getPeerHost());
			while (records.isEmpty()) {
				handshake(context);
			}
			handshake(context);
			SSLSession first = handshake(context);
			assertThat(handshake(context).getPeerHost()).as("resumed").isSameAs(first.getPeerHost());
			assertThat(records).singleElement()
				.satisfies((logRecord) -> assertThat(logRecord.getMessage()).contains("does not recognize"));
			assertThat(this.cache.stats()).isEqualTo(new SslSessionStats(0, 0, 0, 0, 0, 0));
		}
		finally {
			logger.removeHandler(handler);
			logger.setUseParentHandlers(true);
		}
	}

	private SSLSession handshake(RenewableSslContext context) throws Exception {
		SSLEngine server = context.engineCreateSSLEngine();
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
