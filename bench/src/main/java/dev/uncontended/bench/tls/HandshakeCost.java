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
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManager;

import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.HandshakeCount;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import dev.uncontended.tls.tickets.LocalTicketKeySource;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;

/**
 * Measures the server's cost of a handshake, up to the first bytes of its response, with
 * the JDK's engine and with BoringSSL. The cost is the time of all calls of the server's
 * {@code SSLEngine}. The client runs in the same thread, always uses BoringSSL, and is
 * not measured. The engines alternate, so that interference affects all of them.
 */
public final class HandshakeCost {

	private static final String[] CLASSICAL = { "x25519", "secp256r1" };

	private static final String HYBRID = "X25519MLKEM768";

	private static final int ROUNDS = 12;

	private static final int WARM_UP_ROUNDS = 4;

	private HandshakeCost() {
	}

	/**
	 * Prints a table with medians in microseconds.
	 * @param args the number of handshakes of each kind in a round, 150 by default
	 */
	public static void main(String[] args) throws Exception {
		int handshakes = (args.length > 0) ? Integer.parseInt(args[0]) : 150;
		LocalTicketKeySource keys = new LocalTicketKeySource(
				new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)), new SecureRandom());
		TlsEngine jdk = new JdkTlsEngine();
		TlsEngine boringSsl = new BoringSslTlsEngine(
				BoringSslSessions.inTickets(SslSessionCache.builder().build(), keys));
		System.out.println("key\tprotocol\thandshake\tjdk\tboringssl\tratio\tboringssl with " + HYBRID + "\tratio");
		for (String key : new String[] { "P-256", "RSA-2048" }) {
			X509Bundle certificate = certificate(key);
			for (String protocol : new String[] { "TLSv1.3", "TLSv1.2" }) {
				for (boolean resumed : new boolean[] { false, true }) {
					List<Side> sides = new ArrayList<>();
					sides.add(new Side(jdk, certificate, client(certificate, protocol, CLASSICAL), resumed));
					sides.add(new Side(boringSsl, certificate, client(certificate, protocol, CLASSICAL), resumed));
					if (protocol.equals("TLSv1.3")) {
						sides.add(new Side(boringSsl, certificate, client(certificate, protocol, HYBRID), resumed));
					}
					alternate(sides, handshakes);
					System.out.printf(Locale.ROOT, "%s\t%s\t%s\t%.0f", key, protocol, resumed ? "resumed" : "full",
							sides.get(0).median());
					for (Side side : sides.subList(1, sides.size())) {
						System.out.printf(Locale.ROOT, "\t%.0f\t%.2f", side.median(),
								sides.get(0).median() / side.median());
					}
					System.out.println();
				}
			}
		}
		keys.close();
	}

	private static void alternate(List<Side> sides, int handshakes) throws SSLException {
		for (int round = 0; round < ROUNDS; round++) {
			for (Side side : sides) {
				side.run(handshakes, round >= WARM_UP_ROUNDS);
			}
		}
	}

	private static X509Bundle certificate(String key) throws Exception {
		CertificateBuilder builder = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true);
		return (key.equals("P-256") ? builder.ecp256() : builder.rsa2048()).buildSelfSigned();
	}

	private static Client client(X509Bundle certificate, String protocol, String... groups) throws Exception {
		SslContext context = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL)
			.trustManager(certificate.toTrustManagerFactory())
			.endpointIdentificationAlgorithm(null)
			.protocols(protocol)
			.option(OpenSslContextOption.GROUPS, groups)
			.build();
		return (host, port) -> context.newEngine(UnpooledByteBufAllocator.DEFAULT, host, port);
	}

	@FunctionalInterface
	private interface Client {

		SSLEngine createEngine(String host, int port);

	}

	/**
	 * A TLS engine and its times.
	 */
	private static final class Side {

		private final RenewableSslContext server;

		private final TlsHandshakes handshakes = new TlsHandshakes();

		private final Client client;

		private final boolean resumed;

		private final ByteBuffer toServer = ByteBuffer.allocateDirect(1 << 16);

		private final ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 16);

		private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);

		private long[] times = {};

		private int connections;

		private long time;

		Side(TlsEngine engine, X509Bundle certificate, Client client, boolean resumed) throws Exception {
			KeyManager[] keyManagers = certificate.toKeyManagerFactory().getKeyManagers();
			TrustManager[] trustManagers = certificate.toTrustManagerFactory().getTrustManagers();
			this.server = new RenewableSslContext(engine, "TLS",
					new TlsServerId("bench", TlsServerId.Context.APPLICATION), this.handshakes,
					SslSessionCache.builder().build());
			this.server.engineInit(keyManagers, trustManagers, null);
			this.client = client;
			this.resumed = resumed;
			if (resumed) {
				handshake();
			}
		}

		double median() {
			Arrays.sort(this.times);
			return this.times[this.times.length / 2] / 1000.0;
		}

		void run(int handshakes, boolean record) throws SSLException {
			long[] round = new long[handshakes];
			for (int i = 0; i < handshakes; i++) {
				if (handshake() != this.resumed) {
					throw new IllegalStateException("This handshake should " + (this.resumed ? "" : "not ") + "resume");
				}
				round[i] = this.time;
			}
			if (record) {
				int length = this.times.length;
				this.times = Arrays.copyOf(this.times, length + handshakes);
				System.arraycopy(round, 0, this.times, length, handshakes);
			}
		}

		/*
		 * The client finds sessions by host and port, so a new host and port cause a full
		 * handshake.
		 */
		private boolean handshake() throws SSLException {
			int port = this.resumed ? 443 : ++this.connections % 60_000 + 1;
			SSLEngine client = this.client.createEngine((this.resumed ? "" : "n" + this.connections) + "localhost",
					port);
			client.beginHandshake();
			long resumptions = resumptions();
			this.toServer.clear();
			this.toClient.clear();
			this.time = 0;
			long start = System.nanoTime();
			SSLEngine server = this.server.engineCreateSSLEngine();
			server.setUseClientMode(false);
			server.beginHandshake();
			this.time += System.nanoTime() - start;
			boolean finished = false;
			for (int i = 0; !finished || client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING; i++) {
				if (i == 10) {
					throw new IllegalStateException("The handshake did not complete: the client is at "
							+ client.getHandshakeStatus() + ", the server at " + server.getHandshakeStatus());
				}
				step(client, this.toClient, this.toServer);
				if (client.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
					// Netty's engine notices the end of the handshake with the next call.
					client.unwrap(ByteBuffer.allocate(0), this.in);
				}
				start = System.nanoTime();
				finished |= step(server, this.toServer, this.toClient);
				this.time += System.nanoTime() - start;
			}
			start = System.nanoTime();
			server.wrap(ByteBuffer.allocate(2), this.toClient);
			this.time += System.nanoTime() - start;
			while (this.toClient.position() > 0) {
				step(client, this.toClient, this.toServer);
			}
			server.closeOutbound();
			server.wrap(ByteBuffer.allocate(0), this.toClient);
			return resumptions() > resumptions;
		}

		private long resumptions() {
			return this.handshakes.counts().values().stream().mapToLong(HandshakeCount::resumed).sum();
		}

		private boolean step(SSLEngine engine, ByteBuffer source, ByteBuffer target) throws SSLException {
			boolean finished = false;
			while (true) {
				switch (engine.getHandshakeStatus()) {
					case NEED_TASK -> {
						Runnable task = engine.getDelegatedTask();
						if (task != null) {
							task.run();
						}
					}
					case NEED_WRAP -> {
						finished |= isFinished(engine.wrap(ByteBuffer.allocate(0), target));
					}
					default -> {
						if (source.position() == 0) {
							return finished;
						}
						source.flip();
						this.in.clear();
						SSLEngineResult result = engine.unwrap(source, this.in);
						source.compact();
						finished |= isFinished(result);
						if (result.bytesConsumed() == 0 && result.getStatus() != SSLEngineResult.Status.OK) {
							return finished;
						}
					}
				}
			}
		}

		private static boolean isFinished(SSLEngineResult result) {
			return result.getHandshakeStatus() == HandshakeStatus.FINISHED;
		}

	}

}
