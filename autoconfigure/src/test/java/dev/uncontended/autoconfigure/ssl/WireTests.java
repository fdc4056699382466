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

import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.wire.Behavior;
import dev.uncontended.tls.wire.Behavior.Comparison;
import dev.uncontended.tls.wire.Behaviors;
import dev.uncontended.tls.wire.ClientIdentity;
import dev.uncontended.tls.wire.Outcome;
import io.netty.pkitesting.CertificateBuilder;
import io.netty.pkitesting.CertificateBuilder.Algorithm;
import io.netty.pkitesting.X509Bundle;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that both engines behave alike on the wire: the same response, the same alert,
 * and the connection closed or left open, whatever the client does.
 */
@Tag("integration")
@Tag("product")
class WireTests {

	/**
	 * How long a client waits for data. Shorter than the idle timeouts of the servers.
	 */
	private static final Duration PATIENCE = Duration.ofSeconds(2);

	private static final Duration PATIENCE_IF_BUSY = Duration.ofSeconds(9);

	private static final int REPETITIONS = 3;

	private static final String NO_RECORD_BEFORE_HELLO = "No other record may precede the hello";

	private static final String HALF_CLOSED = "BoringSSL answers, and Reactor Netty keeps the connection half open";

	/**
	 * Behavior to which our BoringSSL responds neither like the JDK nor like Netty's,
	 * with the reason.
	 */
	private static final Map<String, String> DIFFERENT = Map.ofEntries(
			Map.entry("close_notify first", NO_RECORD_BEFORE_HELLO),
			Map.entry("a warning first", NO_RECORD_BEFORE_HELLO),
			Map.entry("a warning, then a hello", NO_RECORD_BEFORE_HELLO),
			Map.entry("user_canceled, then a hello", NO_RECORD_BEFORE_HELLO),
			Map.entry("an alert of one byte first", NO_RECORD_BEFORE_HELLO),
			Map.entry("close_notify after the handshake", HALF_CLOSED),
			Map.entry("data after close_notify", HALF_CLOSED),
			Map.entry("a corrupt record after close_notify", HALF_CLOSED), Map.entry("close_notify twice", HALF_CLOSED),
			Map.entry("a record that says 65,535 bytes after the handshake", "RFC 9846 section 5.1: record_overflow"),
			Map.entry("no signature algorithms", "Netty signs with SHA-1, and the JDK sends internal_error"),
			Map.entry("eleven client certificates", "Neither Netty nor Java 17 has the limit of Java 25"), Map.entry(
					"a client certificate of 40,000 bytes", "Netty lacks the limit, and the JDK sends another alert"));

	@TempDir
	static Path directory;

	private static final List<ConfigurableApplicationContext> contexts = new ArrayList<>();

	private static final List<Behavior> behaviors = Behaviors.all();

	private static final Engine jdk = new Engine("jdk", new HashMap<>(), new LinkedHashMap<>());

	private static final Engine boringSsl = new Engine("boringssl", new HashMap<>(), new LinkedHashMap<>());

	/** Reactor Netty with BoringSSL as Netty configures it. */
	private static final Engine netty = new Engine("", new HashMap<>(), new LinkedHashMap<>());

	private static final ExecutorService clients = Executors.newFixedThreadPool(32);

	private static Map<String, ClientIdentity> identities = Map.of();

	@BeforeAll
	static void start() throws Exception {
		TestKeyStore keyStore = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
		identities = identities(keyStore);
		for (TestServer server : TestServer.values()) {
			for (boolean clientAuth : new boolean[] { false, true }) {
				Listener listener = new Listener(server, clientAuth);
				start(listener, jdk, keyStore);
				start(listener, boringSsl, keyStore);
				if (server == TestServer.NETTY) {
					start(listener, netty, keyStore);
				}
			}
		}
	}

	@AfterAll
	static void stop() {
		clients.shutdownNow();
		contexts.forEach(ConfigurableApplicationContext::close);
	}

