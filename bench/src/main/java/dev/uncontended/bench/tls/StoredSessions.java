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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSessionContext;

import dev.uncontended.bench.Options;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.SslSessionCache;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import io.netty.util.ReferenceCountUtil;

/**
 * Counts the sessions that a server with the JDK's engine stores after full handshakes
 * with clients that connect once, and measures their memory: live objects in the heap,
 * after a collection, less those before. Each variant runs in memory, with a client that
 * uses BoringSSL and stores no sessions.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * {@code protocols}, {@code variants}, {@code handshakes}, and {@code results}, a file to
 * which the results are appended. With the arguments {@code table FILE}, prints the table
 * of results.
 */
public final class StoredSessions {

	private static final String HEADER = "java\tprotocol\tvariant\thandshakes\tentries\tids\theap bytes";

	private static final String TICKETS = "jdk.tls.server.enableSessionTicketExtension";

	/** Handshakes before the first look, which load classes. */
	private static final int WARM_UP = 200;

	private final ByteBuffer toServer = ByteBuffer.allocateDirect(1 << 16);

	private final ByteBuffer toClient = ByteBuffer.allocateDirect(1 << 16);

	private final ByteBuffer in = ByteBuffer.allocateDirect(1 << 16);

	private StoredSessions() {
	}

	/**
	 * Prints the table.
	 * @param args the arguments
	 * @throws Exception if a handshake fails
	 */
	public static void main(String[] args) throws Exception {
		if (args.length == 2 && args[0].equals("table")) {
			table(Files.readAllLines(Path.of(args[1]))).forEach(System.out::println);
			return;
		}
		Options options = Options.parse(args, Map.of("protocols", "TLSv1.3,TLSv1.2", "variants",
				"tickets,jdk,uncontended", "handshakes", "40960", "results", ""));
		X509Bundle certificate = new CertificateBuilder().subject("CN=localhost")
			.addSanDnsName("localhost")
			.setIsCertificateAuthority(true)
			.ecp256()
			.buildSelfSigned();
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (String protocol : options.list("protocols")) {
			for (String variant : options.list("variants")) {
				results.add(String.join("\t", String.valueOf(Runtime.version().feature()), protocol, variant,
						new StoredSessions().measure(Variant.valueOf(variant.toUpperCase(Locale.ROOT)), certificate,
								protocol, options.number("handshakes"))));
				System.err.println(results.get(results.size() - 1));
			}
		}
		options.append(results);
		table(results).forEach(System.out::println);
	}

	private String measure(Variant variant, X509Bundle certificate, String protocol, int handshakes) throws Exception {
		SslSessionCache cache = SslSessionCache.builder().build();
		System.setProperty(TICKETS, Boolean.toString(variant == Variant.TICKETS));
		Server server = variant.server(certificate.toKeyManagerFactory().getKeyManagers(), cache);
		SslContext clients = SslContextBuilder.forClient()
			.sslProvider(SslProvider.OPENSSL_REFCNT)
			.trustManager(certificate.toTrustManagerFactory())
			.protocols(protocol)
			.endpointIdentificationAlgorithm(null)
			.sessionCacheSize(1)
			.build();
		run(clients, server, WARM_UP);
		long before = liveBytes();
		run(clients, server, handshakes);
		long bytes = liveBytes() - before;
		int ids = Collections.list(server.sessions().getIds()).size();
		ReferenceCountUtil.release(clients);
		return handshakes + WARM_UP + "\t" + cache.estimatedSize() + "\t" + ids + "\t" + bytes;
	}

	private static long liveBytes() {
		for (int i = 0; i < 3; i++) {
			System.gc();
		}
		return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
	}

	private void run(SslContext clients, Server server, int handshakes) throws SSLException {
		for (int i = 0; i < handshakes; i++) {
			SSLEngine client = clients.newEngine(UnpooledByteBufAllocator.DEFAULT);
			try {
				handshake(client, server.engines().get());
			}
			finally {
				ReferenceCountUtil.release(client);
			}
		}
	}

	private void handshake(SSLEngine client, SSLEngine server) throws SSLException {
		this.toServer.clear();
		this.toClient.clear();
		client.beginHandshake();
		server.setUseClientMode(false);
		server.beginHandshake();
		boolean finished = false;
		for (int i = 0; !finished || client.getHandshakeStatus() != HandshakeStatus.NOT_HANDSHAKING; i++) {
			if (i == 10) {
				throw new IllegalStateException("The handshake did not complete");
			}
			InMemoryTls.step(client, this.toClient, this.toServer, this.in);
			if (client.getHandshakeStatus() == HandshakeStatus.NEED_UNWRAP) {
				// Netty's engine notices the end of the handshake with the next call.
				client.unwrap(ByteBuffer.allocate(0), this.in);
			}
			finished |= InMemoryTls.step(server, this.toServer, this.toClient, this.in);
		}
		server.closeOutbound();
	}

	/**
	 * Returns the table of results.
	 * @param results the lines of the file with results
	 * @return the lines of the table
	 */
	public static List<String> table(List<String> results) {
		List<String> lines = new ArrayList<>(List.of(
				"| Java | protocol | sessions | handshakes | entries of the session cache | sessions of the JDK | heap, MB | heap per session, bytes |",
				"|---|---|---|---|---|---|---|---|"));
		results.stream().skip(1).map((line) -> line.split("\t")).forEach((cells) -> {
			int stored = Integer.parseInt(cells[5]);
			long bytes = Long.parseLong(cells[6]);
			lines.add(String.format(Locale.ROOT, "| %s | %s | %s | %s | %s | %d | %.1f | %s |", cells[0], cells[1],
					Variant.valueOf(cells[2].toUpperCase(Locale.ROOT)).label, cells[3], cells[4], stored, bytes / 1e6,
					(stored > 0) ? bytes / stored : ""));
		});
		return lines;
	}

	/**
	 * A server's engines, and the sessions of the JDK.
	 */
	private record Server(Supplier<SSLEngine> engines, SSLSessionContext sessions) {

	}

	/**
	 * Where the sessions are.
	 */
	private enum Variant {

		/** In the clients' tickets, with Uncontended. */
		TICKETS("in tickets, Uncontended") {

			@Override
			Server server(KeyManager[] keys, SslSessionCache cache) throws Exception {
				return UNCONTENDED.server(keys, cache);
			}

		},

		/** In the JDK's own cache, without Uncontended. */
		JDK("stored, without Uncontended") {

			@Override
			Server server(KeyManager[] keys, SslSessionCache cache) throws Exception {
				SSLContext context = SSLContext.getInstance("TLS");
				context.init(keys, null, null);
				return new Server(context::createSSLEngine, context.getServerSessionContext());
			}

		},

		/** In the session cache. */
		UNCONTENDED("stored, Uncontended") {

			@Override
			Server server(KeyManager[] keys, SslSessionCache cache) throws Exception {
				RenewableSslContext context = new RenewableSslContext(new JdkTlsEngine(), "TLS",
						new TlsServerId("bench", TlsServerId.Context.APPLICATION), new TlsHandshakes(), cache);
				context.engineInit(keys, null, null);
				return new Server(context::engineCreateSSLEngine, context.current().sessions());
			}

		};

		private final String label;

		Variant(String label) {
			this.label = label;
		}

		abstract Server server(KeyManager[] keys, SslSessionCache cache) throws Exception;

	}

}
