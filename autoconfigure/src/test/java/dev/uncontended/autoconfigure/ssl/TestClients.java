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

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import javax.net.ssl.SNIHostName;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

import dev.uncontended.tls.CommandLine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Connects to a server with Java's clients, curl and OpenSSL.
 */
final class TestClients {

	static final String REQUEST = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

	private static final Pattern FULL = Pattern.compile("^New, TLSv", Pattern.MULTILINE);

	private static final Pattern RESUMED = Pattern.compile("^Reused, TLSv", Pattern.MULTILINE);

	private final IntSupplier port;

	private final Path directory;

	private final Supplier<SSLContext> trusting;

	/**
	 * Creates clients.
	 * @param port the port of the server
	 * @param directory the directory for the sessions of OpenSSL
	 * @param trusting creates contexts that trust every certificate of the server
	 */
	TestClients(IntSupplier port, Path directory, Supplier<SSLContext> trusting) {
		this.port = port;
		this.directory = directory;
		this.trusting = trusting;
	}

	HttpResponse<String> get(SSLContext client, HttpClient.Version version) throws Exception {
		return HttpClient.newBuilder()
			.sslContext(client)
			.version(version)
			.build()
			.send(HttpRequest.newBuilder(URI.create("https://localhost:" + this.port.getAsInt() + "/"))
				.timeout(Duration.ofSeconds(60))
				.build(), HttpResponse.BodyHandlers.ofString());
	}

	String curl(String... options) throws Exception {
		List<String> command = new ArrayList<>(List.of("curl", "--silent", "--show-error", "--insecure", "--write-out",
				" %{http_version} %{http_code}"));
		command.addAll(List.of(options));
		command.add("https://localhost:" + this.port.getAsInt() + "/");
		return CommandLine.run("", command);
	}

	void assertConnects(SSLContext client) throws IOException {
		try (SSLSocket socket = connect(client)) {
			exchange(socket);
		}
	}

	void assertConnects(SSLContext client, Socket socket) throws IOException {
		try (SSLSocket layered = (SSLSocket) client.getSocketFactory()
			.createSocket(socket, "localhost", this.port.getAsInt(), true)) {
			layered.setSoTimeout(60_000);
			exchange(layered);
		}
	}

	SSLSocket connect(SSLContext client) throws IOException {
		SSLSocket socket = (SSLSocket) client.getSocketFactory().createSocket("localhost", this.port.getAsInt());
		socket.setSoTimeout(60_000);
		return socket;
	}

	/*
	 * Makes a request and returns the body of its response, which must have a length.
	 */
	static String exchange(SSLSocket socket) throws IOException {
		return exchange(socket, "/");
	}

	static String exchange(SSLSocket socket, String path) throws IOException {
		socket.getOutputStream()
			.write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
		return readResponse(socket);
	}

	static String readResponse(SSLSocket socket) throws IOException {
		BufferedReader reader = new BufferedReader(
				new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII));
		String line = reader.readLine();
		if (line == null) {
			throw new SSLException("closed");
		}
		assertThat(line).startsWith("HTTP/1.1 200");
		int length = 0;
		while (!line.isEmpty()) {
			line = reader.readLine();
			if (line.toLowerCase().startsWith("content-length:")) {
				length = Integer.parseInt(line.substring("content-length:".length()).trim());
			}
		}
		char[] body = new char[length];
		for (int i = 0; i < length; i++) {
			body[i] = (char) reader.read();
		}
		return new String(body);
	}

	X509Certificate servedCertificate(String... serverName) throws Exception {
		try (SSLSocket socket = connect(this.trusting.get())) {
			SSLParameters parameters = socket.getSSLParameters();
			parameters.setServerNames(Arrays.stream(serverName).<SNIServerName>map(SNIHostName::new).toList());
			socket.setSSLParameters(parameters);
			socket.startHandshake();
			return (X509Certificate) socket.getSession().getPeerCertificates()[0];
		}
	}

	/*
	 * Returns a context of a client without a certificate that trusts every server, and
	 * runs the action during a full handshake.
	 */
	static SSLContext interrupted(String protocol, Runnable action) throws Exception {
		X509ExtendedTrustManager trust = mock(X509ExtendedTrustManager.class, withSettings().stubOnly());
		willAnswer((invocation) -> {
			action.run();
			return null;
		}).given(trust).checkServerTrusted(any(), any(), any(Socket.class));
		given(trust.getAcceptedIssuers()).willReturn(new X509Certificate[0]);
		SSLContext context = SSLContext.getInstance(protocol);
		context.init(null, new TrustManager[] { trust }, null);
		return context;
	}

	void assertFull(String... options) throws Exception {
		assertHandshakes(openSsl(options), 1, 0);
	}

	/**
	 * Asserts that the session of the last handshake resumes.
	 */
	void assertResumed(String... options) throws Exception {
		assertHandshakes(openSsl(withSession(options)), 0, 1);
	}

	/**
	 * Asserts that the session of the last handshake does not resume.
	 */
	void assertResumesNoLonger(String... options) throws Exception {
		assertHandshakes(openSsl(withSession(options)), 1, 0);
	}

	private String openSsl(String... options) throws Exception {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-ign_eof", "-sess_out", session(options[0])));
		return CommandLine.openSslClient(this.port.getAsInt(), REQUEST, all.toArray(String[]::new));
	}

	private String[] withSession(String... options) {
		List<String> all = new ArrayList<>(List.of(options));
		all.addAll(List.of("-sess_in", session(options[0])));
		return all.toArray(String[]::new);
	}

	/**
	 * Returns the file with the session of the last client of a protocol.
	 */
	String session(String protocol) {
		return this.directory.resolve("session" + protocol + ".pem").toString();
	}

	static void assertHandshakes(String output, int full, int resumed) {
		assertThat(FULL.matcher(output).results().count()).as(output).isEqualTo(full);
		assertThat(RESUMED.matcher(output).results().count()).as(output).isEqualTo(resumed);
	}

}
