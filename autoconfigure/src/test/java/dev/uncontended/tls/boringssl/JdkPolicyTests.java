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

package dev.uncontended.tls.boringssl;

import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.TestKeyStore;
import dev.uncontended.tls.session.internal.TestSessions;
import io.netty.pkitesting.X509Bundle;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that BoringSSL does not use what the JDK's properties disable, with OpenSSL's
 * client. Properties that the JDK reads once are set in separate JVMs.
 */
@EnabledIf("isOpenSslInstalled")
@Tag("integration")
class JdkPolicyTests {

	@TempDir
	static Path directory;

	static TestKeyStore server;

	@BeforeAll
	static void createKeyStore() {
		server = TestKeyStore.create(directory.resolve("server.p12"), "server.test");
	}

	@Test
	void permitsAllGroupsOfBoringSslByDefault() {
		assertThat(JdkPolicy.ALLOWED_GROUPS).containsExactly("X25519MLKEM768", "x25519", "secp256r1", "secp384r1",
				"secp521r1");
		assertThat(JdkPolicy.ALLOWED_SIGNATURE_SCHEMES).contains("ecdsa_secp256r1_sha256", "rsa_pss_rsae_sha256");
	}

	/*
	 * Permitted by the JDK up to version 24.
	 */
	@ParameterizedTest
	@CsvSource({ "EC:secp256r1, ECDSA+SHA1", "RSA:2048, RSA+SHA1" })
	void neverSignsWithSha1(String keyType, String algorithm) throws Exception {
		TestCertificate certificate = TestCertificate.issuedBy(TestCertificate.authority("authority"), keyType,
				"localhost");
		SSLContext context = Contexts
			.create(new BoringSslTlsEngine(new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()),
					List.of()), certificate.keyManagers(), null);
		try (SslServer sslServer = new SslServer(context::createSSLEngine)) {
			for (String algorithms : List.of(algorithm, algorithm + ":" + algorithm.replace("SHA1", "SHA256"))) {
				CommandLine.openSslClient(sslServer.port(), "x", "-ign_eof", "-tls1_2", "-sigalgs", algorithms,
						"-cipher", "DEFAULT@SECLEVEL=0");
			}
			Awaitility.await().untilAsserted(() -> assertThat(sslServer.failed()).isEqualTo(1));
			assertThat(sslServer.full()).isEqualTo(1);
		}
	}

	/*
	 * Documented: the signatures that BoringSSL accepts cannot be configured.
	 */
	@Test
	void acceptsClientSignaturesWithRsaAndSha1() throws Exception {
		X509Bundle authority = TestCertificate.authority("authority");
		TestCertificate client = TestCertificate.issuedBy(authority, "RSA:2048", "client");
		Path store = directory.resolve("client.p12");
		try (OutputStream out = Files.newOutputStream(store)) {
			TestCertificate.keyStore(client).store(out, "changeit".toCharArray());
		}
		Path pem = directory.resolve("client.pem");
		CommandLine.run("", List.of("openssl", "pkcs12", "-in", store.toString(), "-passin", "pass:changeit", "-nodes",
				"-out", pem.toString()));
		SSLContext context = Contexts.create(
				new BoringSslTlsEngine(new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()),
						List.of()),
				Contexts.keyManagers(server), TestCertificate.trustManagers(authority.getCertificate()));
		try (SslServer sslServer = new SslServer(() -> {
			SSLEngine engine = context.createSSLEngine();
			engine.setNeedClientAuth(true);
			return engine;
		})) {
			CommandLine.openSslClient(sslServer.port(), "x", "-ign_eof", "-tls1_2", "-cert", pem.toString(), "-sigalgs",
					"RSA+SHA1:ECDSA+SHA256", "-cipher", "DEFAULT@SECLEVEL=0");
			assertThat(sslServer.full()).isEqualTo(1);
		}
	}

	@ParameterizedTest
	@Tag("product")
	@CsvSource(delimiter = '|', textBlock = """
			-Djdk.tls.namedGroups=secp384r1,secp256r1 | | -groups P-384 | TLSv1.3
			-Djdk.tls.namedGroups=secp384r1,secp256r1 | | -groups X25519 | (NONE)
			-Djdk.tls.namedGroups=secp384r1,secp256r1 | | -tls1_2 -groups X25519 | (NONE)
			| x25519 | -groups X25519 | (NONE)
			| x25519 | -groups X25519:P-256 | TLSv1.3
			| TLS_AES_128_GCM_SHA256 | -ciphersuites TLS_AES_128_GCM_SHA256 | TLSv1.2
			| TLS_AES_128_GCM_SHA256 | -tls1_3 | (NONE)
			| TLSv1.3 | -tls1_3 | (NONE)
			| TLSv1.2 | -tls1_2 | (NONE)
			| TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384 | -tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384 | (NONE)
			-Djdk.tls.server.SignatureSchemes=rsa_pkcs1_sha256 | | -tls1_2 | (NONE)
			-Djdk.tls.server.SignatureSchemes=ecdsa_secp256r1_sha256 | | -tls1_2 | TLSv1.2
			""")
	void appliesJdkProperties(String property, String disabled, String client, String agreed) throws Exception {
		Path security = directory.resolve("security.properties");
		Files.writeString(security, (disabled != null)
				? "jdk.tls.disabledAlgorithms=SSLv3, TLSv1, TLSv1.1, RC4, 3DES_EDE_CBC, anon, NULL, " + disabled : "");
		List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
				"-Djava.security.properties=" + security, "-cp", System.getProperty("java.class.path")));
		if (property != null) {
			command.add(property);
		}
		command.addAll(List.of(TwoHandshakes.class.getName(), directory.resolve("server.p12").toString()));
		command.addAll(List.of(client.split(" ")));
		assertThat(CommandLine.run("", command)).contains("by default, agreed on " + agreed + ", Cipher is",
				"all enabled, agreed on " + agreed + ", Cipher is");
	}

	/*
	 * Documented: BoringSSL cannot disable the signatures of clients.
	 */
	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			jdk.tls.disabledAlgorithms=SHA1, rsa_pkcs1_sha256, ecdsa_secp384r1_sha384 | rsa_pkcs1_sha256
			jdk.tls.disabledAlgorithms=SSLv3, TLSv1, TLSv1.1 | authenticates clients
			""")
	void doesNotStartIfClientsMayUseDisabledSignatures(String disabled, String result) throws Exception {
		assertThat(inNewJvm(disabled, "need")).contains(result);
	}

	@Test
	void explainsUnusableGroups() throws Exception {
		assertThat(inNewJvm("", "need", "-Djdk.tls.namedGroups=x448,ffdhe2048"))
			.contains("The JDK's properties permit none of the groups that BoringSSL supports");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', textBlock = """
			X25519MLKEM768 | | [x25519, secp256r1, secp384r1, secp521r1, MLKEM1024]
			x25519, MLKEM1024 | | [secp256r1, secp384r1, secp521r1]
			SSLv3 | secp256r1,MLKEM1024 | [secp256r1, MLKEM1024]
			SSLv3 | x25519,X25519MLKEM768 | [X25519MLKEM768, x25519]
			SSLv3 | x25519,*MLKEM1024 | [x25519, MLKEM1024]
			""")
	void appliesJdkPropertiesToPostQuantumGroups(String disabled, String named, String groups) throws Exception {
		String property = "-Djdk.tls.namedGroups=" + ((named != null) ? named : "");
		assertThat(inNewJvm("jdk.tls.disabledAlgorithms=" + disabled, "groups", property)).contains(groups);
	}

	private static String inNewJvm(String securityProperties, String script, String... properties) throws Exception {
		Path security = directory.resolve("security.properties");
		Files.writeString(security, securityProperties);
		List<String> command = new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin/java").toString(),
				"-Djava.security.properties=" + security, "-cp", System.getProperty("java.class.path")));
		command.addAll(List.of(properties));
		command.addAll(List.of(OneEngine.class.getName(), directory.resolve("server.p12").toString(), script));
		return CommandLine.run("", command);
	}

	static boolean isOpenSslInstalled() {
		return CommandLine.isInstalled("openssl");
	}

	/**
	 * Connects with OpenSSL's client to an engine with its default protocols and cipher
	 * suites, and to an engine with all that it supports. Prints the negotiated
	 * parameters.
	 */
	static final class TwoHandshakes {

		public static void main(String[] arguments) throws Exception {
			TestKeyStore key = TestKeyStore.create(Path.of(arguments[0] + ".child"), "server.test");
			SSLContext context = Contexts.create("host",
					new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()), key);
			List<String> options = new ArrayList<>(List.of(arguments).subList(1, arguments.length));
			options.add("-ign_eof");
			connect("by default", context::createSSLEngine, options);
			connect("all enabled", () -> {
				SSLEngine engine = context.createSSLEngine();
				engine.setEnabledProtocols(JdkPolicy.newEngine().getSupportedProtocols());
				engine.setEnabledCipherSuites(JdkPolicy.newEngine().getSupportedCipherSuites());
				return engine;
			}, options);
			System.exit(0);
		}

		private static void connect(String enabled, Supplier<SSLEngine> engines, List<String> options)
				throws Exception {
			try (SslServer server = new SslServer(engines)) {
				String output = CommandLine.openSslClient(server.port(), "x", options.toArray(String[]::new));
				System.out.println(output.replace("New, ", enabled + ", agreed on "));
			}
		}

	}

	/**
	 * Runs a script with one engine of BoringSSL.
	 */
	static final class OneEngine {

		public static void main(String[] arguments) throws Exception {
			TestKeyStore key = TestKeyStore.create(Path.of(arguments[0] + ".one"), "server.test");
			SSLEngine server = Contexts
				.create("host", new BoringSslSessions(TestSessions.cache(), new TestTicketKeys().keys()), key, key)
				.createSSLEngine();
			System.out.println(run(arguments[1], server));
			System.exit(0);
		}

		private static String run(String script, SSLEngine server) {
			if (script.equals("groups")) {
				return JdkPolicy.availableGroups().toString();
			}
			try {
				server.setNeedClientAuth(true);
				server.beginHandshake();
				return "authenticates clients";
			}
			catch (SSLException ex) {
				return ex.getMessage();
			}
		}

	}

}