	private static void start(Listener listener, Engine engine, TestKeyStore keyStore) throws Exception {
		List<String> arguments = new ArrayList<>(List.of("--server.address=127.0.0.1", "--server.port=0",
				"--logging.level.root=off", "--uncontended.ssl.engine=" + engine.name, "--server.ssl.bundle=web",
				"--server.http2.enabled=" + !listener.clientAuth,
				"--server.ssl.client-auth=" + (listener.clientAuth ? "need" : "none")));
		arguments.addAll(AbstractTlsServerTests.bundle("web", keyStore));
		ConfigurableApplicationContext context = new SpringApplicationBuilder(listener.server.application(),
				AbstractTlsServerTests.BoringSsl.class)
			.web(listener.server.type())
			.run(arguments.toArray(String[]::new));
		contexts.add(context);
		engine.ports.put(listener, TestServer.webServer(context).getPort());
		for (boolean tls13 : new boolean[] { false, true }) {
			run(new Case(listener, tls13, behaviors.get(0)), engine, PATIENCE_IF_BUSY);
		}
		for (Behavior behavior : behaviors) {
			for (boolean tls13 : new boolean[] { false, true }) {
				Case each = new Case(listener, tls13, behavior);
				engine.outcomes.put(each, clients.submit(() -> run(each, engine, PATIENCE)));
			}
		}
	}

	private static Outcome run(Case each, Engine engine, Duration patience) throws Exception {
		Outcome outcome = each.behavior.run(engine.ports.get(each.listener), each.tls13,
				each.listener.clientAuth ? "http/1.1" : "h2", identities.get(each.behavior.identity()), patience);
		return each.listener.isClosedConcurrently() ? outcome.withoutAlertsAfterResponse() : outcome;
	}

	private static Map<String, ClientIdentity> identities(TestKeyStore keyStore) throws Exception {
		PrivateKey key = (PrivateKey) keyStore.keyStore().getKey("test", TestKeyStore.PASSWORD.toCharArray());
		X509Bundle authority = X509Bundle.fromRootCertificateAuthority(keyStore.certificate(),
				new KeyPair(keyStore.certificate().getPublicKey(), key));
		CertificateBuilder builder = new CertificateBuilder().subject("CN=client").addExtendedKeyUsageClientAuth();
		ClientIdentity trusted = identity(builder.copy().ecp256().buildIssuedBy(authority), 0x403, "SHA256withECDSA");
		X509Bundle ed25519 = builder.copy()
			.algorithm(Algorithm.ed25519)
			.setIsCertificateAuthority(true)
			.buildIssuedBy(authority);
		X509Bundle signedByEd25519 = builder.copy().ecp256().buildIssuedBy(ed25519);
		byte[][] eleven = new byte[11][];
		Arrays.fill(eleven, keyStore.certificate().getEncoded());
		eleven[0] = trusted.chain().get(0);
		Instant now = Instant.now();
		Map<String, ClientIdentity> all = new HashMap<>();
		all.put("signed by Ed25519", identity(signedByEd25519, 0x403, "SHA256withECDSA")
			.withChain(signedByEd25519.getCertificate().getEncoded(), ed25519.getCertificate().getEncoded()));
		all.put("eleven", trusted.withChain(eleven));
		all.put("large",
				identity(builder.copy()
					.ecp256()
					.addExtensionOctetString("1.3.6.1.4.1.99999.1", false, new byte[40_000])
					.buildIssuedBy(authority), 0x403, "SHA256withECDSA"));
		all.putAll(Map.of("trusted", trusted, "none", trusted.withChain(), "garbage", trusted.withChain(new byte[100]),
				"untrusted",
				identity(builder.copy().ecp256().setIsCertificateAuthority(true).buildSelfSigned(), 0x403,
						"SHA256withECDSA"),
				"expired",
				identity(builder.copy()
					.ecp256()
					.notBefore(now.minusSeconds(3600))
					.notAfter(now.minusSeconds(60))
					.buildIssuedBy(authority), 0x403, "SHA256withECDSA"),
				"ed25519",
				identity(builder.copy().algorithm(Algorithm.ed25519).buildIssuedBy(authority), 0x807, "Ed25519"), "rsa",
				identity(builder.copy().rsa2048().buildIssuedBy(authority), 0x804, "RSASSA-PSS"), "p384",
				identity(builder.copy().algorithm(Algorithm.ecp384).buildIssuedBy(authority), 0x503, "SHA384withECDSA"),
				"p521", identity(builder.copy().keyPair(p521()).buildIssuedBy(authority), 0x603, "SHA512withECDSA")));
		return all;
	}

