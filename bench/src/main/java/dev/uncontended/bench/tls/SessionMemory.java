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
import java.security.KeyPair;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import javax.management.ObjectName;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;

import dev.uncontended.bench.Options;
import dev.uncontended.tls.engine.RenewableSslContext;
import dev.uncontended.tls.handshake.TlsHandshakes;
import dev.uncontended.tls.handshake.TlsServerId;
import dev.uncontended.tls.jdk.JdkTlsEngine;
import dev.uncontended.tls.session.internal.SessionTokens;
import io.netty.handler.ssl.util.InsecureTrustManagerFactory;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.X509Bundle;
import org.jspecify.annotations.Nullable;

/**
 * Measures by how much handshakes enlarge the heap of a server with the JDK's engine,
 * without and with Uncontended, between full collections and after a warm-up. Clients and
 * servers are SSL engines of this process, and nothing refers to a client afterwards.
 * <ul>
 * <li>{@code certificates}: full handshakes, each with a client certificate of its own
 * <li>{@code mixed}: full handshakes, resumptions, full handshakes of clients whose
 * session has ended, and handshakes that the client abandons within its ClientHello or
 * before its response to the server. Connections are closed, or vanish without a close.
 * All sessions end
 * </ul>
 * Half of the handshakes, or more, are TLS 1.2; the others are TLS 1.3. The program also
 * prints the classes whose objects take at least 20 KB more.
 * <p>
 * The arguments have the form {@code name=value}, and all have a default:
 * <ul>
 * <li>{@code certificates}, {@code mixed}: the number of handshakes
 * <li>{@code variants}: {@code without,with} Uncontended
 * <li>{@code results}: a file to which the results are appended
 * </ul>
 */
public final class SessionMemory {

	private static final String HEADER = "java\thandshakes\tserver\tgrowth KB\tsessions\tcounts of the session cache";

	private static final int HANDSHAKES_OF_A_CLIENT = 28;

	private static final char[] PASSWORD = "secret".toCharArray();

	private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

	/** The classes of the gaps between objects: Java 25's, and until Java 18 arrays. */
	private static final Set<String> FILLERS = Set.of("jdk.internal.vm.FillerArray", "jdk.internal.vm.FillerObject",
			"[I");

	/** The bytes and the class in a line of a class histogram. */
	private static final Pattern CLASS = Pattern.compile("(?m)^ *\\d+: +\\d+ +(\\d+) +(\\S+)");

	private final X509Bundle authority = certificate("server").buildSelfSigned();

	private final KeyPair clientKey = certificate("client").buildSelfSigned().getKeyPair();

	private final SessionTokens tokens;

	private final Supplier<SSLEngine> servers;

	private SessionMemory(boolean with) throws Exception {
		this.tokens = new SessionTokens(200_000, null, System::nanoTime);
		KeyManager[] keys = this.authority.toKeyManagerFactory().getKeyManagers();
		TrustManager[] trust = this.authority.toTrustManagerFactory().getTrustManagers();
		RenewableSslContext uncontended = new RenewableSslContext(new JdkTlsEngine(this.tokens, List.of()), "TLS",
				new TlsServerId("bench", TlsServerId.Context.APPLICATION), new TlsHandshakes());
		uncontended.engineInit(keys, trust, null);
		SSLContext jdk = SSLContext.getInstance("TLS");
		jdk.init(keys, trust, null);
		this.servers = with ? uncontended::engineCreateSSLEngine : jdk::createSSLEngine;
	}

	/**
	 * Prints the results.
	 * @param args the arguments
	 * @throws Exception if a handshake fails
	 */
	public static void main(String[] args) throws Exception {
		Options options = Options.parse(args,
				Map.of("certificates", "20000", "mixed", "200000", "variants", "without,with", "results", ""));
		List<String> results = new ArrayList<>(List.of(HEADER));
		for (String variant : options.list("variants")) {
			SessionMemory certificates = new SessionMemory(variant.equals("with"));
			results.add(certificates.measure("certificates\t" + variant, 2000, options.number("certificates"),
					certificates::presentCertificate));
			SessionMemory mixed = new SessionMemory(variant.equals("with"));
			results.add(mixed.measure("mixed\t" + variant, 400, options.number("mixed") / HANDSHAKES_OF_A_CLIENT,
					mixed::connect));
		}
		options.append(results);
		results.forEach(System.out::println);
	}

	private static CertificateBuilder certificate(String name) {
		return new CertificateBuilder().subject("CN=" + name).setIsCertificateAuthority(true).ecp256();
	}

	private String measure(String name, int warmUp, int clients, Client client) throws Exception {
		run(0, warmUp, client);
		// The heap contains such a map at both measurements.
		Map<String, Long> warm = liveClasses(client);
		Map<String, Long> before = liveClasses(client);
		warm.clear();
		long sessions = this.tokens.estimatedSize();
		run(warmUp, warmUp + clients, client);
		Map<String, Long> after = liveClasses(client);
		System.out.println(name);
		for (Map.Entry<String, Long> type : after.entrySet()) {
			long more = (type.getValue() - before.getOrDefault(type.getKey(), 0L)) / 1000;
			System.out.print((more < 20) ? "" : "  " + more + " KB " + type.getKey() + "\n");
		}
		return String.join("\t", Runtime.version().feature() + "", name, (sum(after) - sum(before)) / 1000 + "",
				this.tokens.estimatedSize() - sessions + "", this.tokens.stats() + "");
	}

