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

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

import dev.uncontended.tls.CommandLine;
import dev.uncontended.tls.LiveInstances;
import dev.uncontended.tls.TestKeyStore;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what clients of servers with BoringSSL can negotiate, and for the ends of
 * their connections.
 */
@ParameterizedClass
@EnumSource
@EnabledIf("isOpenSslInstalled")
class BoringSslClientTests extends AbstractTlsServerTests {

	private static final String OPTIONS = "--spring.ssl.bundle.jks.web.options.";

	private static final String ENGINE = "io.netty.handler.ssl.ReferenceCountedOpenSslEngine";

	BoringSslClientTests(TestServer server) {
		super(server, "boringssl");
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "-", textBlock = """
			- | -tls1 -cipher DEFAULT@SECLEVEL=0 | (NONE)
			- | -tls1_1 -cipher DEFAULT@SECLEVEL=0 | (NONE)
			- | -tls1_2 -cipher AES128-SHA:DHE:NULL:PSK:@SECLEVEL=0 | (NONE)
			- | -tls1_2 -cipher ECDHE-ECDSA-CAMELLIA128-SHA256:ECDHE-ECDSA-AES128-CCM | (NONE)
			- | -tls1_2 -groups X448:P-256 | ECDHE
			- | -tls1_3 -groups X448:ffdhe2048 | (NONE)
			- | -tls1_2 -sigalgs ECDSA+SHA1 -cipher DEFAULT@SECLEVEL=0 | (NONE)
			enabled-protocols=TLSv1.2 | -tls1_3 | (NONE)
			enabled-protocols=TLSv1.2 | -tls1_2 | ECDHE
			enabled-protocols=TLSv1.3 | -tls1_2 | (NONE)
			enabled-protocols=TLSv1.3 | -tls1_3 | TLS_AES
			ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 | -tls1_3 | (NONE)
			ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 | -tls1_2 -cipher ECDHE-ECDSA-AES256-GCM-SHA384 | (NONE)
			ciphers=TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256 | -tls1_2 | ECDHE-ECDSA-AES128-GCM-SHA256
			ciphers=TLS_AES_128_GCM_SHA256 | -tls1_2 | (NONE)
			ciphers=TLS_AES_128_GCM_SHA256 | -tls1_3 | TLS_AES
			""")
	void negotiatesWhatServerEnables(String option, String client, String cipher) throws Exception {
		share((option != null) ? new String[] { OPTIONS + option } : new String[0]);
		assertThat(openSsl(client.split(" "))).contains("Cipher is " + cipher);
	}

	@Test
	void refusesRenegotiation() throws Exception {
		share();
		String output = CommandLine.run("R\n",
				List.of("openssl", "s_client", "-connect", "localhost:" + port(), "-tls1_2"));
		assertThat(output).contains("Secure Renegotiation IS supported", "RENEGOTIATING", "no renegotiation");
	}

	@ParameterizedTest
	@CsvSource({ "need, first, true", "need, second, false", "need, , false", "want, first, true",
			"want, second, false", "want, , true" })
	void verifiesClientCertificate(String mode, String certificate, boolean accepted) throws Exception {
		share("--server.ssl.client-auth=" + mode);
		List<String> options = new ArrayList<>();
		if (certificate != null) {
			options.addAll(List.of("-cert", pem(certificate.equals("first") ? first : second, certificate)));
		}
		for (String protocol : List.of("-tls1_2", "-tls1_3")) {
			options.add(protocol);
			String output = openSsl(options.toArray(String[]::new));
			assertThat(output.contains("HTTP/1.1 200")).as("%s %s", protocol, output).isEqualTo(accepted);
			options.remove(protocol);
		}
	}

	private static String pem(TestKeyStore keyStore, String name) throws Exception {
		Path file = directory.resolve(name + ".pem");
		CommandLine.run("", List.of("openssl", "pkcs12", "-in", Path.of(URI.create(keyStore.location())).toString(),
				"-passin", "pass:" + TestKeyStore.PASSWORD, "-nodes", "-out", file.toString()));
		return file.toString();
	}