	private static KeyPair p521() throws GeneralSecurityException {
		KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
		generator.initialize(521);
		return generator.generateKeyPair();
	}

	private static ClientIdentity identity(X509Bundle bundle, int scheme, String algorithm)
			throws GeneralSecurityException {
		return ClientIdentity.of(bundle.getCertificate(), bundle.getKeyPair().getPrivate(), scheme, algorithm);
	}

	static List<Behavior> behaviors() {
		return behaviors;
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("behaviors")
	void boringSslBehavesLikeJdkOrLikeNettysEngine(Behavior behavior) throws Exception {
		List<String> different = new ArrayList<>();
		String reason = DIFFERENT.get(behavior.name().replaceFirst(" \\(.*", ""));
		for (Case each : netty.outcomes.keySet()) {
			if (each.behavior == behavior && reason == null) {
				Outcome ours = boringSsl.outcomes.get(each).get();
				Outcome jdks = jdk.outcomes.get(each).get();
				Outcome nettys = netty.outcomes.get(each).get();
				boolean alike = ours.isLikeOrCloses(jdks) || ours.isLikeOrCloses(nettys);
				for (int i = 0; i < REPETITIONS && !alike && each.isRepeatable(ours, jdks, nettys); i++) {
					ours = run(each, boringSsl, PATIENCE_IF_BUSY);
					jdks = run(each, jdk, PATIENCE_IF_BUSY);
					nettys = run(each, netty, PATIENCE_IF_BUSY);
					alike = ours.isLikeOrCloses(jdks) || ours.isLikeOrCloses(nettys);
				}
				if (!alike) {
					different.add("%s: %s, but with the JDK's engine %s, and with Netty's %s".formatted(each, ours,
							jdks, nettys));
				}
			}
		}
		assertThat(different).isEmpty();
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("behaviors")
	void enginesBehaveAlike(Behavior behavior) throws Exception {
		List<String> different = new ArrayList<>();
		boolean equal = true;
		for (Case each : jdk.outcomes.keySet()) {
			if (each.behavior == behavior) {
				Outcome one = jdk.outcomes.get(each).get();
				Outcome other = boringSsl.outcomes.get(each).get();
				boolean met = behavior.comparison().isMet(one, other);
				for (int i = 0; i < REPETITIONS && !met && each.isRepeatable(one, other); i++) {
					one = run(each, jdk, PATIENCE_IF_BUSY);
					other = run(each, boringSsl, PATIENCE_IF_BUSY);
					met = behavior.comparison().isMet(one, other);
				}
				equal &= one.equals(other);
				if (!met) {
					different.add("%s: with the JDK's engine %s, with BoringSSL %s".formatted(each, one, other));
				}
			}
		}
		assertThat(different).isEmpty();
		if (behavior.comparison() == Comparison.UNLIKE) {
			assertThat(equal).as("engines do not differ any more").isFalse();
		}
	}

	/**
	 * A server that either requires client certificates or negotiates HTTP/2.
	 */
	record Listener(TestServer server, boolean clientAuth) {

		/**
		 * Returns whether the end of a connection may differ between two runs: one thread
		 * of Tomcat closes an HTTP/2 connection while another still uses the same buffer
		 * for writing. With either engine, the last alert may then be missing, or a
		 * record may be sent twice.
		 */
		boolean isClosedConcurrently() {
			return this.server == TestServer.TOMCAT && !this.clientAuth;
		}

	}

	/**
	 * The servers with one engine, and their behavior.
	 */
	record Engine(String name, Map<Listener, Integer> ports, Map<Case, Future<Outcome>> outcomes) {

	}

	/**
	 * The behavior of a client towards a server.
	 */
	record Case(Listener listener, boolean tls13, Behavior behavior) {

		/**
		 * Returns whether one of the outcomes may be due to a race of the server, or to a
		 * client that did not wait long enough.
		 */
		boolean isRepeatable(Outcome... outcomes) {
			return this.listener.isClosedConcurrently() || Arrays.stream(outcomes).anyMatch(Outcome::isLeftOpen);
		}

		@Override
		public String toString() {
			return "%s %s %s".formatted(this.listener.server, this.listener.clientAuth ? "CLIENT_AUTH" : "HTTP2",
					this.tls13 ? "TLSv1.3" : "TLSv1.2");
		}

	}

}
