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

import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

import com.sun.management.ThreadMXBean;
import dev.uncontended.bench.Options;
import dev.uncontended.bench.Rounds;
import dev.uncontended.tls.boringssl.BoringSslSessions;
import dev.uncontended.tls.boringssl.BoringSslTlsEngine;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.engine.TlsEngine;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import dev.uncontended.tls.tickets.TicketKeyRotation;
import dev.uncontended.tls.tickets.TicketKeys;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.ReferenceCountedOpenSslEngine;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.internal.tcnative.SSL;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.conscrypt.Conscrypt;

/**
 * Measures the server's cost of a handshake, up to the first bytes of its response. The
 * cost is the CPU time of the thread in all calls of the server's {@code SSLEngine},
 * without the calls that read this time. Garbage collection runs in other threads; the
 * allocated bytes tell what it adds. The client runs in the same thread, always uses
 * BoringSSL, and is not measured. The implementations alternate in rounds, so that
 * interference affects all of them.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code handshakes} of each kind in a round, {@code rounds}, {@code warm-up} rounds
 * <li>{@code keys}: {@code P-256,RSA-2048}
 * <li>{@code protocols}: {@code TLSv1.3,TLSv1.2}
 * <li>{@code sessions}: the number of sessions that each client has made before
 * <li>{@code first}: an implementation, such as {@code JDK}. Instead of rounds, measures
 * the first handshake of this JVM
 * <li>{@code results}: a file to which the raw results are appended
 * </ul>
 */
public final class HandshakeCost {

	private static final String HEADER = "java\tkey\tprotocol\thandshake\tserver\tround\tCPU us\tallocated KB";

	private static final String[] CLASSICAL = { "x25519", "secp256r1" };

	private static final String[] HYBRID = { "X25519MLKEM768" };

	private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

	private final Options options;

	private final List<String> results = new ArrayList<>(List.of(HEADER));

	private HandshakeCost(String[] args) {
		this.options = Options.parse(args, Map.of("handshakes", "150", "rounds", "8", "warm-up", "4", "keys",
				"P-256,RSA-2048", "protocols", "TLSv1.3,TLSv1.2", "sessions", "0", "first", "", "results", ""));
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a handshake fails
	 */
	public static void main(String[] args) throws Exception {
		HandshakeCost cost = new HandshakeCost(args);
		cost.run();
		Rounds.table(cost.results).forEach(System.out::println);
	}

	private void run() throws Exception {
		try (TicketKeys keys = TicketKeys.local(new TicketKeyRotation(Duration.ofHours(12), Duration.ofHours(24)),
				new SecureRandom())) {
			for (String key : this.options.list("keys")) {
				X509Bundle certificate = certificate(key);
				for (String protocol : this.options.list("protocols")) {
					String row = String.join("\t", Runtime.version().feature() + "", key, protocol, "");
					if (!this.options.text("first").isEmpty()) {
						first(certificate, protocol, keys, row + "first");
						continue;
					}
					int sessions = this.options.number("sessions");
					for (boolean resumed : new boolean[] { false, true }) {
						alternate(servers(certificate, protocol, resumed, keys), row + (resumed ? "resumed" : "full")
								+ ((sessions > 0) ? ", " + sessions + " sessions" : ""));
					}
				}
			}
		}
		this.options.append(this.results);
	}

	private void first(X509Bundle certificate, String protocol, TicketKeys keys, String row) throws Exception {
		Implementation implementation = Implementation.valueOf(this.options.text("first"));
		Supplier<SSLEngine> engines = implementation.engines(certificate, keys);
		Server server = new Server(implementation.toString(), engines, client(certificate, protocol, CLASSICAL), false,
				false);
		this.results.add(row + "\t" + server.name + "\t1\t" + server.run(1));
	}

	private List<Server> servers(X509Bundle certificate, String protocol, boolean resumed, TicketKeys keys)
			throws Exception {
		List<Server> servers = new ArrayList<>();
		for (Implementation implementation : Implementation.values()) {
			if (this.options.number("sessions") > 0 && implementation.hasHybrid) {
				// The native servers store no sessions.
				continue;
			}
			Supplier<SSLEngine> engines = implementation.engines(certificate, keys);
			for (String[] groups : List.of(CLASSICAL, HYBRID)) {
				if (groups == CLASSICAL || (implementation.hasHybrid && protocol.equals("TLSv1.3"))) {
					Server server = new Server(implementation + ((groups == HYBRID) ? ", " + HYBRID[0] : ""), engines,
							client(certificate, protocol, groups), resumed, resumed);
					server.store(this.options.number("sessions"));
					if (server.canRun()) {
						servers.add(server);
					}
					else {
						System.err.println("Skipped: " + server.name + " does not resume " + protocol);
					}
				}
			}
		}
		if (!resumed && this.options.number("sessions") == 0) {
			servers.add(endedSessions(certificate, client(certificate, protocol, CLASSICAL)));
		}
		return servers;
	}

	/**
	 * Returns a server whose clients present sessions that have ended.
	 */
	private static Server endedSessions(X509Bundle certificate, SslContext client) throws Exception {
		SessionTokens tokens = new SessionTokens(200_000, null, System::nanoTime);
		Supplier<SSLEngine> engines = Implementation.uncontended(new JdkTlsEngine(tokens, List.of()), certificate);
		return new Server(Implementation.UNCONTENDED_JDK + ", session has ended", () -> {
			tokens.endAll();
			return engines.get();
		}, client, true, false);
	}

	private void alternate(List<Server> servers, String row) throws SSLException {
		int handshakes = this.options.number("handshakes");
		for (int i = 0; i < this.options.number("warm-up"); i++) {
			for (Server server : servers) {
				server.run(handshakes);
			}
		}
		for (int round = 1; round <= this.options.number("rounds"); round++) {
			for (Server server : servers) {
				this.results.add(row + "\t" + server.name + "\t" + round + "\t" + server.run(handshakes));
			}
		}
	}

	private static X509Bundle certificate(String key) throws Exception {
		CertificateBuilder builder = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true);
		return (key.equals("P-256") ? builder.ecp256() : builder.rsa2048()).buildSelfSigned();
	}