	private static long sum(Map<String, Long> classes) {
		return classes.values().stream().mapToLong(Long::longValue).sum();
	}

	private static void run(int from, int to, Client client) {
		IntStream.range(from, to).parallel().forEach((number) -> {
			try {
				client.run(number);
			}
			catch (Exception ex) {
				throw new IllegalStateException(ex);
			}
		});
	}

	/*
	 * Returns the bytes of the live objects of each class. The used heap would include
	 * dead objects, because the collector does not always compact. A new connection
	 * removes what belongs to collected ones.
	 */
	private static Map<String, Long> liveClasses(Client client) throws Exception {
		for (int i = 0; i < 3; i++) {
			System.gc();
			Thread.sleep(100);
			client.run(-1 - i);
		}
		String histogram = (String) ManagementFactory.getPlatformMBeanServer()
			.invoke(new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram",
					new Object[] { null }, new String[] { String[].class.getName() });
		Map<String, Long> classes = new TreeMap<>();
		CLASS.matcher(histogram)
			.results()
			.filter((line) -> !FILLERS.contains(line.group(2)))
			.forEach((line) -> classes.merge(line.group(2), Long.parseLong(line.group(1)), Long::sum));
		return classes;
	}

	private void presentCertificate(int number) throws Exception {
		X509Bundle certificate = certificate("client-" + number).keyPair(this.clientKey).buildIssuedBy(this.authority);
		KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
		// PKCS #12 would derive a key from the password 10,000 times.
		keys.init(certificate.toKeyStore("JKS", PASSWORD), PASSWORD);
		String protocol = (number % 2 == 0) ? "TLSv1.3" : "TLSv1.2";
		Connection connection = new Connection(client(keys.getKeyManagers()), protocol);
		connection.server.setNeedClientAuth(true);
		connection.complete();
		connection.server.getSession().getPeerCertificates();
		connection.close();
	}

	private void connect(int number) throws Exception {
		for (String protocol : List.of("TLSv1.3", "TLSv1.2")) {
			SSLContext client = client(null);
			new Connection(client, protocol).complete().close();
			// Without key exchanges, TLS 1.2 takes the least time.
			for (int i = 0; i < (protocol.equals("TLSv1.3") ? 1 : 15); i++) {
				new Connection(client, protocol).complete().close();
			}
			this.tokens.remove(new Connection(client, protocol).complete().server.getSession());
			this.tokens.remove(new Connection(client, protocol).complete().server.getSession());
			new Connection(client, protocol).exchange();
			new Connection(client, protocol).exchange();
			new Connection(client, protocol).sendHalfOfClientHello();
		}
	}

	private static SSLContext client(KeyManager @Nullable [] keys) throws Exception {
		SSLContext client = SSLContext.getInstance("TLS");
		client.init(keys, InsecureTrustManagerFactory.INSTANCE.getTrustManagers(), null);
		return client;
	}

	/** What the client with a number does. */
	private interface Client {

		void run(int number) throws Exception;

	}

	private final class Connection {

		private final SSLEngine client;

		private final SSLEngine server = SessionMemory.this.servers.get();

		private final ByteBuffer toServer = ByteBuffer.allocate(1 << 15);

		private final ByteBuffer toClient = ByteBuffer.allocate(1 << 15);

		private final ByteBuffer data = ByteBuffer.allocate(1 << 15);

		Connection(SSLContext context, String protocol) throws Exception {
			this.client = context.createSSLEngine("localhost", 443);
			this.client.setUseClientMode(true);
			this.client.setEnabledProtocols(new String[] { protocol });
			this.client.beginHandshake();
			this.server.setUseClientMode(false);
		}

		Connection complete() throws Exception {
			boolean progress;
			do {
				progress = exchange();
			}
			while (progress);
			return this;
		}

		void close() throws Exception {
			this.server.closeOutbound();
			complete();
			this.client.closeOutbound();
			complete();
		}

		/**
		 * Lets the client read and write what it can, and then the server.
		 * @return whether one of them did
		 */
		boolean exchange() throws Exception {
			boolean progress = step(this.client, this.toClient, this.toServer);
			return step(this.server, this.toServer, this.toClient) || progress;
		}

		void sendHalfOfClientHello() throws Exception {
			step(this.client, this.toClient, this.toServer);
			// The record's header has five bytes, of which the last two are its length.
			int half = this.toServer.getShort(3) / 2;
			this.toServer.putShort(3, (short) half).position(5 + half);
			step(this.server, this.toServer, this.toClient);
		}

		private boolean step(SSLEngine engine, ByteBuffer source, ByteBuffer target) throws Exception {
			for (boolean progress = false;; progress = true) {
				switch (engine.getHandshakeStatus()) {
					case NEED_TASK -> engine.getDelegatedTask().run();
					case NEED_WRAP -> {
						if (engine.wrap(NOTHING, target).bytesProduced() == 0 && engine.isOutboundDone()) {
							return progress;
						}
					}
					default -> {
						int consumed = engine.unwrap(source.flip(), this.data).bytesConsumed();
						source.compact();
						if (consumed == 0) {
							return progress;
						}
					}
				}
			}
		}

	}

}