	private String openSsl(String... options) throws Exception {
		List<String> all = new ArrayList<>(Arrays.asList(options));
		all.add("-ign_eof");
		return CommandLine.openSslClient(port(), TestClients.REQUEST, all.toArray(String[]::new));
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void handshakeCompletesDuringReload(String protocol) throws Exception {
		start();
		SSLContext client = TestClients.interrupted(protocol, () -> TestServer.replaceCertificate(context(), second));
		this.clients.assertConnects(client);
		assertThat(this.clients.servedCertificate()).isEqualTo(second.certificate());
		awaitFull(protocol);
	}

	private void awaitFull(String protocol) {
		Awaitility.await()
			.untilAsserted(() -> assertThat(completed().keySet()).extracting("protocol").contains(protocol));
	}

	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void servesHttp2ToJava(String protocol) throws Exception {
		share("--server.http2.enabled=true");
		SSLContext client = first.sslContext(protocol, first);
		for (int i = 0; i < 3; i++) {
			assertThat(this.clients.get(client, HttpClient.Version.HTTP_2).version())
				.isEqualTo(HttpClient.Version.HTTP_2);
		}
	}

	@Test
	@Tag("product")
	@EnabledIf("isGoInstalled")
	void servesHttp2ToGo() throws Exception {
		share("--server.http2.enabled=true");
		Path program = directory.resolve("client.go");
		Files.writeString(program, """
				package main
				import ("crypto/tls"; "fmt"; "io"; "net/http"; "os")
				func main() {
					for _, version := range []uint16{tls.VersionTLS12, tls.VersionTLS13} {
						client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig:
							&tls.Config{InsecureSkipVerify: true, MaxVersion: version}}}
						response, err := client.Get(os.Args[1])
						if err != nil { panic(err) }
						body, _ := io.ReadAll(response.Body)
						fmt.Println(response.Proto, string(body), response.TLS.CurveID, response.TLS.Version == version)
					}
				}
				""");
		String output = CommandLine.run("",
				List.of("go", "run", program.toString(), "https://localhost:" + port() + "/"));
		assertThat(output.lines()).hasSize(2)
			.allMatch((line) -> line.startsWith("HTTP/2.0 ok") && line.endsWith("true"));
		// Go prefers the hybrid group.
		assertThat(completed().keySet()).extracting("group").contains("X25519MLKEM768");
	}

	/**
	 * The request ends while the server already stops.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "TLSv1.2", "TLSv1.3" })
	void gracefulShutdownCompletesRequest(String protocol) throws Exception {
		start("--server.shutdown=graceful", "--spring.lifecycle.timeout-per-shutdown-phase=30s");
		try (SSLSocket socket = this.clients.connect(first.sslContext(protocol, first))) {
			byte[] body = new byte[100_000];
			socket.getOutputStream()
				.write(("POST / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: " + body.length
						+ "\r\n\r\n")
					.getBytes());
			StringBuilder proceed = new StringBuilder();
			while (proceed.indexOf("\r\n\r\n") < 0) {
				proceed.append((char) socket.getInputStream().read());
			}
			assertThat(proceed.toString()).startsWith("HTTP/1.1 100");
			socket.getOutputStream().write(body, 0, 50_000);
			int port = port();
			CompletableFuture<Void> stop = CompletableFuture.runAsync(context()::close);
			Awaitility.await().until(() -> !isListening(port));
			assertThat(stop).isNotDone();
			socket.getOutputStream().write(body, 50_000, 50_000);
			assertThat(TestClients.readResponse(socket)).isEqualTo("ok");
			stop.get();
			assertThat(socket.getInputStream().read()).isEqualTo(-1);
		}
	}

	/*
	 * Without a handshake, which a connection that Jetty accepts while it stops may never
	 * get, with the JDK's engine as well.
	 */
	private static boolean isListening(int port) {
		try (Socket socket = new Socket("localhost", port)) {
			return socket.isConnected();
		}
		catch (IOException ex) {
			return false;
		}
	}

	@Test
	@Tag("product")
	void abortedConnectionsNeedNoMemory() throws Exception {
		start();
		TlsLoad.abort(port(), 5_000, first.sslContext(first));
		// The heap grows once, a leak with each round.
		Awaitility.await().pollDelay(Duration.ZERO).atMost(Duration.ofMinutes(5)).untilAsserted(() -> {
			long before = TlsLoad.residentMemory();
			TlsLoad.abort(port(), 5_000, first.sslContext(first));
			assertThat(TlsLoad.residentMemory() - before).isLessThan(24 << 20);
		});
		// A server may pool engines.
		Awaitility.await().untilAsserted(() -> assertThat(LiveInstances.count(ENGINE)).isLessThan(500));
	}

	static boolean isGoInstalled() {
		return CommandLine.isInstalled("go");
	}

}