	private static SslContext client(X509Bundle certificate, String protocol, String[] groups) throws Exception {
		return SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL)
			.trustManager(certificate.toTrustManagerFactory())
			.endpointIdentificationAlgorithm(null)
			.protocols(protocol)
			.option(OpenSslContextOption.GROUPS, groups)
			.build();
	}

	/**
	 * The compared implementations of the server's side.
	 */
	private enum Implementation {

		/** The JDK's {@code SSLContext}: an application without Uncontended. */
		JDK("JDK, without Uncontended", false),

		/** Uncontended with the JDK's engine, whose handshakes it counts. */
		UNCONTENDED_JDK("Uncontended, JDK's engine", false),

		/** Uncontended with BoringSSL. */
		UNCONTENDED_BORINGSSL("Uncontended, BoringSSL", true),

		/** Conscrypt's {@code SSLContext}, without Uncontended. */
		CONSCRYPT("Conscrypt", true);

		private final String label;

		private final boolean hasHybrid;

		Implementation(String label, boolean hasHybrid) {
			this.label = label;
			this.hasHybrid = hasHybrid;
		}

		Supplier<SSLEngine> engines(X509Bundle certificate, TicketKeys keys) throws Exception {
			// The limits of the default configuration.
			SessionTokens tokens = new SessionTokens(200_000, null, System::nanoTime);
			return switch (this) {
				case JDK -> sslContext(SSLContext.getInstance("TLS", "SunJSSE"), certificate);
				case UNCONTENDED_JDK -> uncontended(new JdkTlsEngine(tokens, List.of()), certificate);
				case UNCONTENDED_BORINGSSL ->
					uncontended(new BoringSslTlsEngine(new BoringSslSessions(tokens, keys), List.of()), certificate);
				case CONSCRYPT -> sslContext(SSLContext.getInstance("TLS", Conscrypt.newProvider()), certificate);
			};
		}

		private static Supplier<SSLEngine> sslContext(SSLContext context, X509Bundle certificate) throws Exception {
			context.init(certificate.toKeyManagerFactory().getKeyManagers(),
					certificate.toTrustManagerFactory().getTrustManagers(), null);
			return context::createSSLEngine;
		}

		private static Supplier<SSLEngine> uncontended(TlsEngine engine, X509Bundle certificate) throws Exception {
			RenewableSslContext context = new RenewableSslContext(engine, "TLS",
					new TlsServerId("bench", TlsServerId.Context.APPLICATION), new TlsHandshakes());
			context.engineInit(certificate.toKeyManagerFactory().getKeyManagers(),
					certificate.toTrustManagerFactory().getTrustManagers(), null);
			return context::engineCreateSSLEngine;
		}

		@Override
		public String toString() {
			return this.label;
		}

	}

	/**
	 * A server and its cost.
	 */
	private static final class Server {

		private static final long CLOCK = clockCost();

		private final String name;

		private final Supplier<SSLEngine> engines;

		private final SslContext client;

		private final boolean returning;

		private final boolean resumed;

		private final ByteBuffer toServer = ByteBuffer.allocateDirect(1 << 16);

		private final ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 16);

		private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);

		private int connections;

		private long start;

		private long time;

		private long bytes;

		Server(String name, Supplier<SSLEngine> engines, SslContext client, boolean returning, boolean resumed) {
			this.name = name;
			this.engines = engines;
			this.client = client;
			this.returning = returning;
			this.resumed = resumed;
		}

		/**
		 * Makes two handshakes, so that the client has a session.
		 * @return whether the second is as it should be
		 */
		boolean canRun() throws SSLException {
			handshake(this.returning);
			return handshake(this.returning) == this.resumed;
		}

		void store(int sessions) throws SSLException {
			for (int i = 0; i < sessions; i++) {
				handshake(false);
			}
		}

		/*
		 * What reading the time twice costs.
		 */
		private static long clockCost() {
			long[] costs = new long[10_001];
			for (int i = 0; i < costs.length; i++) {
				long start = THREADS.getCurrentThreadCpuTime();
				costs[i] = THREADS.getCurrentThreadCpuTime() - start;
			}
			Arrays.sort(costs);
			return costs[costs.length / 2];
		}

		/**
		 * Makes handshakes.
		 * @return the median of their CPU times, and of the allocated bytes
		 */
		String run(int handshakes) throws SSLException {
			long[] times = new long[handshakes];
			long[] allocated = new long[handshakes];
			for (int i = 0; i < handshakes; i++) {
				if (handshake(this.returning) != this.resumed && !renewsSession()) {
					throw new IllegalStateException("The handshake with " + this.name + " should "
							+ (this.resumed ? "" : "not ") + "resume a session");
				}
				times[i] = this.time;
				allocated[i] = this.bytes;
			}
			Arrays.sort(times);
			Arrays.sort(allocated);
			return times[handshakes / 2] / 1e3 + "\t" + allocated[handshakes / 2] / 1e3;
		}

		/*
		 * After 64 resumptions, a handshake is full. With TLS 1.2, the client would
		 * present the old session again.
		 */
		private boolean renewsSession() throws SSLException {
			SSLSessionContext sessions = this.client.sessionContext();
			Collections.list(sessions.getIds()).forEach((id) -> sessions.getSession(id).invalidate());
			return this.resumed && !handshake(true) && handshake(true);
		}

		private void begin() {
			this.bytes -= THREADS.getCurrentThreadAllocatedBytes();
			this.start = THREADS.getCurrentThreadCpuTime();
		}

		private void end() {
			this.time += THREADS.getCurrentThreadCpuTime() - this.start - CLOCK;
			this.bytes += THREADS.getCurrentThreadAllocatedBytes();
		}

		/*
		 * The client finds sessions by host and port, so a new host and port cause a full
		 * handshake.
		 */
		private boolean handshake(boolean returning) throws SSLException {
			int port = returning ? 443 : ++this.connections % 60_000 + 1;
			ReferenceCountedOpenSslEngine client = (ReferenceCountedOpenSslEngine) this.client.newEngine(
					UnpooledByteBufAllocator.DEFAULT, (returning ? "" : "n" + this.connections) + "localhost", port);
			// Unlike most clients, Netty's accept no tickets with TLS 1.2 by default.
			SSL.clearOptions(client.sslPointer(), SSL.SSL_OP_NO_TICKET);
			client.beginHandshake();
			this.toServer.clear();
			this.toClient.clear();
			this.time = 0;
			this.bytes = 0;
			begin();
			SSLEngine server = this.engines.get();
			server.setUseClientMode(false);
			server.beginHandshake();
			end();
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
				begin();
				finished |= step(server, this.toServer, this.toClient);
				end();
			}
			begin();
			server.wrap(ByteBuffer.allocate(2), this.toClient);
			end();
			while (this.toClient.position() > 0) {
				step(client, this.toClient, this.toServer);
			}
			boolean resumed = SSL.isSessionReused(client.sslPointer());
			server.closeOutbound();
			server.wrap(ByteBuffer.allocate(0), this.toClient);
			return resumed;
		}

		/**
		 * Reads what the other side has written, and writes, as far as the engine can.
		 * @param source what the other side has written
		 * @param target receives what the engine writes
		 * @return whether the handshake has finished
		 */
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
