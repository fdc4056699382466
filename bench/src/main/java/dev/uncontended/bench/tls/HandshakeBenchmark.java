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

package dev.uncontended.bench.tls;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;

import dev.uncontended.tls.engine.JdkTlsEngine;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.HandshakeKind;
import dev.uncontended.tls.handshake.TlsHandshake;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.session.SslSessionCache;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures the cost of recording a handshake, next to a resumed handshake between two
 * engines in memory, which includes client and server.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class HandshakeBenchmark {

	private static final TlsServerId SERVER = new TlsServerId("bench", TlsServerId.Context.APPLICATION);

	@Param({ "TLSv1.2", "TLSv1.3" })
	private String protocol;

	private final TlsHandshakes handshakes = new TlsHandshakes();

	private final ByteBuffer clientToServer = ByteBuffer.allocate(32_768);

	private final ByteBuffer serverToClient = ByteBuffer.allocate(32_768);

	private final ByteBuffer application = ByteBuffer.allocate(32_768);

	private final ByteBuffer nothing = ByteBuffer.allocate(0);

	private SSLContext server;

	private RenewableSslContext reportingServer;

	private SSLContext client;

	private TlsHandshake resumed;

	@Setup
	public void setUp() throws Exception {
		X509Bundle certificate = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true)
			.ecp256()
			.buildSelfSigned();
		this.server = createContext(certificate);
		this.reportingServer = createReportingContext(certificate);
		this.client = createContext(certificate);
		HandshakeKind kind = new HandshakeKind(SERVER, this.protocol, "TLS_AES_256_GCM_SHA384");
		this.resumed = new TlsHandshake(kind, true, Duration.ofMillis(1));
	}

	/**
	 * Verifies that the handshakes resume.
	 */
	@TearDown
	public void check() {
		long full = this.handshakes.counts().values().stream().mapToLong(HandshakeCount::full).sum();
		if (full > 1) {
			throw new IllegalStateException(full + " handshakes did not resume a session");
		}
	}

	@Benchmark
	public SSLSession baseline() throws SSLException {
		return handshake(this.server.createSSLEngine());
	}

	@Benchmark
	public SSLSession recorded() throws SSLException {
		return handshake(this.reportingServer.engineCreateSSLEngine());
	}

	@Benchmark
	public void recordingAlone() {
		this.handshakes.completed(this.resumed);
	}

	private SSLSession handshake(SSLEngine server) throws SSLException {
		server.setUseClientMode(false);
		SSLEngine client = this.client.createSSLEngine("localhost", 443);
		client.setUseClientMode(true);
		client.beginHandshake();
		this.clientToServer.clear();
		this.serverToClient.clear();
		// The server's session ticket follows its handshake, so continue until neither
		// side has data to send.
		boolean progress;
		do {
			progress = send(client, server, this.clientToServer);
			progress |= send(server, client, this.serverToClient);
		}
		while (progress);
		return server.getSession();
	}

	private boolean send(SSLEngine from, SSLEngine to, ByteBuffer wire) throws SSLException {
		boolean progress = false;
		while (from.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) {
			progress |= from.wrap(this.nothing, wire).bytesProduced() > 0;
			runTasks(from);
		}
		wire.flip();
		int consumed;
		do {
			this.application.clear();
			consumed = to.unwrap(wire, this.application).bytesConsumed();
			progress |= consumed > 0;
			runTasks(to);
		}
		while (consumed > 0 && wire.hasRemaining());
		wire.compact();
		return progress;
	}

	private static void runTasks(SSLEngine engine) {
		for (Runnable task = engine.getDelegatedTask(); task != null; task = engine.getDelegatedTask()) {
			task.run();
		}
	}

	private SSLContext createContext(X509Bundle certificate) throws Exception {
		SSLContext context = SSLContext.getInstance(this.protocol);
		context.init(certificate.toKeyManagerFactory().getKeyManagers(),
				certificate.toTrustManagerFactory().getTrustManagers(), null);
		return context;
	}

	private RenewableSslContext createReportingContext(X509Bundle certificate) throws Exception {
		RenewableSslContext context = new RenewableSslContext(new JdkTlsEngine(), this.protocol, SERVER,
				this.handshakes, SslSessionCache.builder().build());
		context.engineInit(certificate.toKeyManagerFactory().getKeyManagers(),
				certificate.toTrustManagerFactory().getTrustManagers(), null);
		return context;
	}

}
